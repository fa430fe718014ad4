//! The wasm module of the pages with Leptos islands: everything is in `vincula`, this is what the loader calls.

#![cfg(feature = "hydrate")]

use vincula as _;

/// Called once by the page's loader, after the bridge's `start` and before the islands wake.
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn hydrate() {
    leptos::mount::hydrate_islands();
}
