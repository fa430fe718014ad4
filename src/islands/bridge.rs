//! The bridge to React.

use wasm_bindgen::prelude::*;
use web_sys::Element;

#[wasm_bindgen(js_namespace = vincula)]
extern "C" {
    /// Imports a React screen's module, and mounts the screen in the host that its island has
    /// hydrated. If it does not work, the page reports it and shows a card in its place.
    pub fn mount(module: &str, host: &Element);
}
