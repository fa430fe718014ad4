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
    let ConsentContext {
        client_document,
        privacy_url,
    } = consent.expect("the context of the consent has its data");
    let screen = match privacy_url {
        Some(_) => "with-policy",
        None => "without-policy",
    };
    let texts: [(&str, &str); 5] = [
        ("session", &session),
        ("customerName", &firm),
        ("clientName", &client_name),
        ("clientDocument", &client_document),
        ("privacyUrl", privacy_url.as_deref().unwrap_or_default()),
    ];
    view! {
        <section class="step consent">
            <Brand/>
            {react_island(React::Consent, screen, &texts)}
        </section>
    }
}
