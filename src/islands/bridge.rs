//! The bridge: a Leptos island that loads a React chunk and mounts it (design §3, D4).

use std::{cell::RefCell, rc::Rc};

use leptos::{ev, html, prelude::*, task::spawn_local};
use wasm_bindgen::prelude::*;
use web_sys::Element;

use super::{Chunk, page};
use crate::{
    wire::{self, Done, Failure},
    words,
};

/// Longest reason that is reported, in characters.
const MAX_REASON_CHARS: usize = 200;

/// What stands in the place of an island that was not prerendered.
const LOADING: &str = r#"<div class="loading"><span class="spinner" aria-hidden="true"></span></div>"#;

#[wasm_bindgen]
extern "C" {
    /// `import(url)`, which needs a script of the page: see `app.rs`.
    #[wasm_bindgen(js_name = vinculaImport, catch)]
    async fn import_module(url: &str) -> Result<JsValue, JsValue>;

    type Module;
    #[wasm_bindgen(method, catch)]
    fn mount(this: &Module, host: &Element) -> Result<Mounted, JsValue>;

    type Mounted;
    #[wasm_bindgen(method)]
    fn unmount(this: &Mounted);
}

/// Puts an island that failed into our log: `POST /api/report_island`. Needs no session: it changes nothing.
///
/// # Errors
/// None of its own.
#[server(prefix = "/api", endpoint = "report_island", input = leptos::server_fn::codec::Json)]
pub async fn report_island(input: wire::ReportIsland) -> Result<Done, Failure> {
    // Anybody can send one, and a library's message may repeat what was typed.
    let plain = |text: &str| {
        let text: String = text.chars().filter(|c| !c.is_control()).take(MAX_REASON_CHARS).collect();
        crate::upstream::redact::text(&text, &[])
    };
    tracing::warn!(island = plain(&input.island), reason = plain(&input.reason), "island failed");
    Ok(Done {})
}

/// The place of a React island, with its prerendered `screen` if it has one.
#[component]
pub fn ReactHost(name: &'static str, chunk: Chunk, screen: Option<String>) -> impl IntoView {
    let html = screen.unwrap_or_else(|| LOADING.to_owned());
    view! {
        <React name=name.to_owned() src=chunk.js>
            <div class="island" data-react=name inner_html=html></div>
        </React>
    }
}

/// Loads a React chunk and mounts it into the host among its children. An island that fails is reported and shows a
/// way out; the rest of the page goes on.
#[island]
fn React(name: String, src: String, children: Children) -> impl IntoView {
    let root = NodeRef::<html::Div>::new();
    let broken = RwSignal::new(false);
    Effect::new(move |_| {
        let Some(host) = root.get().and_then(|root| root.query_selector("[data-react]").ok().flatten()) else { return };
        let (name, src) = (name.clone(), src.clone());
        spawn_local(async move {
            match load_and_mount(&src, &host).await {
                Ok(mounted) => {
                    unmount_on_leaving(mounted);
                    page::announce_mounted(&host);
                }
                Err(error) => {
                    // A form that works by itself is better than a card in its place.
                    broken.set(host.query_selector("[data-standalone]").ok().flatten().is_none());
                    let reason = format!("{error:?}").chars().take(MAX_REASON_CHARS).collect();
                    let _ = report_island(wire::ReportIsland { island: name, reason }).await;
                }
            }
        });
    });
    view! {
        <div node_ref=root hidden=move || broken.get()>{children()}</div>
        <Show when=move || broken.get()>
            <div class="card" role="alert">
                <p>{words::ISLAND_BROKEN}</p>
                <div class="actions">
                    <button class="button button--primary" type="button" on:click=|_| page::reload()>{words::RELOAD}</button>
                </div>
            </div>
        </Show>
    }
}

async fn load_and_mount(src: &str, host: &Element) -> Result<Mounted, JsValue> {
    import_module(src).await?.unchecked_into::<Module>().mount(host)
}

/// React's effects clean up after themselves when the page is left for good; a page that the browser keeps for "back"
/// stays as it is.
fn unmount_on_leaving(mounted: Mounted) {
    let mounted = Rc::new(RefCell::new(Some(mounted)));
    let handle = window_event_listener(ev::pagehide, move |event| {
        if !event.persisted()
            && let Some(mounted) = mounted.borrow_mut().take()
        {
            mounted.unmount();
        }
    });
    // The listener lives as long as the page does.
    std::mem::forget(handle);
}
