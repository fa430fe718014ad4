//! The bridge: what every page with islands needs in the browser. It mounts React and shows toasts.
//!
//! Neither Leptos nor serde, on purpose: the first screens wait for this module. All markup and all words are in the
//! document; what is here fills them in.

mod notices;
pub mod page;
#[cfg(feature = "react")]
mod react;
pub mod timer;

use wasm_bindgen::prelude::*;

/// Called once by the page's loader.
#[wasm_bindgen]
pub fn start() {
    notices::start();
    #[cfg(feature = "react")]
    react::mount_all();
}
