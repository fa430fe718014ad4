//! The page of the consent.

use leptos::prelude::*;
use vincula_domain::Private;

use crate::{
    app::{
        Chrome, Document, Facts, Islands,
        parts::{Brand, react_island},
        request,
    },
    routes,
    site::React,
    wire::{ConsentContext, PageContext},
    words,
};

/// No telephone: a client in doubt about the request must not rely on contact details in it.
const FACTS: Facts = Facts {
    layout: Some("columns"),
    chrome: Chrome::Bare,
    names_contact: false,
    islands: Islands::Optional,
    react: Some(React::Consent),
    ..Facts::new("consent", words::title::CONSENT)
};

/// React's prerendered screen. Until React has hydrated it, it is a form that the browser posts.
/// The header is hidden here, so the card starts with the firm. Next to it is the way to the accounts
/// for a client who has authorized before, perhaps on another device.
#[component]
pub fn ConsentPage() -> impl IntoView {
    let request = request();
    let document = Private::from(words::client_document(&request.session().client.cpfcnpj));
    let context = PageContext {
        consent: Some(ConsentContext {
            client_document: document.clone(),
        }),
        ..request.context()
    };
    let shown = context.clone();
    view! {
        <Document facts=FACTS context=Some(context)>
            <section class="step step--card consent">
                <div class="consent__head">
                    <Brand/>
                    <p class="step__way-out">
                        {words::ALREADY_AUTHORIZED} " "
                        <a class="link-quiet" href=routes::ACCOUNTS>{words::SEE_ACCOUNTS}</a>
                    </p>
                </div>
                {react_island(React::Consent, &[
                    ("session", &shown.session),
                    ("customerName", &shown.customer_name),
                    ("clientName", &shown.client_name),
                    ("clientDocument", &document),
                ])}
            </section>
        </Document>
    }
}
