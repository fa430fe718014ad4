//! React's islands: each host in the document names its module (design §3, D4).

use vincula_browser::{client, page};
use wasm_bindgen::{JsCast, prelude::*};
use web_sys::{Element, Event, PageTransitionEvent};

#[wasm_bindgen]
extern "C" {
    type Module;
    #[wasm_bindgen(method, catch)]
    fn mount(this: &Module, host: &Element) -> Result<Mounted, JsValue>;

    type Mounted;
    #[wasm_bindgen(method)]
    fn unmount(this: &Mounted);
}

/// Mounts every React island of the page, and returns whether all of them are mounted. One that fails is reported, and
/// the page shows a card in its place; the rest of the page works on.
pub async fn mount_all() -> bool {
    let hosts = page::here().and_then(|(_, document)| document.query_selector_all("[data-react]").ok());
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
                reveal("islands-failed");
            }
            client::report_island(&text("data-react"), &error);
            false
        }
    }
}

async fn load_and_mount(src: &str, host: &Element) -> Result<Mounted, JsValue> {
    client::import_module(src).await?.unchecked_into::<Module>().mount(host)
}

/// Shows an element that the document keeps hidden.
fn reveal(id: &str) {
    if let Some(element) = page::element(id) {
        let _ = element.remove_attribute("hidden");
    }
}

/// React's effects clean up after themselves when the person leaves the page for good; a page in the back/forward cache
/// stays as it is.
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
