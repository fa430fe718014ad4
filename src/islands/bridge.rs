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

/// Imports the module that the host names, and mounts its component there. The component reports to
/// the page that it works. If mounting fails, the page reports it and shows a card in place of the
/// component. The rest of the page keeps working.
pub fn mount(host: HtmlDivElement) {
    spawn_local(async move {
        if let Err(error) = import_and_mount(&host).await {
            page::island_failed(&host, &error);
        }
    });
}

async fn import_and_mount(host: &Element) -> Result<(), JsValue> {
    let src = host.get_attribute("data-src").unwrap_or_default();
    page::import_module(&src)
        .await?
        .unchecked_into::<Module>()
        .mount(host)
}
