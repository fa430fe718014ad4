//! The live table of authorised accounts.

use std::{cell::Cell, rc::Rc};

use futures_util::future::abortable;
use leptos::{html::Table, prelude::*, task::spawn_local};

use super::list_accounts;
use crate::{
    failure::Failure,
    islands::{
        call::{call, from_page},
        context::page_context,
        page,
        retry::{Retry, RetryButton},
        table::{AccountsTable, ListState, SLOW_AFTER_MS},
        text::text,
    },
    routes,
    wire::{Accounts, Linking, PageContext},
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
/// How long a list counts as current, in milliseconds.
const FRESH_MS: u32 = 10_000;

/// How current the shown list is.
#[derive(Debug, Clone, Default)]
struct ListAge {
    /// The time of day of the list, if it is not current.
    as_of: Option<String>,
    /// Calls without a response since then.
    failures: u32,
    /// The pending call is slow.
    slow: bool,
}

/// One page's polling.
#[derive(Default)]
struct Poll {
    session: String,
    list: RwSignal<ListState>,
    age: RwSignal<ListAge>,
    /// The first load.
    retry: Retry,
    table: NodeRef<Table>,
    /// When the last good response came, in milliseconds since 1970.
    answered_at_ms: Cell<f64>,
    /// Whether a call is pending. There is never more than one.
    busy: Cell<bool>,
    /// Fires the next call.
    next: Cell<Option<page::Timer>>,
    /// Fires when the status line may have to change.
    stale_timer: Cell<Option<page::Timer>>,
}

/// The lead, the button for the next bank, the status line, the table, and the link to cancel.
/// Loads the list once, then polls while the page is visible. The button is above the table,
/// because new rows would move it. Everything below the table appears with the list.
#[island]
pub fn LiveAccounts() -> impl IntoView {
    page::restore_served();
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
    let (age, retry, table) = (poll.age, poll.retry, poll.table);
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
    let status = Memo::new(move |_| {
        let state = status(&list.read(), &age.read());
        match linked.read().as_deref() {
            Some(linked) => [linked, " ", &state].concat(),
            None => state,
        }
    });
    Effect::new({
        let poll = Rc::clone(&poll);
        move || Rc::clone(&poll).start()
    });
    page::report_hydrated();
    view! {
        // After a cancellation, the page around the island has its own text.
        <p class="step__lead accounts__lead" hidden=cancelled use:text=lead>
            {lead.get_untracked()}
        </p>
        {renewal_due.then(|| view! { <RenewalLink/> })}
        <div class="step__section" hidden=cancelled>
            <IntegrateLink renewal_due/>
        </div>
        <p
            class="live-status"
            aria-live="polite"
            aria-atomic="true"
            data-stale=move || *list.read() == ListState::Unknown || age.read().as_of.is_some()
            use:text=status
        >
            {status.get_untracked()}
        </p>
        <AccountsTable list node_ref=table/>
        <RetryButton retry repeat=move || poll.retry()/>
        <WaysOut list authorized/>
    }
}

/// "Você conectou Inter às 16h40…": the account that was linked last, for ten minutes. An account
/// that waits for an approval is mentioned as long as the session lives.
fn linking_line(linking: Option<Linking>) -> RwSignal<Option<String>> {
    let waits = |linking: &Linking| linking.waits_for_approval;
    let shown = linking.filter(|linking| waits(linking) || linking.shown_secs > 0);
    let line = RwSignal::new(shown.as_ref().map(words::linked));
    if let Some(shown) = shown.filter(|linking| !waits(linking)) {
        Effect::new(move || {
            page::Timer::start(shown.shown_secs * 1000, move || line.set(None)).keep();
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
        page::on_visibility(move || self.on_visibility());
    }

    /// Calls, unless a call is pending.
    fn poll(self: &Rc<Self>) {
        if self.busy.replace(true) {
            return;
        }
        self.next.take();
        let is_listed = self.is_listed();
        if !is_listed || self.age.read_untracked().as_of.is_some() {
            self.mark_stale_after(SLOW_AFTER_MS);
        }
        let poll = Rc::clone(self);
        spawn_local(async move {
            let (polled, giving_up) = abortable(list_accounts(from_page(&poll.session)));
            let _timer =
                is_listed.then(|| page::Timer::start(POLL_TIMEOUT_MS, move || giving_up.abort()));
            let answer = call(polled).await.unwrap_or(Err(Failure::NoReply));
            poll.busy.set(false);
            match answer {
                Ok(answer) => poll.answered(answer),
                Err(Failure::NoReply) => poll.failed(),
                Err(failed) => {
                    poll.stale_timer.take();
                    failed.handle().await;
                    poll.retry.stalled();
                }
            }
        });
    }

    /// An unchanged list leaves the table as it is, with what a translator has made of it.
    fn answered(self: &Rc<Self>, Accounts { accounts }: Accounts) {
        self.answered_at_ms.set(page::now_ms());
        self.age.set(ListAge::default());
        let list = ListState::Listed(accounts);
        if *self.list.read_untracked() != list {
            self.list.set(list);
        }
        let table = self.table;
        self.retry.succeeded(move || page::focus(table));
        self.mark_stale_after(FRESH_MS);
        self.schedule_next();
    }

    /// Handles a failed poll: keeps the last list, shows one toast, and continues to poll if there
    /// has been a list.
    fn failed(self: &Rc<Self>) {
        self.stale_timer.take();
        let failures = self.age.read_untracked().failures + 1;
        if failures == 1 {
            page::show_toast();
        }
        if self.is_listed() {
            self.age.set(ListAge {
                as_of: self.time_of_list(),
                failures,
                slow: false,
            });
            self.schedule_next();
        } else {
            self.list.set(ListState::Unknown);
            self.retry.failed();
        }
    }

    /// Loads the list again at the client's request.
    fn retry(self: &Rc<Self>) {
        self.list.set(ListState::Loading);
        self.age.set(ListAge::default());
        self.poll();
    }

    /// Calls again after the pause. A hidden page calls when it is shown again.
    fn schedule_next(self: &Rc<Self>) {
        if page::is_visible() {
            let poll = Rc::clone(self);
            let pause_ms = pause_ms(self.age.read_untracked().failures);
            self.next
                .set(Some(page::Timer::start(pause_ms, move || poll.poll())));
        } else {
            self.next.take();
        }
    }

    fn on_visibility(self: &Rc<Self>) {
        if !page::is_visible() {
            self.next.take();
        } else if self.is_listed() {
            // Browsers throttle the timers of a hidden page.
            if page::now_ms() - self.answered_at_ms.get() > f64::from(FRESH_MS) {
                self.mark_stale();
            }
            self.poll();
        }
    }

    fn mark_stale_after(self: &Rc<Self>, after_ms: u32) {
        let poll = Rc::clone(self);
        self.stale_timer
            .set(Some(page::Timer::start(after_ms, move || {
                poll.mark_stale();
            })));
    }

    /// Updates the status line after time without a response: the list is outdated, or a pending
    /// call is slow.
    fn mark_stale(&self) {
        let failures = self.age.read_untracked().failures;
        self.age.set(ListAge {
            as_of: self.time_of_list(),
            failures,
            slow: self.busy.get(),
        });
    }

    fn is_listed(&self) -> bool {
        self.list.read_untracked().count().is_some()
    }

    fn time_of_list(&self) -> Option<String> {
        self.is_listed()
            .then(|| page::time_of_day(self.answered_at_ms.get()))
    }
}

/// The pause before the next call: doubled with each call without a response.
fn pause_ms(failures: u32) -> u32 {
    let doubled = PAUSE_MS.saturating_mul(2_u32.saturating_pow(failures.saturating_sub(1)));
    doubled.min(LONGEST_PAUSE_MS)
}

/// The state of the list, above the table. An empty list says so itself.
fn status(list: &ListState, age: &ListAge) -> String {
    let count = match list {
        ListState::Loading if age.slow => return words::SLOW.to_owned(),
        ListState::Loading => return words::ACCOUNTS_LOADING.to_owned(),
        ListState::Unknown => return words::REQUEST_FAILED.to_owned(),
        ListState::Listed(accounts) => words::account_count(accounts.len()),
    };
    let when = match &age.as_of {
        None => words::LIST_OF_NOW.to_owned(),
        Some(time) if age.failures > 0 => words::unanswered_since(time),
        Some(time) => words::list_of(time),
    };
    let slow = age.slow.then(|| words::SLOW.to_owned());
    let sentences = [count, Some(when), slow];
    sentences
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::Account;

    fn listed(count: usize) -> ListState {
        let account = Account {
            brand: String::new(),
            bank: "B".into(),
            agency: "1".into(),
            number: "2".into(),
            name: "N".into(),
        };
        ListState::Listed(vec![account; count])
    }

    #[test]
    fn summary_shows_count_and_freshness() {
        let now = ListAge::default();
        assert_eq!(
            status(&listed(2), &now),
            "2 contas autorizadas. Lista atualizada agora."
        );
        assert_eq!(status(&listed(0), &now), "Lista atualizada agora.");
        let old = ListAge {
            as_of: Some("10h32".into()),
            ..now
        };
        assert_eq!(
            status(&listed(1), &old),
            "1 conta autorizada. Lista das 10h32, horário de Brasília."
        );
        let slow = ListAge {
            slow: true,
            ..old.clone()
        };
        assert_eq!(
            status(&listed(1), &slow),
            "1 conta autorizada. Lista das 10h32, horário de Brasília. Está demorando mais que o normal…"
        );
        let failed = ListAge { failures: 1, ..old };
        assert_eq!(
            status(&listed(1), &failed),
            "1 conta autorizada. Sem resposta do servidor. Lista das 10h32, horário de Brasília."
        );
    }

    #[test]
    fn summary_is_empty_before_first_list() {
        let now = ListAge::default();
        assert_eq!(status(&ListState::Loading, &now), words::ACCOUNTS_LOADING);
        assert_eq!(
            status(
                &ListState::Loading,
                &ListAge {
                    slow: true,
                    ..now.clone()
                }
            ),
            words::SLOW
        );
        assert_eq!(status(&ListState::Unknown, &now), words::REQUEST_FAILED);
    }

    #[test]
    fn pause_doubles_without_responses() {
        assert_eq!(
            [0, 1, 2, 3, 4, 5, 6, 100].map(pause_ms),
            [3000, 3000, 6000, 12_000, 24_000, 30_000, 30_000, 30_000]
        );
    }
}
