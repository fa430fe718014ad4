//! The wasm module of the pages without Leptos islands: it mounts React's.

mod react;

use wasm_bindgen::prelude::*;

/// Called once by the page's script. Returns whether every island is mounted.
#[wasm_bindgen]
pub async fn start() -> bool {
    react::mount_all().await
}
