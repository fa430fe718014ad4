//! The page of the consent.

use leptos::prelude::*;
use vincula_domain::Private;

use crate::{
    app::{
        Chrome, Document, Facts, Islands,
        parts::{Brand, react_island},
        request,
    },
    site::React,
    wire::{ConsentContext, PageContext},
    words,
};

/// No telephone: a client in doubt about the request must not rely on contact details in it.
const FACTS: Facts = Facts {
    chrome: Chrome::Bare,
    names_contact: false,
    islands: Islands::Optional,
    react: Some(React::Consent),
    ..Facts::new("consent", words::title::CONSENT)
};

/// Longer names of firms, in characters, fill the first screen of a phone.
const LONG_NAME: usize = 40;

/// React's prerendered screen. Until React has hydrated it, it is a form that the browser posts.
/// The header is hidden here, so the screen starts with the firm.
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
    let is_long = shown.customer_name.chars().count() > LONG_NAME;
    view! {
        <Document facts=FACTS context=Some(context)>
            <section class="band consent" class:consent--long=is_long>
                <Brand/>
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
