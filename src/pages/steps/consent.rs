//! `/integration/widget` before the consent: the client authorizes the firm.

use leptos::prelude::*;

use crate::{
    pages::{
        page_request::{self, React},
        parts::{Brand, react_island},
    },
    routes,
    wire::{ConsentContext, PageContext},
    words,
};

/// React's prerendered screen. Until React has hydrated it, it is a form that the browser posts.
/// The header is hidden here, so the card starts with the firm. Next to it is the way to the accounts
/// for a client who has authorized before, perhaps on another device.
#[component]
pub fn ConsentPage() -> impl IntoView {
    let PageContext {
        session,
        client_name,
        customer_name: firm,
        consent,
        ..
    } = page_request::context();
    let ConsentContext { client_document } =
        consent.expect("the context of the consent has its data");
    let texts: [(&str, &str); 4] = [
        ("session", &session),
        ("customerName", &firm),
        ("clientName", &client_name),
        ("clientDocument", &client_document),
    ];
    view! {
        <section class="step consent">
            <div class="consent__head">
                <Brand/>
                <p class="step__way-out">
                    {words::ALREADY_AUTHORIZED} " "
                    <a class="link-quiet" href=routes::ACCOUNTS>{words::SEE_ACCOUNTS}</a>
                </p>
            </div>
            {react_island(React::Consent, &texts)}
        </section>
    }
}
