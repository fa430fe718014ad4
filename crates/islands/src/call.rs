//! Actions as the islands call them: the page's client posts and reads JSON, so that neither has to be in the wasm
//! module.

use js_sys::{Array, Object, Reflect};
use vincula_browser::client;
use vincula_domain::{
    action::Action,
    problem::Problem,
    routes,
    wire::{Account, Accounts, LinkingState, WaitingAccount},
};
use wasm_bindgen::prelude::*;

/// A failed action.
pub struct Failed {
    /// As the client gives it. `None` if the answer cannot be read.
    failure: Option<JsValue>,
    /// How long the server asks to wait before the next try, in milliseconds.
    pub retry_after_ms: u32,
}

impl Failed {
    /// Whether there was no answer.
    pub fn is_no_reply(&self) -> bool {
        self.failure.as_ref().and_then(|failure| text(failure, "kind")).as_deref() == Some("no_reply")
    }

    /// Does what the failure asks for (spec §8). Returns whether the page stays.
    pub fn handle(&self) -> bool {
        let Some(failure) = &self.failure else {
            client::replace(&routes::error(Problem::TokenInvalid));
            return false;
        };
        client::handle_failure(failure)
    }
}

/// Lists the accounts; `known` is the digest of the list that the page has, if it has one. After `timeout_ms`, if not 0,
/// the call counts as unanswered.
///
/// # Errors
/// As the error catalogue says (spec §8).
pub async fn list_accounts(session: &str, known: Option<&str>, timeout_ms: u32) -> Result<Accounts, Failed> {
    let input = input(session);
    if let Some(known) = known {
        set(&input, "known", known);
    }
    let data = post(Action::ListAccounts, &input, false, timeout_ms).await?;
    accounts(&data).ok_or(Failed { failure: None, retry_after_ms: 0 })
}

/// Cancels every integration; returns where the page goes next.
///
/// # Errors
/// As the error catalogue says (spec §8).
pub async fn cancel_integrations(session: &str) -> Result<String, Failed> {
    let data = post(Action::CancelIntegrations, &input(session), true, 0).await?;
    text(&data, "to").ok_or(Failed { failure: None, retry_after_ms: 0 })
}

/// Makes the success call.
///
/// # Errors
/// As the error catalogue says (spec §8).
pub async fn confirm_success(session: &str) -> Result<(), Failed> {
    post(Action::ConfirmSuccess, &input(session), true, 0).await.map(drop)
}

/// No longer shows a linking beside the list. Nobody waits for it: without an answer it is shown once more.
pub async fn forget_linking(session: &str, linking: &str) {
    let input = input(session);
    set(&input, "linking", linking);
    let _ = post(Action::ForgetLinking, &input, true, 0).await;
}

async fn post(action: Action, input: &Object, keepalive: bool, timeout_ms: u32) -> Result<JsValue, Failed> {
    let answer = client::post(action.name(), input, keepalive, timeout_ms).await;
    if field(&answer, "ok").is_truthy() {
        return Ok(field(&answer, "data"));
    }
    let retry_after_ms = field(&answer, "retryAfterMs").as_f64().unwrap_or_default() as u32;
    Err(Failed { failure: Some(field(&answer, "failure")), retry_after_ms })
}

fn input(session: &str) -> Object {
    let input = Object::new();
    set(&input, "session", session);
    input
}

fn accounts(data: &JsValue) -> Option<Accounts> {
    match text(data, "kind")?.as_str() {
        "unchanged" => Some(Accounts::Unchanged),
        "listed" => {
            let account = |row: JsValue| {
                let text = |name| text(&row, name);
                let (bank, agency, number, name) = (text("bank")?, text("agency")?, text("number")?, text("name")?);
                Some(Account { bank, agency, number, name })
            };
            let waiting = |row: JsValue| {
                let state = linking_state(&text(&row, "state")?);
                Some(WaitingAccount { bank: text(&row, "bank")?, state, approve_by: text(&row, "approveBy")? })
            };
            let (accounts, waiting) = (rows(data, "accounts", account)?, rows(data, "waiting", waiting)?);
            Some(Accounts::Listed { digest: text(data, "digest")?, accounts, waiting })
        }
        _ => None,
    }
}

fn rows<T>(list: &JsValue, name: &str, read: impl FnMut(JsValue) -> Option<T>) -> Option<Vec<T>> {
    let rows: Array = field(list, name).dyn_into().ok()?;
    rows.iter().map(read).collect()
}

/// A state by its name on the wire.
pub fn linking_state(name: &str) -> LinkingState {
    match name {
        "confirming" => LinkingState::Confirming,
        "awaits" => LinkingState::Awaits,
        _ => LinkingState::Late,
    }
}

fn set(object: &Object, name: &str, text: &str) {
    // Setting a property of a plain object does not fail.
    let _ = Reflect::set(object, &name.into(), &text.into());
}

fn text(object: &JsValue, name: &str) -> Option<String> {
    field(object, name).as_string()
}

fn field(object: &JsValue, name: &str) -> JsValue {
    Reflect::get(object, &name.into()).unwrap_or(JsValue::UNDEFINED)
}
