//! `/cancel/confirm` and `/cancel/success`: cancels every integration of the client.

use leptos::prelude::*;
use vincula_domain::{routes::Page, words};

use crate::{
    islands::cancel::CancelPanel,
    pages::{
        page_request::firm,
        parts::{BackLink, ContactLine},
    },
};

/// The question and the button do not wait for the accounts, which are below them.
#[component]
pub fn CancelConfirmPage() -> impl IntoView {
    let note = words::cancel_note(&firm());
    view! {
        <section class="step">
            <BackLink to=Page::Accounts/>
            <h1 class="step__title" tabindex="-1">{words::CANCEL_TITLE}</h1>
            <p class="notice notice--warning">{note}</p>
            <CancelPanel/>
        </section>
    }
}

#[component]
pub fn CancelSuccessPage() -> impl IntoView {
    let firm = firm();
    view! {
        <section class="step step--success">
            <div class="step__head">
                <img class="success-mark" src="/illustrations/success-mark.svg" alt="" width="64" height="64"/>
                <h1 class="step__title" tabindex="-1" autofocus=true>{words::CANCELLED_TITLE}</h1>
                <p class="step__lead">{words::cancelled_lead(&firm)}</p>
            </div>
            <ContactLine/>
            <p>{words::cancel_meaning(&firm)} " " {words::CANCELLED_AT_BANK}</p>
            // The page's module hides it while the browser keeps an item.
            <p id="may-close">{words::CANCELLED_CLOSE}</p>
        </section>
    }
}
