//! Server functions as the islands call them: the page's loader posts and reads JSON, so that neither has to be in the
//! wasm module.

use js_sys::{Array, Reflect};
use vincula_domain::{
    problem::Problem,
    routes,
    wire::{Account, Accounts, Failure, Reaction},
};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// Posts an action that changes something, and so outlives the page; gives its answer (see `loader.js`). What went
    /// wrong has a failure's `kind`.
    #[wasm_bindgen(js_name = vinculaAct)]
    async fn act(path: &str, session: &str) -> JsValue;

    /// Asks for a list that the page may know already; after `patience` milliseconds, if not 0, it has no answer.
    #[wasm_bindgen(js_name = vinculaList)]
    async fn list(path: &str, session: &str, known: Option<&str>, patience: u32) -> JsValue;
}

/// Why there is no list.
pub struct Unlisted {
    pub failure: Failure,
    /// For how long the server asks not to be asked again, in milliseconds.
    pub retry_after_ms: u32,
}

/// Lists the accounts; `known` is the digest of the list that the page has, if it has one. After `patience_ms`, if not 0,
/// it counts as unanswered.
///
/// # Errors
/// What the catalogue says (spec §8).
pub async fn list_accounts(session: &str, known: Option<&str>, patience_ms: u32) -> Result<Accounts, Unlisted> {
    let answer = list(routes::action::LIST_ACCOUNTS, session, known, patience_ms).await;
    accounts(&answer).ok_or_else(|| Unlisted { failure: failure(&answer), retry_after_ms: retry_after_ms(&answer) })
}

/// Cancels every integration; returns where the page goes next.
///
/// # Errors
/// What the catalogue says (spec §8).
pub async fn cancel_integrations(session: &str) -> Result<String, Failure> {
    let answer = act(routes::action::CANCEL_INTEGRATIONS, session).await;
    match (text(&answer, "kind"), text(&answer, "to")) {
        (None, Some(to)) => Ok(to),
        _ => Err(failure(&answer)),
    }
}

/// Makes the success call.
///
/// # Errors
/// What the catalogue says (spec §8).
pub async fn confirm_success(session: &str) -> Result<(), Failure> {
    let answer = act(routes::action::CONFIRM_SUCCESS, session).await;
    if text(&answer, "kind").is_none() { Ok(()) } else { Err(failure(&answer)) }
}

fn accounts(answer: &JsValue) -> Option<Accounts> {
    match text(answer, "kind")?.as_str() {
        "unchanged" => Some(Accounts::Unchanged),
        "listed" => {
            let rows: Array = field(answer, "accounts").dyn_into().ok()?;
            let mut accounts = Vec::new();
            for row in rows.iter() {
                let text = |name| text(&row, name);
                let (bank, agency, number, name) = (text("bank")?, text("agency")?, text("number")?, text("name")?);
                accounts.push(Account { bank, agency, number, name });
            }
            Some(Accounts::Listed { digest: text(answer, "digest")?, accounts })
        }
        _ => None,
    }
}

/// An answer that is not what it should be is "anything else" of the catalogue. Only the bank form has fields, and React
/// draws it.
fn failure(answer: &JsValue) -> Failure {
    match text(answer, "kind").as_deref() {
        Some("no_reply") => Failure::no_reply(),
        Some("other_tab") => Reaction::OtherTab.into(),
        _ => Failure::go(text(answer, "to").unwrap_or_else(|| routes::error(Problem::TokenInvalid))),
    }
}

fn retry_after_ms(answer: &JsValue) -> u32 {
    field(answer, "retryAfter").as_f64().map_or(0, |seconds| (seconds * 1000.0) as u32)
}

fn text(object: &JsValue, name: &str) -> Option<String> {
    field(object, name).as_string()
}

fn field(object: &JsValue, name: &str) -> JsValue {
    Reflect::get(object, &name.into()).unwrap_or(JsValue::UNDEFINED)
}
