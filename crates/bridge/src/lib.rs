//! The wasm module of the pages without Leptos islands: mounts React's islands.

mod react;

use wasm_bindgen::prelude::*;

/// The page's loader calls this once.
#[wasm_bindgen]
pub fn start() {
    vincula_browser::notices::start();
    react::mount_all();
}
