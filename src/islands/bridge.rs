//! The bridge to React: it mounts a component in the host that its island has hydrated.

use leptos::task::spawn_local;
use wasm_bindgen::prelude::*;
use web_sys::{Element, HtmlDivElement};

use crate::islands::page;

#[wasm_bindgen]
extern "C" {
    type Module;
    #[wasm_bindgen(method, catch)]
    fn mount(this: &Module, host: &Element) -> Result<(), JsValue>;
}

/// Imports a module, and mounts its component in the host. The component reports to
/// the page that it works. If mounting fails, the page reports it and shows a card in place of the
/// component. The rest of the page keeps working.
pub fn mount(host: HtmlDivElement, module: String) {
    spawn_local(async move {
        if let Err(error) = import_and_mount(&module, &host).await {
            page::island_failed(&host, &error);
        }
    });
}

async fn import_and_mount(url: &str, host: &Element) -> Result<(), JsValue> {
    page::import_module(url)
        .await?
        .unchecked_into::<Module>()
        .mount(host)
}
