//! The live table of authorised accounts (spec §2, §4, design D13).

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use leptos::{prelude::*, task::spawn_local};
use vincula_domain::{
    routes,
    wire::{AccountList, Accounts},
    words,
};

use super::{
    call,
    dynamic::{click, flag, text},
    linkings::ShownLinkings,
    page,
    session::PageSession,
    table::{AccountsState, AccountsTable},
};

/// The pause after each finished answer, in milliseconds (spec §9).
const PAUSE_MS: u32 = 3000;
/// The longest pause after calls without an answer, each of which doubles it, in milliseconds.
const LONGEST_PAUSE_MS: u32 = 30_000;
/// How long a list counts as current, in milliseconds.
const FRESH_MS: i32 = 10_000;
/// How long a call may take before the page says that it is slow, in milliseconds.
const SLOW_AFTER_MS: i32 = 8000;
/// Timeout of a poll, in milliseconds. The first load has none but the server's own.
const POLL_TIMEOUT_MS: u32 = 60_000;

/// What the status line says of the list's age.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Freshness {
    /// The time of day of the list, if it is no longer current.
    since: Option<String>,
    /// The last call had no answer.
    unanswered: bool,
    /// The pending call takes long.
    slow: bool,
}

/// One page's polling.
struct Poll {
    session: String,
    known: RwSignal<AccountsState>,
    linkings: ShownLinkings,
    freshness: RwSignal<Freshness>,
    /// The digest of the shown list, once there is one.
    digest: Cell<Option<String>>,
    /// When the last good answer came, in milliseconds since 1970, and the time of day.
    answered_at: RefCell<(f64, String)>,
    /// Calls without an answer since then.
    failures: Cell<u32>,
    /// A call is pending: never two at once.
    busy: Cell<bool>,
    /// Fires the next call.
    next: Cell<Option<page::Timer>>,
    /// Fires when the status line may no longer be true.
    doubt: Cell<Option<page::Timer>>,
}

/// The lead, the ways on, the status line, the table, and the link to cancel. Loads once, then polls while the page is
/// visible.
#[island]
pub fn LiveAccounts() -> impl IntoView {
    let poll = Rc::new(Poll::of_page());
    let (known, freshness, linkings) = (poll.known, poll.freshness, poll.linkings.clone());
    let PageSession { firm, authorized, has_receipt, cancelled, renewal_due, .. } = PageSession::of_page();
    let of_cancelled = move || flag(move || cancelled);
    let (rows, kept, waits, firm_of_lead) = (linkings.rows(), linkings.kept(), linkings.clone(), firm.clone());
    let may_withdraw = move || {
        let waits = waits.are_shown() || known.get().waits_for().is_some();
        // After a cancellation there is nothing left to withdraw, although the list may not know it yet.
        !cancelled && known.get().count() == Some(0) && (authorized || waits)
    };
    let again = {
        let poll = Rc::clone(&poll);
        click(move || poll.again())
    };
    page::on_hydrate(move || poll.start());
    view! {
        // After a cancellation the page around has its own words.
        <p class="step__lead accounts-lead" hidden=of_cancelled()>
            {text(move || match renewal_due {
                true => words::ACCOUNTS_LEAD_RENEWAL.to_owned(),
                false => known.get().lead(linkings.wait_for().or(known.get().waits_for()), &firm_of_lead),
            })}
        </p>
        // The table is last, so that arriving rows move nothing from under a finger.
        <div class="actions" hidden=of_cancelled()>
            <Ways renewal_due/>
        </div>
        <p class="notice" hidden=of_cancelled()>{words::ACCOUNTS_NOTE}</p>
        <p
            class="live-status"
            role="status"
            data-stale=flag(move || known.get().is_nothing() || freshness.get().since.is_some())
        >
            {text(move || status(&known.get(), &freshness.get()))}
        </p>
        <AccountsTable known linkings=rows kept firm/>
        <div class="actions" hidden=flag(move || !known.get().is_nothing())>
            <button class="button button--secondary" type="button" on:click=again>{words::TRY_AGAIN}</button>
        </div>
        <p class="step__way-out" hidden=flag(move || known.get().count().unwrap_or(0) == 0)>
            {words::CANCEL_QUESTION} " " <a class="link-quiet" href=routes::CANCEL_CONFIRM aria-label=words::CLICK_HERE_TO_CANCEL>
                {words::CLICK_HERE}
            </a>
        </p>
        // While there is no account to speak of, a consent can be withdrawn all the same.
        <p class="step__way-out" hidden=flag(move || !may_withdraw())>
            <a class="link-quiet" href=routes::CANCEL_CONFIRM>{words::WITHDRAW}</a>
        </p>
        // With the list, as above: its rows would move it.
        <p class="step__way-out" hidden=flag(move || !(has_receipt && known.get().is_listed()))>
            <a class="link-quiet" href=routes::RECEIPT>{words::RECEIPT_OF_CONSENT}</a>
        </p>
    }
}

