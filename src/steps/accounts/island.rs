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
    /// How old the list is. Empty before the first.
    age: RwSignal<String>,
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

/// The lead or the last linking, the list, the note, the button for the next bank, and the link to
/// cancel. Loads the list once, then polls while the page is visible. With `has_notice` the page says
/// above what the last visit to the bank has led to.
#[island]
pub fn LiveAccounts(has_notice: bool) -> impl IntoView {
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
        age,
        slow,
        failures,
        retry,
        table,
        ..
    } = *poll;
    let items = page_module::items_state();
    let has_items = move || items.get() != page_module::ItemsState::None;
    let was_linked = linking.is_some();
    let linked = linking.filter(|linking| linking.waits_for_approval || linking.shown_secs > 0);
    let is_led = RwSignal::new(linked.is_some());
    let bank = linked
        .as_ref()
        .map(|linked| linked.bank.clone())
        .unwrap_or_default();
    let is_awaited = Memo::new(move |_| is_led.get() && !list.read().has_account_at(&bank));
    // What the page says of a cancellation or of the last visit to the bank is the lead.
    let has_lead = move || {
        if cancelled {
            list.read().count().unwrap_or(0) > 0
        } else {
            !(renewal_due || has_notice || has_items() || is_led.get())
        }
    };
    let lead = Memo::new(move |before: Option<&String>| {
        let list = list.read();
        match before {
            // A retry says nothing new.
            Some(before) if *list == ListState::Loading => before.clone(),
            _ if cancelled => words::CANCELLED_LISTED.to_owned(),
            _ if was_linked => words::ACCOUNTS_LEAD.to_owned(),
            _ => list.lead(authorized).to_owned(),
        }
    });
    let class = move || {
        let is_unknown = *list.read() == ListState::Unknown;
        if renewal_due || has_notice || has_items() || is_unknown || is_awaited.get() {
            "button button--secondary"
        } else {
            "button button--primary"
        }
    };
    let shown_age = Memo::new(move |_| age.get());
    Effect::new({
        let poll = Rc::clone(&poll);
        move || Rc::clone(&poll).start()
    });
    view! {
        <p class="step__lead" hidden=move || !has_lead() use:text=lead>{lead.get_untracked()}</p>
        {linked.map(|linking| view! { <Linked linking is_led is_awaited/> })}
        {renewal_due.then(|| view! { <RenewalDue/> })}
        <div class="accounts-list">
            <div class="accounts-list__head">
                <ListCount list slow failures cancelled/>
                // Not announced: it changes every minute.
                <p
                    class="live-status"
                    data-stale=move || cancelled || failures.get() != 0
                    hidden=move || age.read().is_empty()
                >
                    <span use:text=shown_age>{shown_age.get_untracked()}</span>
                </p>
            </div>
            <AccountsTable list node_ref=table/>
            <RetryButton retry repeat=move || poll.retry() class="button button--primary"/>
        </div>
        // Not seen before the list has arrived, which moves it.
        <p
            class="button__hint"
            class:invisible=move || *list.read() == ListState::Loading
            hidden=cancelled
        >
            {words::ACCOUNTS_NOTE}
        </p>
        <p class="actions accounts-list__next" hidden=cancelled>
            <a class=class href=routes::INTEGRATE>{words::INTEGRATE}</a>
        </p>
        <WaysOut list authorized/>
    }
}

/// The account that was linked last, in place of the lead, and what is next until it is listed. For
/// ten minutes; one that waits for an approval is mentioned as long as the session lives.
#[component]
fn Linked(linking: LinkingNotice, is_led: RwSignal<bool>, is_awaited: Memo<bool>) -> impl IntoView {
    let waits = linking.waits_for_approval;
    if !waits {
        Effect::new(move || {
            page_module::Timer::start(linking.shown_secs * 1000, move || is_led.set(false)).keep();
        });
    }
    let (class, next) = if waits {
        ("notice notice--warning linking", words::APPROVAL_MISSING)
    } else {
        ("notice notice--good linking", words::LISTED_SOON)
    };
    view! {
        <div class=class hidden=move || !is_led.get()>
            <p><strong>{words::linked(&linking)}</strong></p>
            <p hidden=move || !waits && !is_awaited.get()>{next}</p>
        </div>
    }
}

/// How many accounts there are, and how loading them goes. It is announced. After a cancellation the
/// list may still have accounts, which are no longer authorised.
#[component]
fn ListCount(
    list: RwSignal<ListState>,
    slow: RwSignal<bool>,
    failures: RwSignal<u32>,
    cancelled: bool,
) -> impl IntoView {
    let heading = Memo::new(move |_| match list.read().count() {
        None | Some(0) => words::ACCOUNTS_CAPTION.to_owned(),
        Some(count) if cancelled => words::listed_count(count),
        Some(count) => words::account_count(count),
    });
    let status = Memo::new(move |_| status(&list.read(), slow.get(), failures.get()).to_owned());
    view! {
        <div class="accounts-list__count" aria-live="polite" aria-atomic="true">
            <h2 class="accounts-list__title" use:text=heading>{heading.get_untracked()}</h2>
            <p
                class="list-status"
                class:visually-hidden=move || list.read().is_told_by_row() && failures.get() == 0
                use:text=status
            >
                {status.get_untracked()}
            </p>
        </div>
    }
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

/// What an update link is for, until the connection is renewed.
#[component]
fn RenewalDue() -> impl IntoView {
    view! {
        <div class="notice notice--warning linking linking--due">
            <p><strong>{words::RENEWAL_DUE}</strong></p>
            <p class="actions">
                <a class="button button--primary" href=routes::UPDATE>{words::RENEW}</a>
            </p>
        </div>
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
        self.age.set(words::list_of(&time));
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

/// What is announced of the list and its calls.
fn status(list: &ListState, is_slow: bool, failures: u32) -> &'static str {
    match list {
        ListState::Loading if is_slow => words::SLOW,
        ListState::Loading => words::ACCOUNTS_LOADING,
        ListState::Listed(_) if failures > 0 => words::NO_RESPONSE,
        ListState::Listed(accounts) if accounts.is_empty() => words::ACCOUNTS_EMPTY,
        ListState::Listed(_) => "",
        ListState::Unknown => words::ACCOUNTS_UNKNOWN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn announces_loading_and_failed_polls() {
        let listed = ListState::Listed(Vec::new());
        for (list, is_slow, failures, said) in [
            (&listed, true, 0, words::ACCOUNTS_EMPTY),
            (&listed, false, 3, words::NO_RESPONSE),
            (&ListState::Loading, false, 0, words::ACCOUNTS_LOADING),
            (&ListState::Loading, true, 0, words::SLOW),
            (&ListState::Unknown, false, 0, words::ACCOUNTS_UNKNOWN),
        ] {
            assert_eq!(status(list, is_slow, failures), said);
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
