//! The live table of authorised accounts.

use std::{cell::Cell, rc::Rc};

use futures_util::future::{AbortHandle, abortable};
use leptos::{html::Table, prelude::*, task::spawn_local};

use super::list_accounts;
use crate::{
    failure::Failure,
    islands::{
        call::{call, from_page},
        context::page_context,
        page_module,
        retry::{Retry, RetryButton},
        table::{AccountsTable, ListState, SLOW_AFTER_MS},
        text::text,
    },
    routes,
    wire::{Accounts, LinkingNotice, PageContext},
    words,
};

/// The pause after each finished response, in milliseconds.
const PAUSE_MS: u32 = 3000;
/// The longest pause after calls without a response, in milliseconds. Each such call doubles the
/// pause.
const LONGEST_PAUSE_MS: u32 = 30_000;
/// How long a poll may take before it is given up and made again, in milliseconds. The first list
/// has no limit.
const POLL_TIMEOUT_MS: u32 = 60_000;

/// One page's polling.
#[derive(Default)]
struct Poll {
    session: String,
    list: RwSignal<ListState>,
    /// The time of day of the list.
    time: RwSignal<Option<String>>,
    /// Whether the first load is slow.
    slow: RwSignal<bool>,
    /// Polls without a response since the list.
    failures: RwSignal<u32>,
    /// The first load.
    retry: Retry,
    table: NodeRef<Table>,
    /// Whether a call is pending. There is never more than one.
    busy: Cell<bool>,
    /// Fires the next call.
    next: Cell<Option<page_module::Timer>>,
    /// Gives up the pending poll.
    giving_up: Cell<Option<AbortHandle>>,
}

/// The lead, the button for the next bank, the status line, the table, and the link to cancel.
/// Loads the list once, then polls while the page is visible. The button is above the table,
/// because new rows would move it. Everything below the table appears with the list.
#[island]
pub fn LiveAccounts() -> impl IntoView {
    page_module::restore_served();
    let PageContext {
        session,
        authorized,
        cancelled,
        renewal_due,
        linking,
        ..
    } = page_context();
    let list = RwSignal::new(ListState::Loading);
    let poll = Rc::new(Poll {
        session,
        list,
        ..Poll::default()
    });
    let Poll {
        time,
        slow,
        failures,
        retry,
        table,
        ..
    } = *poll;
    let is_first = authorized && linking.is_none();
    let lead = Memo::new(move |_| {
        let lead = if renewal_due {
            words::ACCOUNTS_LEAD_RENEWAL
        } else {
            list.read().lead(is_first)
        };
        lead.to_owned()
    });
    let linked = linking_line(linking);
    let status = Memo::new(move |_| status(linked.get(), &list.read(), slow.get(), failures.get()));
    let is_stale = move || *list.read() == ListState::Unknown || failures.get() > 0;
    let age = Memo::new(move |_| {
        time.read()
            .as_deref()
            .map(words::list_of)
            .unwrap_or_default()
    });
    Effect::new({
        let poll = Rc::clone(&poll);
        move || Rc::clone(&poll).start()
    });
    page_module::report_hydrated();
    view! {
        // After a cancellation, the page around the island has its own text.
        <p class="step__lead accounts__lead" hidden=cancelled use:text=lead>
            {lead.get_untracked()}
        </p>
        {renewal_due.then(|| view! { <RenewalLink/> })}
        <div class="step__section" hidden=cancelled>
            <IntegrateLink renewal_due/>
        </div>
        <p class="live-status" data-stale=is_stale>
            <span>
                <span aria-live="polite" aria-atomic="true" use:text=status>
                    {status.get_untracked()}
                </span>
                " "
                // Not announced: it changes every minute.
                <span use:text=age>{age.get_untracked()}</span>
            </span>
        </p>
        <AccountsTable list node_ref=table/>
        <RetryButton retry repeat=move || poll.retry()/>
        <WaysOut list authorized/>
    }
}

