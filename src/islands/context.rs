//! The islands' data of the session, the same on the server and in the browser.
//!
//! Islands take no props: Leptos would serialize them as JSON into an attribute, and a JSON library
//! would be a third of the wasm module. The page's context blob already contains it, and the
//! browser parses it.

use vincula_domain::wire::PageContext;

/// The context of the page that is being rendered or hydrated.
#[cfg(not(target_arch = "wasm32"))]
pub fn page_context() -> PageContext {
    leptos::prelude::use_context().expect("pages with islands have a session")
}

/// The context of the page that is being rendered or hydrated. Throws without a readable blob: the
/// page reports that, and shows a card in place of the islands.
#[cfg(target_arch = "wasm32")]
pub fn page_context() -> PageContext {
    use wasm_bindgen::UnwrapThrowExt;

    let blob = leptos::prelude::document().get_element_by_id("vincula-context");
    let text = blob.and_then(|element| element.text_content());
    let value = text.and_then(|text| js_sys::JSON::parse(&text).ok());
    value
        .and_then(crate::islands::js::read)
        .expect_throw("the context is unreadable")
}
