//! `/integration/widget` before the consent: the client authorizes the firm.

use leptos::prelude::*;
use vincula_domain::wire::{ConsentContext, PageContext};

use crate::pages::{
    page_request::{self, React},
    parts::{Brand, react_island},
};

/// React's prerendered screen. Until React has hydrated it, it is a form that the browser posts.
/// The header is hidden here, so the card starts with the firm.
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
            <Brand/>
            {react_island(React::Consent, &texts)}
        </section>
    }
}
