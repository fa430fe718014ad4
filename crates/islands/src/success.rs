//! The success screen: the success call, once, and what the client can do next.

use leptos::{prelude::*, task::spawn_local};
use vincula_domain::{
    routes,
    wire::{Context, WidgetType},
    words,
};

use crate::{
    call::from_page,
    context::page_context,
    page, server,
    view::{click, flag, on_hydrate, text},
};

/// Id of the text that replaces the buttons.
const CLOSING: &str = "success-closing";

/// Makes the success call unless it was made; for `new`, offers another account or the end.
#[island]
pub fn Success() -> impl IntoView {
    let Context { session, widget_type, is_success, customer_name: firm, .. } = page_context();
    let concluded = RwSignal::new(widget_type != WidgetType::New);
    let is_unconfirmed = RwSignal::new(false);
    let confirm = move || {
        is_unconfirmed.set(false);
        let input = from_page(&session);
        spawn_local(async move {
            if let Err(failed) = server::confirm_success(input).await {
                is_unconfirmed.set(failed.handle());
            }
        });
    };
    // The pressed button is gone, so the text in its place takes the focus.
    let conclude = move || {
        concluded.set(true);
        page::focus(CLOSING);
    };
    if !is_success {
        on_hydrate(&confirm);
    }
    page::tell_hydrated();
    view! {
        <div class="actions" hidden=flag(move || concluded.get())>
            <button class="button button--primary" type="button" on:click=click(conclude)>{words::FINISH}</button>
            <a class="button button--secondary" href=routes::ACCOUNTS>{words::ANOTHER_ACCOUNT}</a>
            <p class="button__hint">{words::SUCCESS_DONE}</p>
        </div>
        <p id=CLOSING role="status" tabindex="-1">
            {text(move || if concluded.get() { words::SUCCESS_CLOSE.to_owned() } else { String::new() })}
        </p>
        // The style sheet shows it last: it comes with the response, and must move nothing. The live region is there from
        // the start, so that its content is announced.
        <div class="success__unconfirmed" role="status">
            <div class="card" hidden=flag(move || !is_unconfirmed.get())>
                <p>{words::success_unconfirmed(&firm)}</p>
                <div class="actions">
                    <button class="button button--secondary" type="button" on:click=click(confirm)>{words::TRY_AGAIN}</button>
                </div>
            </div>
        </div>
    }
}
