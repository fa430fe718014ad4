//! The live table of authorised accounts (spec §2, §4, design D13).

use std::{cell::Cell, rc::Rc};

use leptos::{prelude::*, task::spawn_local};

use super::{
    call,
    dynamic::{click, flag, text},
    page,
    session::PageSession,
    table::{AccountsTable, Known},
};
use crate::{
    routes,
    wire::{Accounts, Failure, Reaction},
    words,
};

/// The pause after each finished answer, in milliseconds (spec §9).
const PAUSE_MS: i32 = 3000;

/// One page's polling.
struct Poll {
    session: String,
    known: RwSignal<Known>,
    /// The digest of the list that is shown, once there is one.
    digest: Cell<Option<String>>,
    /// The time of day of the last good answer.
    answered_at: Cell<String>,
    /// A call is under way: never two at once.
    busy: Cell<bool>,
    timer: Cell<Option<page::Timer>>,
}

/// How many there are and how fresh that is, the table, and the way to cancel. Loads once, then polls while the page is
/// visible.
#[island]
pub fn LiveAccounts() -> impl IntoView {
    let poll = Rc::new(Poll::of_page());
    let known = poll.known;
    let again = {
        let poll = Rc::clone(&poll);
        click(move || poll.again())
    };
    page::once_awake(move || poll.start());
    view! {
        <p class="live-status" role="status" data-stale=flag(move || known.get().is_stale())>
            {text(move || status(&known.get()))}
        </p>
        <AccountsTable known/>
        <div class="actions" hidden=flag(move || !known.get().is_nothing())>
            <button class="button button--secondary" type="button" on:click=again>{words::TRY_AGAIN}</button>
        </div>
        <p class="step__way-out" hidden=flag(move || known.get().count().unwrap_or(0) == 0)>
            {words::CANCEL_QUESTION} " " <a class="link-quiet" href=routes::CANCEL_CONFIRM>{words::CLICK_HERE}</a>
        </p>
    }
}

impl Poll {
    fn of_page() -> Self {
        Self {
            session: PageSession::of_page().id,
            known: RwSignal::new(Known::Loading),
            digest: Cell::new(None),
            answered_at: Cell::new(String::new()),
            busy: Cell::new(false),
            timer: Cell::new(None),
        }
    }

    fn start(self: Rc<Self>) {
        self.now();
        page::on_visibility(move || self.on_visibility());
    }

    /// Asks, unless a call is under way.
    fn now(self: &Rc<Self>) {
        if self.busy.replace(true) {
            return;
        }
        self.timer.take();
        let poll = Rc::clone(self);
        spawn_local(async move {
            let digest = poll.digest.take();
            let answer = call::list_accounts(&poll.session, digest.as_deref()).await;
            poll.digest.set(digest);
            poll.busy.set(false);
            match answer {
                Ok(answer) => poll.answered(answer),
                Err(Failure { reaction: Reaction::NoReply, .. }) => poll.unanswered(),
                Err(failure) => {
                    page::react(failure);
                }
            }
        });
    }

    /// An answer that says "unchanged" touches nothing on the screen but a notice of polls that failed.
    fn answered(self: &Rc<Self>, answer: Accounts) {
        self.answered_at.set(page::time_of_day());
        match answer {
            Accounts::Listed { digest, accounts } => {
                self.digest.set(Some(digest));
                self.known.set(Known::fresh(accounts));
            }
            Accounts::Unchanged => {
                if let Known::Listed { accounts, stale_since: Some(_) } = self.known.get_untracked() {
                    self.known.set(Known::fresh(accounts));
                }
            }
        }
        self.later();
    }

    /// Keeps the last good answer, says so once, and goes on if there has ever been one.
    fn unanswered(self: &Rc<Self>) {
        let known = self.known.get_untracked();
        if !known.is_stale() {
            page::toast("error", words::NO_REPLY);
        }
        if let Known::Listed { accounts, stale_since } = known {
            let stale_since = stale_since.or_else(|| Some(self.answered_at.take()));
            self.known.set(Known::Listed { accounts, stale_since });
            self.later();
        } else {
            self.known.set(Known::Nothing);
        }
    }

    /// The person asks for another first load.
    fn again(self: &Rc<Self>) {
        self.known.set(Known::Loading);
        self.now();
    }

    /// Asks again after the pause; a hidden page asks when it is seen again.
    fn later(self: &Rc<Self>) {
        let poll = Rc::clone(self);
        self.timer.set(page::is_visible().then(|| page::Timer::start(PAUSE_MS, move || poll.now())));
    }

    fn on_visibility(self: &Rc<Self>) {
        if !page::is_visible() {
            self.timer.take();
        } else if self.known.get_untracked().is_listed() {
            self.now();
        }
    }
}

/// The polite summary beside the table.
fn status(known: &Known) -> String {
    let (accounts, stale_since) = match known {
        Known::Loading => return words::ACCOUNTS_LOADING.to_owned(),
        Known::Nothing => return words::NO_REPLY.to_owned(),
        Known::Listed { accounts, stale_since } => (accounts, stale_since),
    };
    let when = match stale_since {
        None => words::UPDATED_NOW.to_owned(),
        Some(time) => words::last_updated(time),
    };
    [&words::account_count(accounts.len()), " · ", &when].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::Account;

    fn listed(count: usize, stale_since: Option<&str>) -> Known {
        let account = Account { bank: "B".into(), agency: "1".into(), number: "2".into(), name: "N".into() };
        Known::Listed { accounts: vec![account; count], stale_since: stale_since.map(str::to_owned) }
    }

    #[test]
    fn the_summary_says_how_many_and_how_fresh() {
        assert_eq!(status(&listed(2, None)), "2 contas autorizadas · atualizado agora");
        let stale = listed(1, Some("10:32:05"));
        assert_eq!(status(&stale), "1 conta autorizada · sem conexão, última atualização às 10:32:05");
        assert_eq!(status(&listed(0, None)), "Nenhuma conta autorizada ainda · atualizado agora");
    }

    #[test]
    fn nothing_is_said_of_accounts_that_were_never_loaded() {
        assert_eq!(status(&Known::Loading), words::ACCOUNTS_LOADING);
        assert_eq!(status(&Known::Nothing), words::NO_REPLY);
        assert_eq!(Known::Nothing.count(), None);
    }
}
