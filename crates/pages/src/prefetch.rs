//! What a page prefetches for the next step.

use std::slice;

use crate::{bundle::WasmModule, manifest::Built, page_request::View, site::Assets};

/// Lets the browser prefetch the page behind "Integrar novo banco", and no other: viewing it changes nothing, and its
/// actions name the session that it was rendered for (design D11).
pub const SPECULATION_RULES: &str = r#"{"prefetch":[{"urls":["/integration/widget"],"eagerness":"eager"}]}"#;

/// Addresses of the scripts and modules that most people need next, in the order in which they are needed. The page's
/// script fetches them once every island works.
pub fn files(view: View, assets: &Assets, built: &Built) -> Vec<String> {
    let react = |name| {
        let bundle = built.island(name);
        [slice::from_ref(&bundle.js), &bundle.imports, &bundle.preload].concat()
    };
    let module = |WasmModule { js, wasm }| vec![js, wasm];
    match view {
        View::Consent | View::Connect => module(assets.module.clone()),
        View::Accounts => [module(built.bridge.clone()), react("bank-form")].concat(),
        View::BankForm => react("connect"),
        _ => Vec::new(),
    }
}
