//! `/integration/widget` before the consent: the client authorizes the firm.

use leptos::prelude::*;
use vincula_domain::wire::{AcceptConsent, ConsentContext, PageContext};

use crate::{
    brands::Face,
    built::ConsentHashes,
    page_request::{self, React},
    parts::{Brand, react_island},
};

/// What the consent of a firm with this face shows. `texts`: the hashes of the screens' texts.
pub fn context(face: &Face, client_document: &str, texts: &ConsentHashes) -> ConsentContext {
    let purpose = face.purpose.as_ref();
    let hash = match purpose {
        Some(_) => &texts.own,
        None => &texts.usual,
    };
    let digits = hash.get(..AcceptConsent::TEXT_DIGITS).unwrap_or_default();
    let text = match purpose {
        Some(purpose) => format!("{digits}-{}", purpose.sha256),
        None => digits.to_owned(),
    };
    ConsentContext {
        text,
        client_document: client_document.to_owned(),
        purpose: purpose.map(|purpose| purpose.sentence.clone()),
        privacy_url: face.privacy_url.clone(),
    }
}

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
        text,
        client_document,
        purpose,
        privacy_url,
    } = consent.expect("the context of the consent has its data");
    let name = match purpose {
        Some(_) => "own",
        None => "usual",
    };
    let screen = match privacy_url {
        Some(_) => format!("{name}-with-policy"),
        None => name.to_owned(),
    };
    let texts: [(&str, &str); 7] = [
        ("session", &session),
        ("text", &text),
        ("customerName", &firm),
        ("clientName", &client_name),
        ("clientDocument", &client_document),
        ("purpose", purpose.as_deref().unwrap_or_default()),
        ("privacyUrl", privacy_url.as_deref().unwrap_or_default()),
    ];
    view! {
        <section class="step consent">
            <Brand registered=true/>
            {react_island(React::Consent, &screen, &texts)}
        </section>
    }
}
