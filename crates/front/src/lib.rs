//! The wasm module of the pages with Leptos islands: what the page's loader calls.

#![cfg(target_arch = "wasm32")]

// Each island exports the function that wakes it.
use vincula_islands as _;
use wasm_bindgen::prelude::*;

/// Called once by the page's loader.
#[wasm_bindgen]
pub fn start() {
    vincula_browser::notices::start();
}

/// Called after `start` and before the islands wake.
#[wasm_bindgen]
pub fn hydrate() {
    leptos::mount::hydrate_islands();
}
