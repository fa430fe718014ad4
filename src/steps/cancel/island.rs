//! The accounts, and the button that cancels everything.

use leptos::{ev::SubmitEvent, html::Ul, prelude::*, task::spawn_local};

use super::cancel_integrations;
use crate::{
    islands::{
        call::{call, from_page},
        context::page_context,
        page_module,
        retry::{Retry, RetryButton},
        table::{ListState, SLOW_AFTER_MS, names_of},
        text::text,
    },
    routes,
    steps::accounts::list_accounts,
    wire::{AccountRow, Onward, PageContext},
    words,
};

/// Shorter cancellations are not announced, in milliseconds.
const CANCELLING_AFTER_MS: u32 = 1000;

/// The accounts, loaded once, what their cancellation means, and the button. It works before the list
/// has arrived and if the list fails. A list that is refused because the link's token is unknown or
/// expired leads to that error screen: the cancellation would be refused as well.
#[island]
pub fn CancelPanel() -> impl IntoView {
    let PageContext { session, .. } = page_context();
    let list = RwSignal::new(ListState::Loading);
    let busy = RwSignal::new(false);
    // What the lines say of calls that take long.
    let list_wait = RwSignal::new(None);
    let cancel_wait = RwSignal::new(None);
    let retry = Retry::default();
    let accounts = NodeRef::<Ul>::new();
    let load = {
        let session = session.clone();
        move || {
            let input = from_page(&session);
            list.set(ListState::Loading);
            spawn_local(async move {
                let listed = waited(
                    list_wait,
                    [(SLOW_AFTER_MS, words::SLOW)],
                    call(list_accounts(input)),
                );
                let loaded = match listed.await {
                    Ok(list) => ListState::Listed(list.accounts),
                    Err(failed) if failed.is_unusable_token() => {
                        failed.handle().await;
                        retry.stalled();
                        return;
                    }
                    Err(failed) => {
                        failed.handle_and_stay().await;
                        ListState::Unknown
                    }
                };
                list_wait.set(None);
                let count = loaded.count();
                list.set(loaded);
                match count {
                    None => {
                        retry.failed();
                    }
                    Some(0) => retry.succeeded(page_module::focus_title),
                    Some(_) => retry.succeeded(move || page_module::focus(accounts)),
                }
            });
        }
    };
    Effect::new({
        let load = load.clone();
        move || load()
    });
    let cancel = {
        let session = session.clone();
        move |event: SubmitEvent| {
            // A native post would add a history entry.
            event.prevent_default();
            if busy.get_untracked() {
                return;
            }
            busy.set(true);
            // So that the same text is announced again.
            cancel_wait.set(None);
            let session = session.clone();
            spawn_local(async move {
                let cancelled = waited(
                    cancel_wait,
                    [
                        (CANCELLING_AFTER_MS, words::CANCELLING),
                        (SLOW_AFTER_MS, words::SLOW),
                    ],
                    call(cancel_integrations(from_page(&session))),
                );
                match cancelled.await {
                    Ok(Onward { to }) => {
                        // The line keeps its text: a screen reader would read a change while the
                        // page is left.
                        page_module::replace(&to.to_string()).await;
                        cancel_wait.set(None);
                    }
                    Err(failed) => {
                        cancel_wait.set(failed.can_retry().then_some(words::UNANSWERED));
                        failed.handle().await;
                    }
                }
                busy.set(false);
            });
        }
    };
    let list_line = Memo::new(move |_| match list_wait.get() {
        Some(wait) => wait.to_owned(),
        None => status(&list.read()),
    });
    let has_accounts = move || list.read().count().is_some_and(|count| count > 0);
    let cancel_line = Memo::new(move |_| cancel_wait.get().map(str::to_owned).unwrap_or_default());
    view! {
        <p class="notice notice--warning">{words::CANCEL_NOTE}</p>
        <div class="cancel-list">
            <p
                class="cancel-list__state"
                class:visually-hidden=has_accounts
                aria-live="polite"
                aria-atomic="true"
                use:text=list_line
            >
                {list_line.get_untracked()}
            </p>
            <AccountList list focusable=accounts/>
            <RetryButton retry repeat=load/>
        </div>
        <CancelForm session busy line=cancel_line on:submit=cancel/>
    }
}