/// The buttons to what comes next.
#[component]
pub fn Ways(renewal_due: bool) -> impl IntoView {
    let integrate = if renewal_due { "button button--secondary" } else { "button button--primary" };
    view! {
        {renewal_due.then(|| view! { <a class="button button--primary" href=routes::UPDATE>{words::RENEW}</a> })}
        <a class=integrate href=routes::WIDGET>{words::INTEGRATE}</a>
    }
}

impl Poll {
    fn of_page() -> Self {
        Self {
            session: PageSession::of_page().id,
            known: RwSignal::new(AccountsState::Loading),
            linkings: ShownLinkings::of_page(),
            freshness: RwSignal::new(Freshness::default()),
            digest: Cell::default(),
            answered_at: RefCell::default(),
            failures: Cell::default(),
            busy: Cell::default(),
            next: Cell::default(),
            doubt: Cell::default(),
        }
    }

    fn start(self: Rc<Self>) {
        self.linkings.deliver();
        self.now();
        page::on_visibility(move || self.on_visibility());
    }

    /// Calls, unless a call is pending.
    fn now(self: &Rc<Self>) {
        if self.busy.replace(true) {
            return;
        }
        self.next.take();
        let is_listed = self.known.get_untracked().is_listed();
        if !is_listed || self.freshness.get_untracked().since.is_some() {
            self.doubt_after(SLOW_AFTER_MS);
        }
        let poll = Rc::clone(self);
        spawn_local(async move {
            let digest = poll.digest.take();
            let timeout_ms = if is_listed { POLL_TIMEOUT_MS } else { 0 };
            let answer = call::list_accounts(&poll.session, digest.as_deref(), timeout_ms).await;
            poll.digest.set(digest);
            poll.busy.set(false);
            match answer {
                Ok(answer) => poll.answered(answer),
                Err(failed) if failed.is_no_reply() => poll.unanswered(failed.retry_after_ms),
                Err(failed) => {
                    poll.doubt.take();
                    failed.handle();
                }
            }
        });
    }

    /// An unchanged list changes nothing on the screen but the status line.
    fn answered(self: &Rc<Self>, answer: Accounts) {
        self.answered_at.replace((page::now_ms(), page::time_of_day()));
        self.failures.set(0);
        self.say(Freshness::default());
        if let Accounts::Listed { digest, accounts, waiting } = answer {
            let list = AccountList { accounts, waiting };
            self.digest.set(Some(digest));
            self.linkings.listed(&list);
            self.known.set(AccountsState::Listed(list));
        }
        self.linkings.look_at_the_clock();
        // The server answers again: what it does not have yet can be delivered.
        self.linkings.deliver();
        self.doubt_after(FRESH_MS);
        self.later(0);
    }

    /// Keeps the last list, toasts once, and polls on if there has ever been a list.
    fn unanswered(self: &Rc<Self>, retry_after_ms: u32) {
        self.doubt.take();
        self.failures.set(self.failures.get() + 1);
        if !self.freshness.get_untracked().unanswered {
            page::toast("error", words::NO_REPLY);
        }
        if self.known.get_untracked().is_listed() {
            self.say(Freshness { since: Some(self.time_of_list()), unanswered: true, slow: false });
            self.later(retry_after_ms);
        } else {
            self.known.set(AccountsState::Nothing);
        }
    }

    /// Loads again because the person asked to.
    fn again(self: &Rc<Self>) {
        self.known.set(AccountsState::Loading);
        self.say(Freshness::default());
        self.now();
    }

    /// Calls again after the pause. A hidden page calls when it is shown again.
    fn later(self: &Rc<Self>, retry_after_ms: u32) {
        let poll = Rc::clone(self);
        let pause = pause_ms(self.failures.get(), retry_after_ms);
        self.next.set(page::is_visible().then(|| page::Timer::start(pause, move || poll.now())));
    }

    fn on_visibility(self: &Rc<Self>) {
        if !page::is_visible() {
            self.next.take();
        } else if self.known.get_untracked().is_listed() {
            // Browsers throttle the timers of a hidden page.
            if page::now_ms() - self.answered_at.borrow().0 > f64::from(FRESH_MS) {
                self.look_again();
            }
            self.now();
        }
    }

    fn doubt_after(self: &Rc<Self>, after_ms: i32) {
        let poll = Rc::clone(self);
        self.doubt.set(Some(page::Timer::start(after_ms, move || poll.look_again())));
    }

    /// Time has passed without an answer: the list is no longer current, and a pending call is slow.
    fn look_again(&self) {
        let since = self.known.get_untracked().is_listed().then(|| self.time_of_list());
        let unanswered = self.freshness.get_untracked().unanswered;
        self.say(Freshness { since, unanswered, slow: self.busy.get() });
    }

