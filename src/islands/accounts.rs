//! The live table of authorised accounts (spec §2, §4, design D13).

use std::time::Duration;

use leptos::{ev, prelude::*, task::spawn_local};

use super::{markup::SKELETON, page};
use crate::{
    routes,
    steps::accounts::list_accounts,
    wire::{Account, FromPage, Reaction},
    words,
};

/// The pause after each finished answer (spec §9).
const PAUSE: Duration = Duration::from_secs(3);

/// What is known of the accounts.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Known {
    Loading,
    /// The first load had no answer: there is nothing to show, and no polling (spec §4).
    Nothing,
    /// The last good answer, when it came, and whether the polls since then failed.
    Since {
        accounts: Vec<Account>,
        time: String,
        stale: bool,
    },
}

/// What the table shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rows {
    Loading,
    /// They could not be loaded: nothing is stated of them.
    Unknown,
    Listed(Vec<Account>),
}

/// One page's polling.
#[derive(Clone, Copy)]
struct Poll {
    session: StoredValue<String>,
    known: RwSignal<Known>,
    /// A call is under way: never two at once.
    busy: StoredValue<bool>,
    timer: StoredValue<Option<TimeoutHandle>>,
}

/// The table, the notes under it and the way to cancel. Loads once, then polls while the page is visible.
#[island]
pub fn LiveAccounts(session: String) -> impl IntoView {
    let poll = Poll {
        session: StoredValue::new(session),
        known: RwSignal::new(Known::Loading),
        busy: StoredValue::new(false),
        timer: StoredValue::new(None),
    };
    Effect::new(move |_| {
        poll.now();
        std::mem::forget(window_event_listener(ev::visibilitychange, move |_| poll.on_visibility()));
    });
    let some = move || matches!(poll.known.get(), Known::Since { accounts, .. } if !accounts.is_empty());
    view! {
        // The table is last: rows that arrive push nothing away from under a finger.
        <div class="actions">
            <a class="button button--primary" href=routes::WIDGET>{words::INTEGRATE}</a>
        </div>
        <p class="notice">{words::ACCOUNTS_NOTE}</p>
        <p class="live-status" role="status" data-stale=move || is_stale(&poll.known.get()).then_some("")>
            {move || status(&poll.known.get())}
        </p>
        <AccountsTable rows=Signal::derive(move || rows(&poll.known.get()))/>
        <Show when=move || poll.known.get() == Known::Nothing>
            <div class="actions">
                <button class="button button--secondary" type="button" on:click=move |_| poll.again()>
                    {words::TRY_AGAIN}
                </button>
            </div>
        </Show>
        <Show when=some>
            <p class="step__way-out">
                {words::CANCEL_QUESTION} " " <a class="link-quiet" href=routes::CANCEL_CONFIRM>{words::CLICK_HERE}</a>
            </p>
        </Show>
    }
}

/// The table of spec §2, with its roles spelled out: on phones its rows are drawn as cards. An empty list is the
/// full-width row that says so.
#[component]
pub fn AccountsTable(rows: Signal<Rows>) -> impl IntoView {
    let listed = move || if let Rows::Listed(accounts) = rows.get() { accounts } else { Vec::new() };
    let loading = move || rows.get() == Rows::Loading;
    let empty = move || rows.get() == Rows::Listed(Vec::new());
    view! {
        <table class="accounts" role="table" aria-busy=move || loading().to_string()>
            <caption class="visually-hidden">{words::ACCOUNTS_CAPTION}</caption>
            <thead role="rowgroup">
                <tr role="row">
                    <th role="columnheader" scope="col">{words::BANK}</th>
                    <th role="columnheader" scope="col">{words::AGENCY}</th>
                    <th role="columnheader" scope="col">{words::NUMBER}</th>
                    <th role="columnheader" scope="col">{words::NAME}</th>
                </tr>
            </thead>
            <tbody role="rowgroup">
                <For each=listed key=Clone::clone let(account)>
                    <tr class="accounts__row" role="row">
                        <td role="cell" data-label=words::BANK>{account.bank}</td>
                        <td role="cell" data-label=words::AGENCY>{account.agency}</td>
                        <td role="cell" data-label=words::NUMBER>{account.number}</td>
                        <td role="cell" data-label=words::NAME>{account.name}</td>
                    </tr>
                </For>
                <Show when=empty>
                    <tr role="row"><td role="cell" class="accounts__empty" colspan="4">{words::ACCOUNTS_EMPTY}</td></tr>
                </Show>
                <Show when=move || rows.get() == Rows::Unknown>
                    <tr role="row"><td role="cell" class="accounts__empty" colspan="4">{words::ACCOUNTS_UNKNOWN}</td></tr>
                </Show>
                <Show when=loading>
                    <tr class="accounts__loading" role="row">
                        <td role="cell" class="accounts__empty" colspan="4"><span class=SKELETON></span></td>
                    </tr>
                </Show>
            </tbody>
        </table>
    }
}