/// "Você conectou Inter às 16h40…": the account that was linked last, for ten minutes. An account
/// that waits for an approval is mentioned as long as the session lives.
fn linking_line(linking: Option<LinkingNotice>) -> RwSignal<Option<String>> {
    let waits = |linking: &LinkingNotice| linking.waits_for_approval;
    let shown = linking.filter(|linking| waits(linking) || linking.shown_secs > 0);
    let line = RwSignal::new(shown.as_ref().map(words::linked));
    if let Some(shown) = shown.filter(|linking| !waits(linking)) {
        Effect::new(move || {
            page_module::Timer::start(shown.shown_secs * 1000, move || line.set(None)).keep();
        });
    }
    line
}

/// The links below the list: to the cancellation, and to the withdrawal of the consent. They appear
/// with the list. A consent can be withdrawn even without accounts.
#[component]
fn WaysOut(list: RwSignal<ListState>, authorized: bool) -> impl IntoView {
    view! {
        <p class="step__way-out" hidden=move || list.read().count().unwrap_or(0) == 0>
            {words::CANCEL_QUESTION} " " <a class="link-quiet" href=routes::CANCEL_CONFIRM aria-label=words::CLICK_HERE_TO_CANCEL>
                {words::CLICK_HERE}
            </a>
        </p>
        <p class="step__way-out" hidden=move || !authorized || !list.read().is_empty()>
            <a class="link-quiet" href=routes::CANCEL_CONFIRM>{words::WITHDRAW}</a>
        </p>
    }
}

#[component]
fn RenewalLink() -> impl IntoView {
    view! { <p class="actions"><a class="button button--primary" href=routes::UPDATE>{words::RENEW}</a></p> }
}

/// The button for the next bank, and how long the last one may take. It is secondary if a
/// connection must be renewed.
#[component]
fn IntegrateLink(renewal_due: bool) -> impl IntoView {
    let class = if renewal_due {
        "button button--secondary"
    } else {
        "button button--primary"
    };
    view! {
        <p class="actions"><a class=class href=routes::INTEGRATE>{words::INTEGRATE}</a></p>
        <p class="button__hint">{words::ACCOUNTS_NOTE}</p>
    }
}

impl Poll {
    fn start(self: Rc<Self>) {
        self.poll();
        page_module::on_visibility(move || self.on_visibility());
    }

    /// Calls, unless a call is pending.
    fn poll(self: &Rc<Self>) {
        if self.busy.replace(true) {
            return;
        }
        self.next.take();
        let poll = Rc::clone(self);
        spawn_local(async move {
            let answer = if poll.is_listed() {
                poll.list_again().await
            } else {
                poll.first_list().await
            };
            poll.busy.set(false);
            match answer {
                // Given up by `on_visibility`. The page polls again when it is shown.
                Err(Failure::NoReply) if poll.is_listed() && !page_module::is_visible() => {}
                Ok(accounts) => poll.answered(accounts),
                Err(Failure::NoReply) => poll.failed(),
                Err(failed) => {
                    failed.handle().await;
                    poll.retry.stalled();
                }
            }
        });
    }

    async fn first_list(&self) -> Result<Accounts, Failure> {
        let slow = self.slow;
        let _timer = page_module::Timer::start(SLOW_AFTER_MS, move || slow.set(true));
        let answer = call(list_accounts(from_page(&self.session))).await;
        slow.set(false);
        answer
    }

    async fn list_again(&self) -> Result<Accounts, Failure> {
        let (polled, giving_up) = abortable(list_accounts(from_page(&self.session)));
        self.giving_up.set(Some(giving_up.clone()));
        let _timer = page_module::Timer::start(POLL_TIMEOUT_MS, move || giving_up.abort());
        call(polled).await.unwrap_or(Err(Failure::NoReply))
    }

    /// An unchanged list leaves the table as it is, with what a translator has made of it.
    fn answered(self: &Rc<Self>, Accounts { accounts, time }: Accounts) {
        self.time.set(Some(time));
        self.failures.set(0);
        let list = ListState::Listed(accounts);
        if *self.list.read_untracked() != list {
            self.list.set(list);
        }
        let table = self.table;
        self.retry.succeeded(move || page_module::focus(table));
        self.schedule_next();
    }