    fn time_of_list(&self) -> String {
        self.answered_at.borrow().1.clone()
    }

    /// Sets the status line only if it changes: screen readers read it aloud.
    fn say(&self, freshness: Freshness) {
        if self.freshness.get_untracked() != freshness {
            self.freshness.set(freshness);
        }
    }
}

/// The pause before the next call: doubled with each call without an answer, and never shorter than the server asks for.
fn pause_ms(failures: u32, retry_after_ms: u32) -> i32 {
    let doubled = PAUSE_MS.saturating_mul(2_u32.saturating_pow(failures.saturating_sub(1)));
    i32::try_from(doubled.min(LONGEST_PAUSE_MS).max(retry_after_ms)).unwrap_or(i32::MAX)
}

/// The status line above the table.
fn status(known: &AccountsState, freshness: &Freshness) -> String {
    let accounts = match known {
        AccountsState::Loading if freshness.slow => return words::SLOW.to_owned(),
        AccountsState::Loading => return words::ACCOUNTS_LOADING.to_owned(),
        AccountsState::Nothing => return words::NO_REPLY.to_owned(),
        AccountsState::Listed(list) => &list.accounts,
    };
    let when = match &freshness.since {
        None if accounts.is_empty() => words::ONLY_LIST_OF_NOW.to_owned(),
        None => words::LIST_OF_NOW.to_owned(),
        Some(time) if freshness.unanswered => words::unanswered_since(time),
        Some(time) => words::list_of(time),
    };
    let slow = if freshness.slow { [". ", words::SLOW].concat() } else { String::new() };
    // An empty table says so itself.
    let count =
        if accounts.is_empty() { String::new() } else { [&words::account_count(accounts.len()), " · "].concat() };
    [count, when, slow].concat()
}

#[cfg(test)]
mod tests {
    use vincula_domain::wire::{Account, LinkingState};

    use super::*;

    #[test]
    fn the_lead_says_what_is_missing() {
        let lead = |known: &AccountsState, wait_for, firm| known.lead(wait_for, firm);
        assert_eq!(lead(&listed(0), None, "F"), words::ACCOUNTS_LEAD_NONE);
        assert_eq!(lead(&listed(0), Some(LinkingState::Confirming), "F"), words::accounts_lead_waiting("F"));
        assert_eq!(lead(&listed(0), Some(LinkingState::Awaits), "F"), words::accounts_lead_awaiting("F"));
        for known in [AccountsState::Loading, AccountsState::Nothing, listed(1)] {
            assert_eq!(lead(&known, None, "F"), words::accounts_lead("F"));
        }
    }

    fn listed(count: usize) -> AccountsState {
        let account = Account { bank: "B".into(), agency: "1".into(), number: "2".into(), name: "N".into() };
        AccountsState::Listed(AccountList { accounts: vec![account; count], waiting: Vec::new() })
    }

    #[test]
    fn the_summary_says_how_many_and_how_fresh() {
        let now = Freshness::default();
        assert_eq!(status(&listed(2), &now), "2 contas autorizadas · lista de agora");
        assert_eq!(status(&listed(0), &now), "Lista de agora");
        let old = Freshness { since: Some("10h32".into()), ..now };
        assert_eq!(status(&listed(1), &old), "1 conta autorizada · lista das 10h32");
        let slow = Freshness { slow: true, ..old.clone() };
        assert_eq!(
            status(&listed(1), &slow),
            "1 conta autorizada · lista das 10h32. Está demorando mais que o normal…"
        );
        let unanswered = Freshness { unanswered: true, ..old };
        assert_eq!(status(&listed(1), &unanswered), "1 conta autorizada · sem resposta; lista das 10h32");
    }

    #[test]
    fn nothing_is_said_of_accounts_that_were_never_loaded() {
        let now = Freshness::default();
        assert_eq!(status(&AccountsState::Loading, &now), words::ACCOUNTS_LOADING);
        assert_eq!(status(&AccountsState::Loading, &Freshness { slow: true, ..now.clone() }), words::SLOW);
        assert_eq!(status(&AccountsState::Nothing, &now), words::NO_REPLY);
        assert_eq!(AccountsState::Nothing.count(), None);
    }

    #[test]
    fn the_pause_doubles_while_nobody_answers_and_is_what_the_server_asks_for() {
        let after = |failures| pause_ms(failures, 0);
        assert_eq!([0, 1, 2, 3, 4, 5, 6, 100].map(after), [3000, 3000, 6000, 12_000, 24_000, 30_000, 30_000, 30_000]);
        assert_eq!(pause_ms(1, 7000), 7000);
        assert_eq!(pause_ms(4, 7000), 24_000);
        assert_eq!(pause_ms(1, u32::MAX), i32::MAX);
    }
}
