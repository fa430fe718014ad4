//! The wasm module of the pages without Leptos islands: it mounts React's. Each host in the document names its module.
//!
//! Neither Leptos nor serde, on purpose: the first screens wait for this code.

use wasm_bindgen::prelude::*;
use web_sys::{Document, Element, PageTransitionEvent};

#[wasm_bindgen]
extern "C" {
    /// `import(url)`, which wasm cannot do itself (`islands-react/src/page/page.ts`).
    #[wasm_bindgen(js_namespace = vincula, js_name = importModule, catch)]
    async fn import_module(url: &str) -> Result<JsValue, JsValue>;

    /// Puts an island that could not start into the server's log.
    #[wasm_bindgen(js_namespace = vincula, js_name = reportIsland)]
    fn report_island(island: &str, error: &JsValue);

    type Module;
    #[wasm_bindgen(method, catch)]
    fn mount(this: &Module, host: &Element) -> Result<Mounted, JsValue>;

    type Mounted;
    #[wasm_bindgen(method)]
    fn unmount(this: &Mounted);
}

/// Called once by the page's module: mounts every React island of the page, and returns whether all of them are mounted.
/// One that fails is reported, and the page shows a card in its place; the rest of the page works on.
#[wasm_bindgen]
pub async fn start() -> bool {
    let hosts = document().and_then(|document| document.query_selector_all("[data-react]").ok());
    let Some(hosts) = hosts else { return true };
    let mut all = true;
    for host in (0..hosts.length()).filter_map(|index| hosts.get(index)) {
        all &= mount(host.unchecked_ref()).await;
    }
    all
}

async fn mount(host: &Element) -> bool {
    let text = |name: &str| host.get_attribute(name).unwrap_or_default();
    match load_and_mount(&text("data-src"), host).await {
        Ok(mounted) => {
            unmount_on_leaving(mounted);
            true
        }
        Err(error) => {
            // A form that works by itself is better than a card in its place.
            if !matches!(host.query_selector("[data-standalone]"), Ok(Some(_))) {
                let _ = host.set_attribute("hidden", "");
                let card = document().and_then(|document| document.get_element_by_id("islands-failed"));
                let _ = card.map(|card| card.remove_attribute("hidden"));
            }
            report_island(&text("data-react"), &error);
            false
        }
    }
}

async fn load_and_mount(src: &str, host: &Element) -> Result<Mounted, JsValue> {
    import_module(src).await?.unchecked_into::<Module>().mount(host)
}

/// React's effects clean up after themselves when the person leaves the page for good; a page in the back/forward cache
/// stays as it is.
fn unmount_on_leaving(mounted: Mounted) {
    let Some(window) = web_sys::window() else { return };
    let act = Closure::<dyn Fn(PageTransitionEvent)>::new(move |event: PageTransitionEvent| {
        if !event.persisted() {
            mounted.unmount();
        }
    });
    let _ = window.add_event_listener_with_callback("pagehide", act.into_js_value().unchecked_ref());
}

/// `None` outside of a page only.
fn document() -> Option<Document> {
    web_sys::window()?.document()
}
