//! The nine calls: their payloads, and what they do.

use std::sync::Arc;

use axum::{
    Router,
    body::Bytes,
    extract::{DefaultBodyLimit, State},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
    routing::{get, post, put},
};
use serde::{Deserialize, de::IgnoredAny};

use super::{
    BASE_PATH, banks, demo_links,
    reply::Reply,
    request::{self, Payload},
    state::{Caller, Client, LogRecord, SandboxState},
};

/// Longest request body, in bytes.
const MAX_BODY_BYTES: usize = 32 * 1024;

/// Longest id of an item, in bytes (docs/widget-api.openapi.yaml).
const MAX_ITEM_LEN: usize = 128;

type Shared = State<Arc<SandboxState>>;

/// The nine calls under the base path.
pub fn router(state: Arc<SandboxState>) -> Router {
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
        .fallback(async || Reply::error(StatusCode::NOT_FOUND, "No such call"))
        .method_not_allowed_fallback(async || Reply::error(StatusCode::METHOD_NOT_ALLOWED, "Method not allowed"))
        .layer(DefaultBodyLimit::max(MAX_BODY_BYTES))
        .with_state(state)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Validation {
    token: String,
    #[serde(default)]
    no_validate: NoValidate,
}

/// Absent or `of-success`, not `null`.
#[derive(Default, PartialEq, Eq, Deserialize)]
enum NoValidate {
    #[default]
    #[serde(skip)]
    Absent,
    #[serde(rename = "of-success")]
    OfSuccess,
}

async fn validate_token(State(state): Shared, Payload(asked): Payload<Validation>) -> Result<Response, Response> {
    let demo = demo_links::find(&asked.token).ok_or_else(|| Reply::token_not_found().into_response())?;
    // The return from the bank is accepted after the link has expired.
    let is_expected = demo.link.returns && asked.no_validate == NoValidate::OfSuccess;
    if !is_expected {
        state.fail(&asked.token, demo, "/validate-token").await?;
    }
    let cookie = [(header::SET_COOKIE, request::xsrf_cookie(&asked.token))];
    Ok((cookie, Reply::with(demo.profile)).into_response())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Authorization {
    customer_id: u32,
}

async fn authorize_customer(
    State(state): Shared,
    caller: Caller,
    headers: HeaderMap,
    Payload(asked): Payload<Authorization>,
) -> Result<Reply, Reply> {
    request::check_evidence(&headers)?;
    check(asked.customer_id == caller.demo.profile.customer_id, "customer_id: not the firm of this client")?;
    Ok(state.change(&caller, Client::authorize))
}

async fn list_accounts(State(state): Shared, caller: Caller, body: Bytes) -> Result<Reply, Reply> {
    check(body.is_empty(), NO_PAYLOAD)?;
    Ok(state.accounts(&caller))
}

async fn list_banks(_: Caller, body: Bytes) -> Result<Reply, Reply> {
    check(body.is_empty(), NO_PAYLOAD)?;
    Ok(Reply::with(banks::list()))
}

const NO_PAYLOAD: &str = "this call takes no payload";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cancellation {
    cpfcnpj: String,
}

async fn cancel_integrations(
    State(state): Shared,
    caller: Caller,
    Payload(asked): Payload<Cancellation>,
) -> Result<Reply, Reply> {
    check(asked.cpfcnpj == caller.demo.profile.client_cpfcnpj, "cpfcnpj: not the document of this client")?;
    Ok(state.change(&caller, Client::cancel))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Success {
    token: String,
}

async fn success(State(state): Shared, caller: Caller, Payload(asked): Payload<Success>) -> Result<Reply, Reply> {
    check(asked.token == caller.token, "token: not the bearer token")?;
    Ok(state.change(&caller, |client| client.journal.successes += 1))
}

/// Both keys are required; an id that the client does not have is `null` or empty.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Opening {
    #[serde(deserialize_with = "Option::deserialize")]
    link_id: Option<String>,
    #[serde(deserialize_with = "Option::deserialize")]
    client_uuid: Option<String>,
}

async fn connect_token(State(state): Shared, caller: Caller, Payload(asked): Payload<Opening>) -> Result<Reply, Reply> {
    let is_same = |asked: Option<String>, known: Option<&str>| asked.unwrap_or_default() == known.unwrap_or_default();
    let profile = &caller.demo.profile;
    let is_right = is_same(asked.link_id, profile.link_id) && is_same(asked.client_uuid, profile.client_uuid);
    check(is_right, "link_id, client_uuid: not those of this client")?;
    Ok(Reply::with(state.issue_connect_token(&caller)))
}

async fn log(
    State(state): Shared,
    caller: Caller,
    headers: HeaderMap,
    Payload(record): Payload<LogRecord>,
) -> Result<Reply, Reply> {
    request::check_idempotency_key(&headers)?;
    check(serde_json::from_str::<IgnoredAny>(&record.data_log).is_ok(), "data_log: not JSON text")?;
    Ok(state.change(&caller, |client| client.log(record)))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Update {
    link: String,
}

async fn update_link_account(
    State(state): Shared,
    caller: Caller,
    Payload(asked): Payload<Update>,
) -> Result<Reply, Reply> {
    check((1..=MAX_ITEM_LEN).contains(&asked.link.len()), "link: empty or too long")?;
    Ok(state.change(&caller, |client| client.journal.updates += 1))
}

/// 422, naming the problem, unless the request is right.
fn check(is_right: bool, problem: &'static str) -> Result<(), Reply> {
    if is_right { Ok(()) } else { Err(Reply::unprocessable(problem)) }
}
