//! Actions as the islands call them: the page's client posts and reads JSON, so that neither has to be in the wasm
//! module.

use js_sys::{Array, Object, Reflect};
use vincula_domain::{
    action::Action,
    problem::Problem,
    routes,
    wire::{Account, AccountList, Accounts, LinkingState, WaitingAccount},
    words,
};
use wasm_bindgen::prelude::*;

use crate::page;

/// A failed action.
pub struct Failed {
    /// As the page's client gives it.
    failure: JsValue,
    /// How long the server asks to wait before the next try, in milliseconds.
    pub retry_after_ms: u32,
}

impl Failed {
    /// The server's answer cannot be read, which is no fault of the link.
    fn unreadable() -> Self {
        let failure = Object::new();
        set(&failure, "kind", "navigate");
        set(&failure, "to", &routes::with_flag(&routes::error(Problem::TokenInvalid), routes::OUTAGE));
        Self { failure: failure.into(), retry_after_ms: 0 }
    }

    /// Whether there was no response.
    pub fn is_no_reply(&self) -> bool {
        text(&self.failure, "kind").as_deref() == Some("no_reply")
    }

    /// Does what the failure asks for. Returns whether the page stays.
    pub fn handle(&self) -> bool {
        page::handle_failure(&self.failure)
    }

    /// Does what the failure asks for, but stays where it leads to an error screen: the page works without this call.
    pub fn handle_and_stay(&self) {
        let leads_to = text(&self.failure, "to").unwrap_or_default();
        if leads_to.starts_with(routes::ERROR) {
            page::toast("error", words::NO_REPLY);
        } else {
            self.handle();
        }
    }
}

/// Lists the accounts; `known` is the digest of the list that the page has, if it has one. After `timeout_ms`, if not 0,
/// the call counts as unanswered.
pub async fn list_accounts(session: &str, known: Option<&str>, timeout_ms: u32) -> Result<Accounts, Failed> {
    let input = input(session);
    if let Some(known) = known {
        set(&input, "known", known);
    }
    let data = post(Action::ListAccounts, &input, false, timeout_ms).await?;
    accounts(&data).ok_or_else(Failed::unreadable)
}

/// Cancels every integration; returns where the page goes next.
pub async fn cancel_integrations(session: &str) -> Result<String, Failed> {
    let data = post(Action::CancelIntegrations, &input(session), true, 0).await?;
    text(&data, "to").ok_or_else(Failed::unreadable)
}

/// Makes the success call.
pub async fn confirm_success(session: &str) -> Result<(), Failed> {
    post(Action::ConfirmSuccess, &input(session), true, 0).await.map(drop)
}

/// Delivers what the tab keeps, if it keeps anything; then makes the success call, as the success screen would have.
pub async fn deliver(session: &str) {
    if page::deliver(session).await.is_truthy() {
        let _ = confirm_success(session).await;
    }
}

async fn post(action: Action, input: &Object, keepalive: bool, timeout_ms: u32) -> Result<JsValue, Failed> {
    let answer = page::post(action.name(), input, keepalive, timeout_ms).await;
    if field(&answer, "ok").is_truthy() {
        return Ok(field(&answer, "data"));
    }
    let retry_after_ms = field(&answer, "retryAfterMs").as_f64().unwrap_or_default() as u32;
    Err(Failed { failure: field(&answer, "failure"), retry_after_ms })
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
            let (accounts, waiting) = (rows(data, "accounts", account)?, rows(data, "waiting", waiting_account)?);
            Some(Accounts::Listed { digest: text(data, "digest")?, list: AccountList { accounts, waiting } })
        }
        _ => None,
    }
}

fn account(row: &JsValue) -> Option<Account> {
    let text = |name| text(row, name);
    Some(Account {
        brand: text("brand").unwrap_or_default(),
        bank: text("bank")?,
        agency: text("agency")?,
        number: text("number")?,
        name: text("name")?,
    })
}

/// A row that waits, of the list or of the page's context.
pub fn waiting_account(row: &JsValue) -> Option<WaitingAccount> {
    let state = text(row, "state")?.parse().unwrap_or(LinkingState::Confirming);
    Some(WaitingAccount {
        brand: text(row, "brand").unwrap_or_default(),
        bank: text(row, "bank")?,
        state,
        approve_by: text(row, "approveBy")?,
    })
}

/// The objects of an array; `None` if it is no array or one of them is another thing.
pub fn rows<T>(object: &JsValue, name: &str, read: fn(&JsValue) -> Option<T>) -> Option<Vec<T>> {
    let rows: Array = field(object, name).dyn_into().ok()?;
    rows.iter().map(|row| read(&row)).collect()
}

pub fn text(object: &JsValue, name: &str) -> Option<String> {
    field(object, name).as_string()
}

pub fn field(object: &JsValue, name: &str) -> JsValue {
    Reflect::get(object, &name.into()).unwrap_or(JsValue::UNDEFINED)
}

fn set(object: &Object, name: &str, text: &str) {
    // Setting a property of a plain object does not fail.
    let _ = Reflect::set(object, &name.into(), &text.into());
}
