//! The wasm module of the pages: all Leptos islands, each of which exports the function that hydrates it.

#![cfg(target_arch = "wasm32")]

use vincula_islands as _;
use wasm_bindgen::prelude::*;

/// Called once by Leptos' script, before it hydrates the islands.
#[wasm_bindgen]
pub fn hydrate() {
    leptos::mount::hydrate_islands();
}
