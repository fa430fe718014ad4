//! The accounts that a cancellation would end, and the button that does it (spec §2, "Cancel confirmation").

use leptos::{prelude::*, task::spawn_local};
use vincula_domain::{routes, wire::Accounts, words};

use super::{
    call,
    dynamic::{bool_attr, click, flag, text},
    markup::SPINNER,
    page,
    session::PageSession,
    slow::Slow,
    table::{AccountsState, AccountsTable},
};

/// The question, the accounts, loaded once, and the button that cancels all of them. Without accounts there is nothing to
/// ask.
#[island]
pub fn CancelPanel() -> impl IntoView {
    let known = RwSignal::new(AccountsState::Loading);
    let unanswered = RwSignal::new(false);
    let busy = RwSignal::new(false);
    let slow = Slow::new();
    let is_slow = slow.signal();
    let without = move |may_ask_again: bool| {
        known.set(AccountsState::Nothing);
        unanswered.set(may_ask_again);
    };
    let load = {
        let slow = slow.clone();
        move || {
            unanswered.set(false);
            known.set(AccountsState::Loading);
            slow.begin();
            let slow = slow.clone();
            spawn_local(async move {
                let answer = call::list_accounts(&PageSession::of_page().id, None, 0).await;
                slow.end();
                match answer {
                    Ok(Accounts::Listed { accounts, .. }) => known.set(AccountsState::Listed(accounts)),
                    // The server says so only if the page sends a digest, which this one does not.
                    Ok(Accounts::Unchanged) => without(true),
                    Err(failed) => without(failed.handle()),
                }
            });
        }
    };
    let cancel = move || {
        if busy.get_untracked() {
            return;
        }
        busy.set(true);
        slow.begin();
        let slow = slow.clone();
        spawn_local(async move {
            let answer = call::cancel_integrations(&PageSession::of_page().id).await;
            slow.end();
            match answer {
                Ok(to) => page::replace(&to),
                Err(failed) => busy.set(!failed.handle()),
            }
        });
    };
    let is_empty = move || known.get().count() == Some(0);
    let has_some = move || known.get().count().is_some_and(|count| count > 0);
    page::on_hydrate(load.clone());
    view! {
        <h1 class="step__title" tabindex="-1">
            {text(move || if is_empty() { words::CANCEL_NOTHING } else { words::CANCEL_TITLE }.to_owned())}
        </h1>
        <div hidden=flag(is_empty)>
            <AccountsTable known/>
        </div>
        <div class="actions" hidden=flag(move || !unanswered.get())>
            <button class="button button--secondary" type="button" on:click=click(load)>{words::TRY_AGAIN}</button>
        </div>
        <p hidden=flag(move || !is_empty())>{words::CANCEL_NOTHING_YET}</p>
        <div class="actions" hidden=flag(move || !is_empty())>
            <a class="button button--secondary" href=routes::ACCOUNTS>{words::CANCEL_TO_ACCOUNTS}</a>
        </div>
        // Only with the list: nobody should cancel what they have not seen, and arriving rows must not move the button
        // from under a finger.
        <p class="notice notice--warning" hidden=flag(move || !has_some())>
            {words::cancel_note(&PageSession::of_page().firm)}
        </p>
        <div class="actions" hidden=flag(move || !has_some())>
            <button
                class="button button--danger"
                type="button"
                aria-busy=bool_attr(move || busy.get())
                on:click=click(cancel)
            >
                <span class=SPINNER aria-hidden="true"></span>
                {words::CANCEL_ALL}
            </button>
            <a class="link-quiet" href=routes::ACCOUNTS>{words::CANCEL_BACK}</a>
        </div>
        <div role="status">
            <p hidden=flag(move || !is_slow.get())>{words::SLOW}</p>
        </div>
    }
}
