//! What the success screen does: the success call, once, and the two ways on (spec §2, §4, design D12).

use leptos::{prelude::*, task::spawn_local};

use super::page;
use crate::{routes, steps::success::confirm_success, wire::FromPage, words};

/// Makes the success call unless it was made; for `new`, offers another account or the end.
#[island]
pub fn Success(session: String, is_success: bool, is_new: bool) -> impl IntoView {
    let concluded = RwSignal::new(false);
    Effect::new(move |_| {
        let session = session.clone();
        if !is_success {
            spawn_local(async move {
                if let Err(failure) = confirm_success(FromPage { session }).await {
                    page::react(failure);
                }
            });
        }
    });
    view! {
        <Show when=move || is_new && !concluded.get()>
            <div class="actions">
                <a class="button button--primary" href=routes::ACCOUNTS>{words::ANOTHER_ACCOUNT}</a>
                <button class="button button--secondary" type="button" on:click=move |_| concluded.set(true)>
                    {words::FINISH}
                </button>
            </div>
        </Show>
        <p role="status">{move || concluded.get().then_some(words::SUCCESS_CLOSE)}</p>
    }
}
