//! The button that cancels everything, and the accounts that it concerns.

use leptos::{ev::SubmitEvent, prelude::*, task::spawn_local};
use vincula_domain::{
    routes,
    wire::{Accounts, ListAccounts, Onward, PageContext},
    words,
};

use crate::{
    accounts::SLOW_AFTER_MS,
    call::from_page,
    context::page_context,
    page,
    retry::{Retry, RetryButton},
    server,
    table::{AccountsTable, KnownAccounts, ListState, TABLE, show_kept_items},
    view::{SPINNER, bool_attr, flag, on_hydrate, text},
};

/// Shorter cancellations are not announced, in milliseconds.
const CANCELLING_AFTER_MS: u32 = 1000;

/// The button, and below it the authorised and the waiting accounts, loaded once. The button works
/// before the list has arrived and if the list fails, and the list does not move it.
#[island]
pub fn CancelPanel() -> impl IntoView {
    let context = page_context();
    let known = RwSignal::new(KnownAccounts::new(ListState::Loading, &context));
    let busy = RwSignal::new(false);
    // What the line above the accounts says of a call that takes long. The cancellation comes first.
    let list_wait = RwSignal::new(None);
    let cancel_wait = RwSignal::new(None);
    let retry = Retry::default();
    let PageContext { session, .. } = context;
    let load = {
        let session = session.clone();
        move || {
            let input = ListAccounts {
                session: session.clone(),
                known: None,
            };
            known.update(|known| known.list = ListState::Loading);
            spawn_local(async move {
                let listed = waited(
                    list_wait,
                    [(SLOW_AFTER_MS, words::SLOW)],
                    server::list_accounts(input),
                );
                let list = match listed.await {
                    Ok(Accounts::Listed { list, .. }) => ListState::Listed(list),
                    // The server responds "unchanged" only if the page sends a digest, which this
                    // page does not.
                    Ok(Accounts::Unchanged) => ListState::Unknown,
                    Err(failed) => {
                        failed.handle_and_stay();
                        ListState::Unknown
                    }
                };
                list_wait.set(None);
                let has_failed = list == ListState::Unknown;
                known.update(|known| known.list = list);
                if has_failed {
                    retry.failed();
                } else {
                    // An empty list has no table.
                    retry.succeeded(if known.read_untracked().is_empty() {
                        page::TITLE
                    } else {
                        TABLE
                    });
                }
            });
        }
    };
    on_hydrate(|| {
        // The server may accept the kept items before the client cancels. Nothing waits for it.
        show_kept_items(&session, known);
        load();
        page::on_resumed(move || {
            busy.set(false);
            cancel_wait.set(None);
        });
    });
    page::report_hydrated();
    let cancel = {
        let session = session.clone();
        move |event: SubmitEvent| {
            // A native post would add a history entry.
            event.prevent_default();
            if page::continue_leaving() || busy.get_untracked() {
                return;
            }
            busy.set(true);
            let session = session.clone();
            spawn_local(async move {
                let cancelled = waited(
                    cancel_wait,
                    [
                        (CANCELLING_AFTER_MS, words::CANCELLING),
                        (SLOW_AFTER_MS, words::SLOW),
                    ],
                    server::cancel_integrations(from_page(&session)),
                );
                match cancelled.await {
                    Ok(Onward { to }) => {
                        // From now on the server would reject the kept items.
                        page::forget(&session);
                        // The line keeps its text: a screen reader would read a change while the
                        // page is left.
                        page::replace(&to.to_string());
                    }
                    Err(failed) => {
                        cancel_wait.set(None);
                        busy.set(!failed.handle());
                    }
                }
            });
        }
    };
    let line = move || match cancel_wait.get().or(list_wait.get()) {
        Some(wait) => wait.to_owned(),
        None => status(&known.read()),
    };
    view! {
        <CancelForm session accounts=routes::ACCOUNTS.to_owned() busy on:submit=cancel/>
        <p class="list-status" aria-live="polite" aria-atomic="true">
            {text(line)}
        </p>
        <div hidden=flag(move || known.read().is_empty())>
            <AccountsTable known to_cancel=true/>
        </div>
        <RetryButton retry repeat=load/>
    }
}

/// The button, as a form that the browser can send without a script. `accounts` is the page to
/// return to without cancelling.
#[component]
pub fn CancelForm(
    session: String,
    accounts: String,
    #[prop(optional)] busy: RwSignal<bool>,
) -> impl IntoView {
    view! {
        <form method="post" action=routes::CANCEL_CONFIRM>
            <input type="hidden" name="session" value=session/>
            <div class="actions">
                <button
                    class="button button--danger"
                    type="submit"
                    aria-busy=bool_attr(move || busy.get())
                >
                    <span class=SPINNER aria-hidden="true"></span>
                    {words::CANCEL_ALL}
                </button>
                <a class="link-quiet" href=accounts>{words::CANCEL_BACK}</a>
            </div>
        </form>
    }
}

/// The text of the line above the accounts: their number, once it is known.
fn status(known: &KnownAccounts) -> String {
    match &known.list {
        ListState::Loading => words::ACCOUNTS_LOADING.to_owned(),
        ListState::Unknown => words::REQUEST_FAILED.to_owned(),
        ListState::Listed(_) if known.is_empty() => words::CANCEL_EMPTY.to_owned(),
        ListState::Listed(_) => words::listed_count(known.shown_count()),
    }
}

/// Awaits a call. Sets `line` to each text once the call has taken so long, in milliseconds.
async fn waited<T, const N: usize>(
    line: RwSignal<Option<&'static str>>,
    texts: [(u32, &'static str); N],
    call: impl Future<Output = T>,
) -> T {
    let _timers =
        texts.map(|(after_ms, text)| page::Timer::start(after_ms, move || line.set(Some(text))));
    call.await
}

#[cfg(test)]
mod tests {
    use vincula_domain::wire::{AccountList, LinkingState, WaitingAccount};

    use super::*;

    fn says(list: ListState) -> String {
        let mut known = KnownAccounts::default();
        known.list = list;
        status(&known)
    }

    #[test]
    fn line_shows_state_of_list() {
        assert_eq!(says(ListState::Loading), words::ACCOUNTS_LOADING);
        assert_eq!(says(ListState::Unknown), words::REQUEST_FAILED);
        let empty = AccountList {
            accounts: Vec::new(),
            waiting: Vec::new(),
        };
        assert_eq!(says(ListState::Listed(empty.clone())), words::CANCEL_EMPTY);
        let waits = WaitingAccount {
            brand: String::new(),
            bank: "B".into(),
            state: LinkingState::Awaits,
            approve_by: String::new(),
        };
        assert_eq!(
            says(ListState::Listed(AccountList {
                waiting: vec![waits],
                ..empty
            })),
            "1 conta na lista"
        );
    }
}
