//! The wasm module of the pages with Leptos islands.

#![cfg(target_arch = "wasm32")]

// Each island exports the function that hydrates it.
use vincula_islands as _;
use wasm_bindgen::prelude::*;

/// Called once by the page's module, before it hydrates the islands.
#[wasm_bindgen]
pub fn start() {
    leptos::mount::hydrate_islands();
}
