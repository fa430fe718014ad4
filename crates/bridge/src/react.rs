//! Mounts React's islands: each host element names its chunk (design §3, D4).

use vincula_browser::page;
use wasm_bindgen::{JsCast, prelude::*};
use wasm_bindgen_futures::spawn_local;
use web_sys::{Element, Event, PageTransitionEvent};

/// Fired when a React island is mounted.
const MOUNTED_EVENT: &str = "vincula:mounted";

#[wasm_bindgen]
extern "C" {
    /// `import(url)`: syntax that only a script has, so the page's loader defines it (`crates/pages/src/loader.js`).
    #[wasm_bindgen(js_name = vinculaImport, catch)]
    async fn import_module(url: &str) -> Result<JsValue, JsValue>;

    /// Reports a failed island to the server's log.
    #[wasm_bindgen(js_name = vinculaReport)]
    fn report(island: &str, reason: &JsValue);

    type Module;
    #[wasm_bindgen(method, catch)]
    fn mount(this: &Module, host: &Element) -> Result<Mounted, JsValue>;

    type Mounted;
    #[wasm_bindgen(method)]
    fn unmount(this: &Mounted);
}

/// Mounts every React island of the page. If one fails, the bridge reports it and shows an error card instead; the rest
/// of the page keeps working.
pub fn mount_all() {
    let hosts = page::here().and_then(|(_, document)| document.query_selector_all("[data-react]").ok());
    let Some(hosts) = hosts else { return };
    for host in (0..hosts.length()).filter_map(|index| hosts.get(index)) {
        spawn_local(mount_or_report(host.unchecked_into()));
    }
}

async fn mount_or_report(host: Element) {
    let text = |name: &str| host.get_attribute(name).unwrap_or_default();
    match load_and_mount(&text("data-src"), &host).await {
        Ok(mounted) => {
            unmount_on_leaving(mounted);
            let _ = host.set_attribute("data-mounted", "");
            page::dispatch(MOUNTED_EVENT);
        }
        Err(error) => {
            // A prerendered form that works by itself is better than an error card.
            if !matches!(host.query_selector("[data-standalone]"), Ok(Some(_))) {
                let _ = host.set_attribute("hidden", "");
                reveal("islands-failed");
            }
            report(&text("data-react"), &error);
        }
    }
}

async fn load_and_mount(src: &str, host: &Element) -> Result<Mounted, JsValue> {
    import_module(src).await?.unchecked_into::<Module>().mount(host)
}

/// Shows an element that the document hides.
fn reveal(id: &str) {
    if let Some(element) = page::element(id) {
        let _ = element.remove_attribute("hidden");
    }
}

/// Unmounts when the page is left for good, so that React runs its effects' cleanup. A page in the back/forward cache
/// stays mounted.
fn unmount_on_leaving(mounted: Mounted) {
    let Some((window, _)) = page::here() else { return };
    let mut mounted = Some(mounted);
    page::listen(&window, "pagehide", move |event: Event| {
        if !event.unchecked_ref::<PageTransitionEvent>().persisted()
            && let Some(mounted) = mounted.take()
        {
            mounted.unmount();
        }
    });
}
