//! What the success screen does: the success call, once, and the two ways on (spec §2, §4, design D12).

use leptos::{prelude::*, task::spawn_local};
use vincula_domain::{routes, wire::WidgetType, words};

use super::{
    call,
    dynamic::{click, flag, text},
    page,
    session::PageSession,
};

/// The words that take the place of the buttons.
const CLOSING: &str = "success-closing";

/// Makes the success call unless it was made; for `new`, offers another account or the end.
#[island]
pub fn Success() -> impl IntoView {
    let PageSession { widget_type, is_success, .. } = PageSession::of_page();
    let concluded = RwSignal::new(widget_type != WidgetType::New);
    let unanswered = RwSignal::new(false);
    let confirm = move || {
        unanswered.set(false);
        spawn_local(async move {
            if let Err(failure) = call::confirm_success(&PageSession::of_page().id).await {
                unanswered.set(page::handle_failure(failure));
            }
        });
    };
    // The button that was pressed is gone: the words in its place take the focus.
    let conclude = move || {
        concluded.set(true);
        page::focus(CLOSING);
    };
    page::once_awake(move || {
        if !is_success {
            confirm();
        }
    });
    view! {
        <div class="actions" hidden=flag(move || concluded.get())>
            <a class="button button--primary" href=routes::ACCOUNTS>{words::ANOTHER_ACCOUNT}</a>
            <button class="button button--secondary" type="button" on:click=click(conclude)>{words::FINISH}</button>
        </div>
        <p id=CLOSING role="status" tabindex="-1">
            {text(move || if concluded.get() { words::SUCCESS_CLOSE.to_owned() } else { String::new() })}
        </p>
        // Last: it comes with the response, and must push nothing away from under a finger.
        <div class="card" role="status" hidden=flag(move || !unanswered.get())>
            <p>{words::SUCCESS_UNCONFIRMED}</p>
            <div class="actions">
                <button class="button button--secondary" type="button" on:click=click(confirm)>{words::TRY_AGAIN}</button>
            </div>
        </div>
    }
}
