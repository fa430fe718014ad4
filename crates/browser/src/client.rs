//! The page's client, `window.vincula` (`islands-react/src/page/client.ts`): actions, failures, toasts, navigation.

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

    /// Goes to a path of this origin in place of this history entry.
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
}
