//! What an island knows of the session, the same on the server and in the browser.
//!
//! Islands take no props: Leptos would serialize them as JSON into an attribute, and a JSON library would be a third of
//! the wasm module. The page's context blob (design D4) has all of it already, and the browser itself parses it.

use vincula_domain::wire::{Linking, WidgetType};

#[cfg(target_arch = "wasm32")]
use blob as source;
#[cfg(not(target_arch = "wasm32"))]
use context as source;

/// What an island needs to know; see [`vincula_domain::wire::Context`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageSession {
    pub id: String,
    pub firm: String,
    /// The firm was authorized in this session.
    pub authorized: bool,
    pub has_receipt: bool,
    /// Everything was cancelled, and the firm has not been authorized since.
    pub cancelled: bool,
    pub widget_type: WidgetType,
    pub renewal_due: bool,
    pub is_success: bool,
    pub linkings: Vec<Linking>,
}

impl PageSession {
    /// The session of the page that is being rendered or hydrated.
    pub fn of_page() -> Self {
        source::page_session()
    }
}

/// On the server: from the context of the page that is being rendered.
#[cfg(not(target_arch = "wasm32"))]
mod context {
    use leptos::prelude::use_context;
    use vincula_domain::wire::Context;

    use super::PageSession;

    pub fn page_session() -> PageSession {
        let context: Context = use_context().expect("pages with islands have a session");
        PageSession {
            id: context.session,
            firm: context.customer_name,
            authorized: context.authorized,
            has_receipt: context.has_receipt,
            cancelled: context.cancelled_at.is_some(),
            widget_type: context.widget_type,
            renewal_due: context.renewal_due,
            is_success: context.is_success,
            linkings: context.linkings,
        }
    }
}

/// In the browser: from the context blob.
#[cfg(target_arch = "wasm32")]
mod blob {
    use js_sys::{Array, JSON, Reflect};
    use leptos::prelude::document;
    use vincula_domain::wire::{Linking, WidgetType};
    use wasm_bindgen::{JsCast, JsValue};

    use super::PageSession;
    use crate::call::linking_state;

    /// Without a readable blob the server refuses every action, and the first one leads to the entry.
    pub fn page_session() -> PageSession {
        let blob = document().get_element_by_id("vincula-context").and_then(|element| element.text_content());
        let blob = blob.and_then(|text| JSON::parse(&text).ok()).unwrap_or(JsValue::NULL);
        let field = |name: &str| field(&blob, name);
        let widget_type = match field("widgetType").as_string().as_deref() {
            Some("update") => WidgetType::Update,
            Some("cancel") => WidgetType::Cancel,
            _ => WidgetType::New,
        };
        PageSession {
            id: text(&blob, "session"),
            firm: text(&blob, "customerName"),
            authorized: field("authorized").is_truthy(),
            has_receipt: field("hasReceipt").is_truthy(),
            cancelled: field("cancelledAt").is_truthy(),
            widget_type,
            renewal_due: field("renewalDue").is_truthy(),
            is_success: field("isSuccess").is_truthy(),
            linkings: field("linkings")
                .dyn_into()
                .map_or_else(|_| Vec::new(), |all: Array| all.iter().map(linking).collect()),
        }
    }

    fn linking(one: JsValue) -> Linking {
        let state = linking_state(&text(&one, "state"));
        Linking {
            id: text(&one, "id"),
            bank: text(&one, "bank"),
            linked_at: text(&one, "linkedAt"),
            state,
            late_in_secs: field(&one, "lateInSecs").as_f64().unwrap_or_default() as u32,
            approve_by: text(&one, "approveBy"),
        }
    }

    fn text(object: &JsValue, name: &str) -> String {
        field(object, name).as_string().unwrap_or_default()
    }

    fn field(object: &JsValue, name: &str) -> JsValue {
        Reflect::get(object, &name.into()).unwrap_or(JsValue::UNDEFINED)
    }
}
