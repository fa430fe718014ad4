//! What an island knows of the session, the same on the server and in the browser.
//!
//! Islands take no props: Leptos would serialize them as JSON into an attribute, and a JSON library would be a third of
//! the wasm module. The page's context blob has all of it already, and the browser itself parses it.

use vincula_domain::wire::Context;

/// The context of the page that is being rendered or hydrated.
#[cfg(not(target_arch = "wasm32"))]
pub fn page_context() -> Context {
    leptos::prelude::use_context().expect("pages with islands have a session")
}

/// The context of the page that is being rendered or hydrated. Without a readable blob the server refuses every action,
/// and the first one leads to the entry.
#[cfg(target_arch = "wasm32")]
pub fn page_context() -> Context {
    use vincula_domain::wire::Linking;
    use wasm_bindgen::JsValue;

    use crate::call::{field, rows, text, waiting_account};

    let blob = leptos::prelude::document().get_element_by_id("vincula-context");
    let blob = blob.and_then(|element| element.text_content());
    let blob = blob.and_then(|text| js_sys::JSON::parse(&text).ok()).unwrap_or(JsValue::NULL);
    let string = |name: &str| text(&blob, name).unwrap_or_default();
    let is_true = |name: &str| field(&blob, name).is_truthy();
    let linking = |one: &JsValue| {
        let age_secs = field(one, "ageSecs").as_f64()? as u32;
        Some(Linking { row: waiting_account(one)?, linked_at: text(one, "linkedAt")?, age_secs })
    };
    Context {
        session: string("session"),
        client_name: string("clientName"),
        customer_name: string("customerName"),
        authorized: is_true("authorized"),
        has_receipt: is_true("hasReceipt"),
        cancelled_at: text(&blob, "cancelledAt"),
        widget_type: string("widgetType").parse().unwrap_or_default(),
        renewal_due: is_true("renewalDue"),
        is_success: is_true("isSuccess"),
        linkings: rows(&blob, "linkings", linking).unwrap_or_default(),
        bank: String::new(),
        bank_form: None,
    }
}
