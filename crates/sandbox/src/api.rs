//! The nine calls: their payloads and effects.

use std::sync::Arc;

use axum::{
    Router,
    extract::State,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
    routing::{get, post, put},
};
use serde::de::IgnoredAny;
use serde_json::Value;

use super::{
    BASE_PATH, banks,
    request::{self, Payload},
    response::{Refusal, ok, refusal, unprocessable},
    state::{Caller, Client, SandboxState},
};

/// Longest id of an item, in bytes (docs/widget-api.openapi.yaml).
const MAX_ITEM_LEN: usize = 128;

/// The events that the product logs.
const LOG_TYPES: [&str; 4] = [
    "pluggy-getConnectToken-request",
    "pluggy-getConnectToken-response",
    "pluggy-widget-success",
    "pluggy-widget-error",
];

type Shared = State<Arc<SandboxState>>;
type CallResult = Result<Response, Response>;

/// The nine calls under the base path.
pub(crate) fn router(state: Arc<SandboxState>) -> Router {
    let calls = Router::new()
        .route("/validate-token", post(validate_token))
        .route("/authorize-customer", post(authorize_customer))
        .route("/list-accounts", get(list_accounts))
        .route("/cancel-integrations", post(cancel_integrations))
        .route("/list-banks", get(list_banks))
        .route("/success", post(success))
        .route("/connect-token", post(connect_token))
        .route("/log", post(log))
        .route("/update-link-account", put(update_link_account));
    Router::new()
        .nest(BASE_PATH, calls)
        .fallback(async || Response::from(refusal(StatusCode::NOT_FOUND, "No such call")))
        .method_not_allowed_fallback(async || {
            Response::from(refusal(
                StatusCode::METHOD_NOT_ALLOWED,
                "Method not allowed",
            ))
        })
        .with_state(state)
}

async fn validate_token(State(state): Shared, Payload(asked): Payload) -> CallResult {
    let token = asked["token"]
        .as_str()
        .ok_or_else(|| unprocessable("token: no text"))?;
    let mark = &asked["no_validate"];
    let returns = mark == "of-success";
    check(returns || mark.is_null(), "no_validate: not of-success")?;
    let caller = Caller::from_token(token)?;
    // The return from the bank is accepted after the link has expired.
    if !(returns && caller.link.returns) {
        state.apply_fault(&caller, "/validate-token").await?;
    }
    Ok((
        [(header::SET_COOKIE, request::xsrf_cookie(token))],
        ok(caller.link.profile),
    )
        .into_response())
}

async fn authorize_customer(
    State(state): Shared,
    caller: Caller,
    headers: HeaderMap,
    Payload(asked): Payload,
) -> CallResult {
    request::check_evidence(&headers)?;
    expect(&asked, "customer_id", caller.link.profile.customer_id)?;
    state.with_client(&caller, |client| client.is_cancelled = false);
    Ok(ok(()))
}

async fn list_accounts(State(state): Shared, caller: Caller) -> Response {
    ok(state.with_client(&caller, |client| client.rows()))
}

async fn list_banks(_: Caller) -> Response {
    ok(&banks::BANKS[..])
}

async fn cancel_integrations(
    State(state): Shared,
    caller: Caller,
    Payload(asked): Payload,
) -> CallResult {
    expect(&asked, "cpfcnpj", caller.link.profile.client_cpfcnpj)?;
    state.with_client(&caller, Client::cancel);
    Ok(ok(()))
}

async fn success(caller: Caller, Payload(asked): Payload) -> CallResult {
    expect(&asked, "token", caller.token)?;
    Ok(ok(()))
}

async fn connect_token(
    State(state): Shared,
    caller: Caller,
    Payload(asked): Payload,
) -> CallResult {
    let profile = caller.link.profile;
    check(
        ["link_id", "client_uuid"]
            .iter()
            .all(|key| asked.get(key).is_some()),
        "link_id, client_uuid: both are needed",
    )?;
    expect(&asked, "link_id", profile.link_id)?;
    expect(&asked, "client_uuid", profile.client_uuid)?;
    Ok(ok(state.with_client(&caller, Client::issue_connect_token)))
}

async fn log(_: Caller, Payload(record): Payload) -> CallResult {
    let [kind, status, data] =
        ["type", "status", "data_log"].map(|key| record[key].as_str().unwrap_or_default());
    check(LOG_TYPES.contains(&kind), "type: none of the four events")?;
    check(
        ["SUCCESS", "ERROR"].contains(&status),
        "status: neither SUCCESS nor ERROR",
    )?;
    check(
        serde_json::from_str::<IgnoredAny>(data).is_ok(),
        "data_log: not JSON text",
    )?;
    Ok(ok(()))
}

async fn update_link_account(_: Caller, Payload(asked): Payload) -> CallResult {
    let link = asked["link"].as_str().unwrap_or_default();
    check(
        (1..=MAX_ITEM_LEN).contains(&link.len()),
        "link: missing, empty or too long",
    )?;
    Ok(ok(()))
}

/// Returns 422 with the problem unless the condition holds.
fn check(is_right: bool, problem: &str) -> Result<(), Refusal> {
    if is_right {
        Ok(())
    } else {
        Err(unprocessable(problem))
    }
}

/// Returns 422 unless the payload has this value. The sandbox knows its clients. It ignores other
/// keys.
fn expect(payload: &Value, key: &str, value: impl Into<Value>) -> Result<(), Refusal> {
    let value = value.into();
    check(payload[key] == value, &format!("{key}: expected {value}"))
}
