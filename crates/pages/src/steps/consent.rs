//! `/integration/widget` before the consent: the client authorizes the firm.

use leptos::prelude::*;
use vincula_domain::wire::{AcceptConsent, PageContext};

use crate::{
    brands::Face,
    built::{ConsentHashes, island},
    page_request::{PageRequest, Screen, context, request},
    parts::{Brand, react_island},
};

/// React's prerendered screen. Until React has hydrated it, it is a form that the browser posts.
/// The header is hidden here, so the card starts with the firm.
#[component]
pub fn ConsentPage() -> impl IntoView {
    let request = request();
    let PageRequest {
        face,
        client_document,
        ..
    } = &*request;
    let PageContext {
        session,
        client_name,
        customer_name: firm,
        ..
    } = context();
    let Face {
        privacy_url,
        purpose,
        ..
    } = face;
    let ConsentHashes { usual, own, .. } = &island(Screen::Consent).texts;
    let (name, hash) = match purpose {
        Some(_) => ("own", own),
        None => ("usual", usual),
    };
    let screen = match privacy_url {
        Some(_) => format!("{name}-with-policy"),
        None => name.to_owned(),
    };
    let hash = hash.get(..AcceptConsent::TEXT_DIGITS).unwrap_or_default();
    let text = match purpose {
        Some(purpose) => format!("{hash}-{}", purpose.sha256),
        None => hash.to_owned(),
    };
    let texts: [(&str, &str); 7] = [
        ("session", &session),
        ("text", &text),
        ("customerName", &firm),
        ("clientName", &client_name),
        ("clientDocument", client_document),
        (
            "purpose",
            purpose.as_ref().map_or("", |purpose| &purpose.sentence),
        ),
        ("privacyUrl", privacy_url.as_deref().unwrap_or_default()),
    ];
    view! {
        <section class="step consent">
            <Brand registered=true/>
            {react_island(Screen::Consent, &screen, &texts)}
        </section>
    }
}
