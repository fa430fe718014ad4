//! What is fetched ahead of time for the step that follows, as soon as a page works.

use std::slice;

use crate::{bundle::WasmModule, manifest::Manifest, page_request::View, site::Assets};

/// Lets the browser fetch the page behind "Integrar novo banco" before it is opened. For that link alone: its page changes
/// nothing by being seen, and acts in the session that it was made for or not at all (design D11).
pub const SPECULATION_RULES: &str = r#"{"prefetch":[{"urls":["/integration/widget"],"eagerness":"eager"}]}"#;

/// Addresses of the scripts and modules that most people need next, in the order in which they are needed. The page's
/// loader fetches them once everything on the page works.
pub fn files(view: View, assets: &Assets, manifest: &Manifest) -> Vec<String> {
    let react = |name| {
        let chunk = manifest.chunk(name);
        [slice::from_ref(&chunk.js), &chunk.imports, &chunk.preload].concat()
    };
    let module = |WasmModule { js, wasm }| vec![js, wasm];
    match view {
        View::Consent | View::Connect => module(assets.module.clone()),
        View::Accounts => [module(manifest.bridge()), react("bank-form")].concat(),
        View::BankForm => react("connect"),
        _ => Vec::new(),
    }
}
