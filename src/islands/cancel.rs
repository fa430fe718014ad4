//! The accounts that a cancellation would end, and the button that does it (spec §2, "Cancel confirmation").

use leptos::{prelude::*, task::spawn_local};

use super::{
    accounts::{AccountsTable, Rows},
    markup::SPINNER,
    page,
};
use crate::{
    routes,
    steps::{accounts::list_accounts, cancel::cancel_integrations},
    wire::FromPage,
    words,
};

/// Loads the accounts once; the button cancels all of them.
#[island]
pub fn CancelPanel(session: String) -> impl IntoView {
    let rows = RwSignal::new(Rows::Loading);
    let unanswered = RwSignal::new(false);
    let busy = RwSignal::new(false);
    let session = StoredValue::new(session);
    let from_page = move || FromPage { session: session.get_value() };
    let load = move || {
        unanswered.set(false);
        rows.set(Rows::Loading);
        spawn_local(async move {
            match list_accounts(from_page()).await {
                Ok(answer) => rows.set(Rows::Listed(answer.accounts)),
                Err(failure) => {
                    rows.set(Rows::Unknown);
                    unanswered.set(page::react(failure));
                }
            }
        });
    };
    let cancel = move |_| {
        if busy.get_untracked() {
            return;
        }
        busy.set(true);
        spawn_local(async move {
            match cancel_integrations(from_page()).await {
                Ok(next) => page::replace(&next.to),
                Err(failure) => busy.set(!page::react(failure)),
            }
        });
    };
    let listed = move || matches!(rows.get(), Rows::Listed(_));
    Effect::new(move |_| load());
    view! {
        <AccountsTable rows=rows.into()/>
        <Show when=move || unanswered.get()>
            <div class="actions">
                <button class="button button--secondary" type="button" on:click=move |_| load()>{words::TRY_AGAIN}</button>
            </div>
        </Show>
        // Nobody cancels what they have not seen, and rows that arrive push nothing away from under a finger.
        <Show when=listed>
            <p class="notice notice--warning">{words::CANCEL_NOTE}</p>
            <div class="actions">
                <button
                    class="button button--danger"
                    type="button"
                    aria-busy=move || busy.get().to_string()
                    on:click=cancel
                >
                    <span class=SPINNER aria-hidden="true"></span>
                    {words::CANCEL_ALL}
                </button>
                <a class="link-quiet" href=routes::ACCOUNTS>{words::CANCEL_BACK}</a>
            </div>
        </Show>
    }
}