impl Poll {
    /// Asks, unless a call is under way.
    fn now(self) {
        if self.busy.get_value() {
            return;
        }
        self.busy.set_value(true);
        self.forget_timer();
        spawn_local(async move {
            let answer = list_accounts(FromPage { session: self.session.get_value() }).await;
            self.busy.set_value(false);
            match answer {
                Ok(answer) => {
                    let known = Known::Since { accounts: answer.accounts, time: page::time_of_day(), stale: false };
                    self.known.set(known);
                    self.later();
                }
                Err(failure) if failure.reaction == Reaction::NoReply => self.unanswered(),
                Err(failure) => {
                    page::react(failure);
                }
            }
        });
    }

    /// The person asks for another first load.
    fn again(self) {
        self.known.set(Known::Loading);
        self.now();
    }

    /// Keeps the last good answer, says so once, and goes on if there has ever been one.
    fn unanswered(self) {
        let known = self.known.get_untracked();
        let told = matches!(known, Known::Since { stale: true, .. });
        if !told {
            page::toast("error", words::NO_REPLY);
        }
        match known {
            Known::Since { accounts, time, .. } => {
                self.known.set(Known::Since { accounts, time, stale: true });
                self.later();
            }
            Known::Loading | Known::Nothing => self.known.set(Known::Nothing),
        }
    }

    /// Asks again after the pause; a hidden page asks when it is seen again.
    fn later(self) {
        self.forget_timer();
        if page::is_visible() {
            self.timer.set_value(set_timeout_with_handle(move || self.now(), PAUSE).ok());
        }
    }

    fn on_visibility(self) {
        if !page::is_visible() {
            self.forget_timer();
        } else if matches!(self.known.get_untracked(), Known::Since { .. }) {
            self.now();
        }
    }

    fn forget_timer(self) {
        self.timer.update_value(|timer| {
            if let Some(timer) = timer.take() {
                timer.clear();
            }
        });
    }
}

fn rows(known: &Known) -> Rows {
    match known {
        Known::Loading => Rows::Loading,
        Known::Nothing => Rows::Unknown,
        Known::Since { accounts, .. } => Rows::Listed(accounts.clone()),
    }
}

fn is_stale(known: &Known) -> bool {
    matches!(known, Known::Nothing | Known::Since { stale: true, .. })
}

/// The polite summary beside the table.
fn status(known: &Known) -> String {
    match known {
        Known::Loading => words::ACCOUNTS_LOADING.to_owned(),
        Known::Nothing => words::NO_REPLY.to_owned(),
        Known::Since { accounts, time, stale } => {
            let when = if *stale { words::last_updated(time) } else { words::UPDATED_NOW.to_owned() };
            format!("{} · {when}", words::account_count(accounts.len()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn since(count: usize, stale: bool) -> Known {
        let account = Account { bank: "B".into(), agency: "1".into(), number: "2".into(), name: "N".into() };
        Known::Since { accounts: vec![account; count], time: "10:32:05".into(), stale }
    }

    #[test]
    fn the_summary_says_how_many_and_how_fresh() {
        assert_eq!(status(&since(2, false)), "2 contas autorizadas · atualizado agora");
        assert_eq!(status(&since(1, true)), "1 conta autorizada · sem conexão, última atualização às 10:32:05");
        assert_eq!(status(&since(0, false)), "Nenhuma conta autorizada ainda · atualizado agora");
    }

    #[test]
    fn nothing_is_said_of_accounts_that_were_never_loaded() {
        assert_eq!(rows(&Known::Loading), Rows::Loading);
        assert_eq!(rows(&Known::Nothing), Rows::Unknown);
        assert_eq!(status(&Known::Nothing), words::NO_REPLY);
    }
}
