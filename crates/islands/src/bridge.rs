//! The bridge to React: it mounts a component in the host that its island has hydrated.

use leptos::task::spawn_local;
use wasm_bindgen::prelude::*;
use web_sys::{Element, HtmlDivElement, PageTransitionEvent};

use crate::page;

#[wasm_bindgen]
extern "C" {
    type Module;
    #[wasm_bindgen(method, catch)]
    fn mount(this: &Module, host: &Element) -> Result<Mounted, JsValue>;

    type Mounted;
    #[wasm_bindgen(method)]
    fn unmount(this: &Mounted);
}

/// Imports the module that the host names, and mounts its component there. If that fails, the page
/// reports it and shows a card in place of the component. The rest of the page keeps working.
pub fn mount(host: HtmlDivElement) {
    spawn_local(async move {
        match import_and_mount(&host).await {
            Ok(mounted) => {
                unmount_on_leaving(mounted);
                page::hydrated();
            }
            Err(error) => page::island_failed(&host, &error),
        }
    });
}

async fn import_and_mount(host: &Element) -> Result<Mounted, JsValue> {
    let src = host.get_attribute("data-src").unwrap_or_default();
    page::import_module(&src)
        .await?
        .unchecked_into::<Module>()
        .mount(host)
}

/// Unmounts React when the page is left, so that effects clean up. A page in the back/forward cache
/// stays mounted.
fn unmount_on_leaving(mounted: Mounted) {
    let Some(window) = web_sys::window() else {
        return;
    };
    let act = Closure::<dyn Fn(PageTransitionEvent)>::new(move |event: PageTransitionEvent| {
        if !event.persisted() {
            mounted.unmount();
        }
    });
    let _ =
        window.add_event_listener_with_callback("pagehide", act.into_js_value().unchecked_ref());
}
