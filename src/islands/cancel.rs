//! The accounts that a cancellation would end, and the button that does it (spec §2, "Cancel confirmation").

use std::time::Duration;

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

/// How long a list that does not come keeps the button away.
const PATIENCE: Duration = Duration::from_secs(8);

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
    let waited = RwSignal::new(false);
    let ready = move || rows.get() != Rows::Loading || waited.get();
    Effect::new(move |_| {
        load();
        set_timeout(move || waited.set(true), PATIENCE);
    });
    view! {
        <AccountsTable rows=rows.into()/>
        <Show when=move || unanswered.get()>
            <div class="actions">
                <button class="button button--secondary" type="button" on:click=move |_| load()>{words::TRY_AGAIN}</button>
            </div>
        </Show>
        // After the table, and not before it is known: rows that arrive push nothing away from under a finger.
        <Show when=ready>
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
