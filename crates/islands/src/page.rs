//! The page around the islands: its client, which its own module exports (`islands-react/src/page/index.ts`), its events,
//! the clock and timers.

use std::time::Duration;

use leptos::{
    prelude::{TimeoutHandle, document, set_timeout_with_handle, window_event_listener_untyped},
    task::{spawn_local, tick},
};
use wasm_bindgen::prelude::*;
use web_sys::{Element, HtmlElement};

use crate::view::on_hydrate;

// scripts/build gives the page's module its hashed address.
#[wasm_bindgen(raw_module = "/islands/page.js")]
extern "C" {
    /// Tells the page that one of its islands works.
    pub fn hydrated();

    /// Tells the page that the React island in `host` could not be mounted: it reports the reason to the server, and shows a
    /// card in its place unless what the server sent works by itself.
    #[wasm_bindgen(js_name = islandFailed)]
    pub fn island_failed(host: &Element, error: &JsValue);

    /// `import(url)`, which wasm cannot do itself.
    #[wasm_bindgen(js_name = importModule, catch)]
    pub async fn import_module(url: &str) -> Result<JsValue, JsValue>;

    /// Posts an action and returns its answer. With `keepalive` the request outlives the page. A `timeout_ms` of 0 is no
    /// limit.
    pub async fn post(action: &str, input: &JsValue, keepalive: bool, timeout_ms: u32) -> Answer;

    /// The answer to an action: `data`, or a `failure`.
    pub type Answer;

    #[wasm_bindgen(method, getter)]
    pub fn ok(this: &Answer) -> bool;

    /// The output of the action.
    #[wasm_bindgen(method, getter)]
    pub fn data(this: &Answer) -> JsValue;

    /// A [`Failure`](vincula_domain::wire::Failure).
    #[wasm_bindgen(method, getter)]
    pub fn failure(this: &Answer) -> JsValue;

    /// How long the server asks to wait before the next try, in milliseconds. Of a failure only.
    #[wasm_bindgen(method, getter, js_name = retryAfterMs)]
    pub fn retry_after_ms(this: &Answer) -> u32;

    /// Does what a failed action asks for. Returns whether the page stays.
    #[wasm_bindgen(js_name = handleFailure)]
    pub fn handle_failure(failure: &JsValue) -> bool;

    /// Goes to a path of this origin in place of this history entry. If the page is still there after a while, it offers a
    /// link to the same place; see [`on_stays`].
    pub fn replace(to: &str);

    /// Shows a toast of what the page itself says and announces; `kind` is `error`, `success` or `info`.
    #[wasm_bindgen(js_name = toastQuietly)]
    pub fn toast_quietly(kind: &str, message: &str);

    /// An account that was linked at the bank, and that the server does not have yet.
    pub type Undelivered;

    /// The bank's name, or empty if the page does not know it.
    #[wasm_bindgen(method, getter)]
    pub fn bank(this: &Undelivered) -> String;

    /// When it was linked, in milliseconds since 1970.
    #[wasm_bindgen(method, getter)]
    pub fn at(this: &Undelivered) -> f64;

    /// What the tab keeps for a session.
    pub fn undelivered(session: &str) -> Option<Undelivered>;

    /// Delivers it, once at a time, and returns whether the server took it. The page stays after a success.
    pub async fn deliver(session: &str) -> JsValue;

    /// Drops it.
    pub fn forget(session: &str);
}

/// The selector of the step's title.
pub const TITLE: &str = ".step__title";

/// Tells the page that an island works, once its handlers are attached: Leptos attaches them after the island's function.
pub fn tell_hydrated() {
    on_hydrate(|| spawn_local(async { hydrated() }));
}

/// Whether the person can see the page.
pub fn is_visible() -> bool {
    !document().hidden()
}

/// Calls `act` each time that the page is hidden or shown again.
pub fn on_visibility(act: impl Fn() + 'static) {
    let _ = window_event_listener_untyped("visibilitychange", move |_| act());
}

/// Calls `act` when the page was left and is still there, or has come back from the back/forward cache: what is busy
/// becomes free. A freed button that is pressed again leads on by itself.
pub fn on_stays(act: impl Fn() + 'static) {
    let _ = window_event_listener_untyped("vincula-stays", move |_| act());
}

/// Moves the focus to the first element of a selector, once what has changed is in the document.
pub fn focus(selector: &'static str) {
    spawn_local(async move {
        tick().await;
        let element = document().query_selector(selector).ok().flatten();
        if let Some(element) = element.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
            let _ = element.focus();
        }
    });
}

/// Whether the element of an id has the focus, or none has it: Safari does not focus a button that is pressed.
pub fn has_focus_or_none(id: &str) -> bool {
    document()
        .active_element()
        .is_none_or(|focused| focused.id() == id || focused.tag_name() == "BODY")
}

/// A time, in milliseconds since 1970, as the person writes it: "10h32".
pub fn time_of_day(time_ms: f64) -> String {
    let time = js_sys::Date::new(&time_ms.into());
    format!("{:02}h{:02}", time.get_hours(), time.get_minutes())
}

/// Milliseconds since 1970.
pub fn now_ms() -> f64 {
    js_sys::Date::now()
}

/// Whole seconds since a time in milliseconds since 1970.
pub fn secs_since(time_ms: f64) -> u32 {
    ((now_ms() - time_ms) / 1000.0) as u32
}

/// A running one-shot timer; dropping it cancels it.
pub struct Timer(Option<TimeoutHandle>);

impl Timer {
    /// Runs `act` once, after `after_ms` milliseconds. A timer that cannot be set never fires.
    pub fn start(after_ms: u32, act: impl FnOnce() + 'static) -> Self {
        Self(set_timeout_with_handle(act, Duration::from_millis(after_ms.into())).ok())
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        if let Some(handle) = self.0 {
            handle.clear();
        }
    }
}
