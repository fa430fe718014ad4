//! The wasm module of the pages. It contains all Leptos islands and exports a hydration function
//! for each.

// For another target the crate is empty.
#![cfg_attr(not(target_arch = "wasm32"), allow(unused_crate_dependencies))]
#![cfg(target_arch = "wasm32")]

use vincula_islands as _;
use wasm_bindgen::prelude::*;

/// Called once by Leptos' script, before it hydrates the islands.
#[wasm_bindgen]
pub fn hydrate() {
    leptos::mount::hydrate_islands();
}
