//! The wasm module of the pages with Leptos islands: the functions that the page's loader calls.

#![cfg(target_arch = "wasm32")]

// Links the crate: each island exports the function that hydrates it.
use vincula_islands as _;
use wasm_bindgen::prelude::*;

/// The page's loader calls this once.
#[wasm_bindgen]
pub fn start() {
    vincula_browser::notices::start();
}

/// The page's loader calls this after `start` and before it hydrates the islands.
#[wasm_bindgen]
pub fn hydrate() {
    leptos::mount::hydrate_islands();
}
