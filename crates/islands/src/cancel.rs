//! The accounts that a cancellation would end, and the button that does it (spec §2, "Cancel confirmation").

use leptos::{prelude::*, task::spawn_local};
use vincula_domain::{routes, wire::Accounts, words};

use super::{
    call,
    dynamic::{bool_attr, click, flag},
    markup::SPINNER,
    page,
    session::PageSession,
    table::{AccountsState, AccountsTable},
};

/// Loads the accounts once; the button cancels all of them.
#[island]
pub fn CancelPanel() -> impl IntoView {
    let known = RwSignal::new(AccountsState::Loading);
    let unanswered = RwSignal::new(false);
    let busy = RwSignal::new(false);
    let without = move |may_ask_again: bool| {
        known.set(AccountsState::Nothing);
        unanswered.set(may_ask_again);
    };
    let load = move || {
        unanswered.set(false);
        known.set(AccountsState::Loading);
        spawn_local(async move {
            match call::list_accounts(&PageSession::of_page().id, None, 0).await {
                Ok(Accounts::Listed { accounts, .. }) => known.set(AccountsState::Listed(accounts)),
                // The server says so only if the page sends a digest, which this one does not.
                Ok(Accounts::Unchanged) => without(true),
                Err(failed) => without(failed.handle()),
            }
        });
    };
    let cancel = move || {
        if busy.get_untracked() {
            return;
        }
        busy.set(true);
        spawn_local(async move {
            match call::cancel_integrations(&PageSession::of_page().id).await {
                Ok(to) => page::replace(&to),
                Err(failed) => busy.set(!failed.handle()),
            }
        });
    };
    page::on_hydrate(load);
    view! {
        <AccountsTable known/>
        <div class="actions" hidden=flag(move || !unanswered.get())>
            <button class="button button--secondary" type="button" on:click=click(load)>{words::TRY_AGAIN}</button>
        </div>
        // Only with the list: nobody should cancel what they have not seen, and arriving rows must not move the button
        // from under a finger.
        <p class="notice notice--warning" hidden=flag(move || !known.get().is_listed())>{words::CANCEL_NOTE}</p>
        <div class="actions" hidden=flag(move || !known.get().is_listed())>
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
    }
}
