//! What the success screen does: the success call, once, and the two ways on (spec §2, §4, design D12).

use leptos::{html, prelude::*, task::spawn_local};

use super::page;
use crate::{routes, steps::success::confirm_success, wire::FromPage, words};

/// Makes the success call unless it was made; for `new`, offers another account or the end.
#[island]
pub fn Success(session: String, is_success: bool, is_new: bool) -> impl IntoView {
    let concluded = RwSignal::new(false);
    let unanswered = RwSignal::new(false);
    let session = StoredValue::new(session);
    let confirm = move || {
        unanswered.set(false);
        spawn_local(async move {
            if let Err(failure) = confirm_success(FromPage { session: session.get_value() }).await {
                unanswered.set(page::react(failure));
            }
        });
    };
    // The button that was pressed is gone: the words in its place take the focus.
    let closing = NodeRef::<html::P>::new();
    Effect::new(move |_| {
        if concluded.get()
            && let Some(closing) = closing.get()
        {
            let _ = closing.focus();
        }
    });
    Effect::new(move |_| {
        if !is_success {
            confirm();
        }
    });
    view! {
        <Show when=move || unanswered.get()>
            <div class="card" role="status">
                <p>{words::SUCCESS_UNCONFIRMED}</p>
                <div class="actions">
                    <button class="button button--secondary" type="button" on:click=move |_| confirm()>
                        {words::TRY_AGAIN}
                    </button>
                </div>
            </div>
        </Show>
        <Show when=move || is_new && !concluded.get()>
            <div class="actions">
                <a class="button button--primary" href=routes::ACCOUNTS>{words::ANOTHER_ACCOUNT}</a>
                <button class="button button--secondary" type="button" on:click=move |_| concluded.set(true)>
                    {words::FINISH}
                </button>
            </div>
        </Show>
        <p role="status" tabindex="-1" node_ref=closing>
            {move || (concluded.get() || !is_new).then_some(words::SUCCESS_CLOSE)}
        </p>
    }
}
