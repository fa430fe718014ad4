//! The success screen: the success call, once, and what the client can do next.

use leptos::{prelude::*, task::spawn_local};
use vincula_domain::{
    routes,
    wire::{PageContext, WidgetType},
    words,
};

use crate::{
    call::{self, from_page},
    context::page_context,
    page,
    retry::{Retry, RetryButton},
    server,
    view::{Dynamic, click, flag, on_hydrate},
};

/// The selector of the text that replaces the buttons.
const CLOSING: &str = ".success__closing";

/// Makes the success call unless it was made before, then submits the items that the tab keeps. A
/// link for new accounts offers another account or the end.
#[island]
pub fn Success() -> impl IntoView {
    let PageContext {
        session,
        widget_type,
        is_success,
        customer_name: firm,
        ..
    } = page_context();
    let concluded = RwSignal::new(widget_type != WidgetType::New);
    let is_unconfirmed = RwSignal::new(false);
    let retry = Retry::default();
    let submit = {
        let session = session.clone();
        move || {
            let session = session.clone();
            spawn_local(async move { call::submit_items(&session).await });
        }
    };
    let confirm = move || {
        let session = session.clone();
        spawn_local(async move {
            match server::confirm_success(from_page(&session)).await {
                Ok(_) => {
                    is_unconfirmed.set(false);
                    retry.succeeded(page::TITLE);
                    // Not at the same time: both change the session.
                    call::submit_items(&session).await;
                }
                // The card announces the first failure. It stays, so a toast announces later ones.
                Err(failed) if failed.can_retry() => {
                    is_unconfirmed.set(true);
                    if retry.failed() {
                        page::toast_quietly("error", words::REQUEST_FAILED);
                    } else {
                        failed.handle();
                    }
                }
                Err(failed) => {
                    failed.handle();
                }
            }
        });
    };
    // The pressed button is gone, so the text in its place takes the focus. Orca does not read it in
    // Chromium, because the element with the focus disappears; the live region does. In Firefox
    // only the focus does.
    let conclude = move || {
        concluded.set(true);
        page::focus(CLOSING);
    };
    if is_success {
        on_hydrate(submit);
    } else {
        on_hydrate(&confirm);
    }
    page::report_hydrated();
    let announced: Dynamic<_> = Box::new(move || concluded.get().then_some("polite"));
    view! {
        <div class="actions" hidden=flag(move || concluded.get())>
            <button class="button button--primary" type="button" on:click=click(conclude)>{words::FINISH}</button>
            <a class="button button--secondary" href=routes::ACCOUNTS>{words::ANOTHER_ACCOUNT}</a>
            <p class="button__hint">{words::SUCCESS_DONE}</p>
        </div>
        <p class="success__closing" aria-live=announced tabindex="-1" hidden=flag(move || !concluded.get())>{words::SUCCESS_CLOSE}</p>
        // The style sheet places it last, because it appears with the response and must not move
        // anything. The live region exists from the start, so that its content is announced.
        <div class="success__unconfirmed" aria-live="polite" aria-atomic="true">
            <div class="card" hidden=flag(move || !is_unconfirmed.get())>
                <p>{words::success_unconfirmed(&firm)}</p>
                <RetryButton retry repeat=confirm/>
            </div>
        </div>
    }
}
