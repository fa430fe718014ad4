//! The islands' data of the session, the same on the server and in the browser.
//!
//! They are no props of the islands: Leptos would serialize them into an attribute, and the page's
//! context blob already contains them.

use crate::wire::PageContext;

/// The context of the page that is being rendered or hydrated.
#[cfg(feature = "ssr")]
pub fn page_context() -> PageContext {
    leptos::prelude::use_context().expect("pages with islands have a session")
}

/// The context of the page that is being rendered or hydrated. Also restores the nodes that the
/// island is about to hydrate, so an island begins with it. Throws without a readable blob: the page
/// reports that, and shows a card in place of the islands.
#[cfg(not(feature = "ssr"))]
pub fn page_context() -> PageContext {
    use wasm_bindgen::UnwrapThrowExt;

    super::page_module::restore_served();
    let blob = leptos::prelude::document().get_element_by_id("vincula-context");
    let text = blob.and_then(|element| element.text_content());
    text.and_then(|text| serde_json::from_str(&text).ok())
        .expect_throw("the context is unreadable")
}