    /// Handles a failed poll: keeps the last list, shows one toast, and continues to poll if there
    /// has been a list.
    fn failed(self: &Rc<Self>) {
        if self.failures.get_untracked() == 0 {
            page_module::show_toast();
        }
        if self.is_listed() {
            self.failures.update(|failures| *failures += 1);
            self.schedule_next();
        } else {
            self.list.set(ListState::Unknown);
            self.retry.failed();
        }
    }

    /// Loads the list again at the client's request.
    fn retry(self: &Rc<Self>) {
        self.list.set(ListState::Loading);
        self.poll();
    }

    /// Calls again after the pause. A hidden page calls when it is shown again.
    fn schedule_next(self: &Rc<Self>) {
        if page_module::is_visible() {
            let poll = Rc::clone(self);
            let pause_ms = pause_ms(self.failures.get_untracked());
            self.next
                .set(Some(page_module::Timer::start(pause_ms, move || {
                    poll.poll();
                })));
        }
    }

    fn on_visibility(self: &Rc<Self>) {
        if !page_module::is_visible() {
            self.next.take();
            // Phones cut the connections of hidden pages, which is no failure of the server.
            if let Some(poll) = self.giving_up.take() {
                poll.abort();
            }
        } else if self.is_listed() {
            self.poll();
        }
    }

    fn is_listed(&self) -> bool {
        self.list.read_untracked().count().is_some()
    }
}

/// The pause before the next call: doubled with each call without a response.
fn pause_ms(failures: u32) -> u32 {
    let doubled = PAUSE_MS.saturating_mul(2_u32.saturating_pow(failures.saturating_sub(1)));
    doubled.min(LONGEST_PAUSE_MS)
}

/// What is announced above the table. An empty list says so itself.
fn status(linked: Option<String>, list: &ListState, is_slow: bool, failures: u32) -> String {
    let state = match list {
        ListState::Loading if is_slow => Some(words::SLOW.to_owned()),
        ListState::Loading => Some(words::ACCOUNTS_LOADING.to_owned()),
        ListState::Unknown => Some(words::REQUEST_FAILED.to_owned()),
        ListState::Listed(accounts) => words::account_count(accounts.len()),
    };
    let silent = (failures > 0).then(|| words::NO_RESPONSE.to_owned());
    let sentences = [linked, state, silent].into_iter().flatten();
    sentences.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::AccountRow;

    fn listed(count: usize) -> ListState {
        let account = AccountRow {
            brand: String::new(),
            bank: "B".into(),
            agency: "1".into(),
            number: "2".into(),
            name: "N".into(),
        };
        ListState::Listed(vec![account; count])
    }

    #[test]
    fn announces_linking_count_and_failure() {
        for (linked, list, is_slow, failures, said) in [
            (None, listed(2), true, 0, "2 contas autorizadas."),
            (
                None,
                listed(1),
                false,
                3,
                "1 conta autorizada. Sem resposta do servidor.",
            ),
            (None, listed(0), false, 0, ""),
            (Some("Pronto."), listed(0), false, 0, "Pronto."),
            (
                Some("Pronto."),
                listed(1),
                false,
                0,
                "Pronto. 1 conta autorizada.",
            ),
            (None, listed(0), false, 1, "Sem resposta do servidor."),
            (None, ListState::Loading, false, 0, words::ACCOUNTS_LOADING),
            (None, ListState::Loading, true, 0, words::SLOW),
            (None, ListState::Unknown, false, 0, words::REQUEST_FAILED),
        ] {
            let linked = linked.map(str::to_owned);
            assert_eq!(status(linked, &list, is_slow, failures), said);
        }
    }

    #[test]
    fn pause_doubles_without_responses() {
        assert_eq!(
            [0, 1, 2, 3, 4, 5, 6, 100].map(pause_ms),
            [3000, 3000, 6000, 12_000, 24_000, 30_000, 30_000, 30_000]
        );
    }
}