/// All accounts: what the red button ends is seen. The list takes the focus after a retry.
#[component]
fn AccountList(list: RwSignal<ListState>, focusable: NodeRef<Ul>) -> impl IntoView {
    let row = |account: &AccountRow| {
        let (bank, _) = names_of(account);
        let place = words::in_short(&account.agency, &account.number);
        view! {
            <li class="cancel-list__account" translate="no">
                <strong>{bank}</strong>
                <span>{place}</span>
                <span>{account.name.clone().into_inner()}</span>
            </li>
        }
    };
    move || {
        let list = list.read();
        let ListState::Listed(accounts) = &*list else {
            return None;
        };
        (!accounts.is_empty()).then(|| {
            view! {
                <ul
                    class="cancel-list__accounts"
                    tabindex="-1"
                    aria-label=words::ACCOUNTS_CAPTION
                    node_ref=focusable
                >
                    {accounts.iter().map(row).collect_view()}
                </ul>
            }
        })
    }
}

/// The button, as a form that the browser can send without a script, what became of it, and the way
/// out.
#[component]
fn CancelForm(session: String, busy: RwSignal<bool>, line: Memo<String>) -> impl IntoView {
    view! {
        <form class="cancel-form" method="post" action=routes::CANCEL_CONFIRM>
            <input type="hidden" name="session" value=session/>
            <div class="actions">
                <button
                    class="button button--danger"
                    type="submit"
                    aria-busy=move || busy.get().to_string()
                >
                    <span class="button__spinner" aria-hidden="true"></span>
                    {words::CANCEL_ALL}
                </button>
            </div>
            <p class="list-status" aria-live="polite" aria-atomic="true" use:text=line></p>
            // While it cancels, nobody leaves in the belief that it does not.
            <a class="button button--quiet" class:invisible=busy href=routes::ACCOUNTS>
                {words::CANCEL_BACK}
            </a>
        </form>
    }
}

/// The text in place of the accounts or, for screen readers, how many there are.
fn status(list: &ListState) -> String {
    match list {
        ListState::Loading => words::ACCOUNTS_LOADING.to_owned(),
        ListState::Unknown => words::ACCOUNTS_UNKNOWN.to_owned(),
        ListState::Listed(accounts) if accounts.is_empty() => words::CANCEL_EMPTY.to_owned(),
        ListState::Listed(accounts) => words::listed_count(accounts.len()),
    }
}

/// Awaits a call. Sets `line` to each text once the call has taken so long, in milliseconds.
async fn waited<T, const N: usize>(
    line: RwSignal<Option<&'static str>>,
    texts: [(u32, &'static str); N],
    call: impl Future<Output = T>,
) -> T {
    let _timers = texts
        .map(|(after_ms, text)| page_module::Timer::start(after_ms, move || line.set(Some(text))));
    call.await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::AccountRow;

    #[test]
    fn line_shows_state_of_list() {
        assert_eq!(status(&ListState::Loading), words::ACCOUNTS_LOADING);
        assert_eq!(status(&ListState::Unknown), words::ACCOUNTS_UNKNOWN);
        let none = ListState::Listed(Vec::new());
        assert_eq!(status(&none), words::CANCEL_EMPTY);
        let account = AccountRow {
            brand: String::new(),
            bank: "B".into(),
            agency: "1".into(),
            number: "2".into(),
            name: "N".into(),
        };
        for (count, said) in [(1, "1 conta na lista"), (3, "3 contas na lista")] {
            assert_eq!(
                status(&ListState::Listed(vec![account.clone(); count])),
                said
            );
        }
    }
}
