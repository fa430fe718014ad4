//! The page's client, `window.vincula` (`islands-react/src/page/client.ts`): actions, failures, toasts, navigation, and
//! the delivery of what was linked at the bank.

use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// Posts an action and returns its answer: `{ ok: true, data }` or `{ ok: false, failure, retryAfterMs }`. With
    /// `keepalive` the request outlives the page. A `timeout_ms` of 0 is no limit.
    #[wasm_bindgen(js_namespace = vincula)]
    pub async fn post(action: &str, input: &JsValue, keepalive: bool, timeout_ms: u32) -> JsValue;

    /// Does what a failed action asks for (spec §8). Returns whether the page stays.
    #[wasm_bindgen(js_namespace = vincula, js_name = handleFailure)]
    pub fn handle_failure(failure: &JsValue) -> bool;

    /// Goes to a path of this origin in place of this history entry. If the page is still there after a while, it offers a
    /// link to the same place; see [`on_stays`](crate::page::on_stays).
    #[wasm_bindgen(js_namespace = vincula)]
    pub fn replace(to: &str);

    /// Shows a toast; `kind` is `error`, `success` or `info`.
    #[wasm_bindgen(js_namespace = vincula)]
    pub fn toast(kind: &str, message: &str);

    /// Puts an island that could not start, or broke, into the server's log.
    #[wasm_bindgen(js_namespace = vincula, js_name = reportIsland)]
    pub fn report_island(island: &str, error: &JsValue);

    /// `import(url)`, which wasm cannot do itself.
    #[wasm_bindgen(js_namespace = vincula, js_name = importModule, catch)]
    pub async fn import_module(url: &str) -> Result<JsValue, JsValue>;

    /// An account that was linked at the bank, and that the server does not have yet.
    pub type Undelivered;

    /// The bank's name, or empty if the page does not know it.
    #[wasm_bindgen(method, getter)]
    pub fn bank(this: &Undelivered) -> String;

    /// When it was linked, in milliseconds since 1970.
    #[wasm_bindgen(method, getter)]
    pub fn at(this: &Undelivered) -> f64;

    /// What the tab keeps for a session.
    #[wasm_bindgen(js_namespace = vincula)]
    pub fn undelivered(session: &str) -> Option<Undelivered>;

    #[wasm_bindgen(js_namespace = vincula, js_name = deliver)]
    async fn deliver_undelivered(session: &str) -> JsValue;
}

/// How a delivery ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivery {
    /// There was nothing to deliver.
    None,
    /// The server has it.
    Delivered,
    /// No answer: it can be repeated.
    Failed,
    /// The page goes where the server's refusal leads, or another session has stopped it.
    Left,
}

/// Delivers what [`undelivered`] returns, once at a time. The page stays where it is after a success.
pub async fn deliver(session: &str) -> Delivery {
    match deliver_undelivered(session).await.as_string().as_deref() {
        Some("none") => Delivery::None,
        Some("delivered") => Delivery::Delivered,
        Some("left") => Delivery::Left,
        _ => Delivery::Failed,
    }
}
