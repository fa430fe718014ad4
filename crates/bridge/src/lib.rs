//! The wasm module of the pages without Leptos islands: it mounts React's.

mod react;

use wasm_bindgen::prelude::*;

/// Called once by the page's loader.
#[wasm_bindgen]
pub fn start() {
    vincula_browser::notices::start();
    react::mount_all();
}
