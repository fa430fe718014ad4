//! The stand-in for Pluggy's Connect page: its document, and the endpoints that name its banks and create its items.

use std::sync::Arc;

use axum::{
    Json, Router,
    extract::{Path, State},
    http::{HeaderName, StatusCode, header},
    response::{Html, IntoResponse, Response},
    routing::{get, post},
};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    banks,
    state::{ConnectError, SandboxState},
};

const DOCUMENT: &str = include_str!("../assets/connect.html");
const SCRIPT: &str = include_str!("../assets/connect.js");
const STYLE: &str = include_str!("../assets/connect.css");

/// The product frames the document, so only its own origin may.
const DOCUMENT_HEADERS: [(HeaderName, &str); 4] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; \
         connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
    ),
    (header::X_FRAME_OPTIONS, "SAMEORIGIN"),
    (header::CACHE_CONTROL, "no-store"),
    (header::REFERRER_POLICY, "no-referrer"),
];

/// The payload that the stand-in's script posts when the login was accepted.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Finish {
    connect_token: String,
    update_item: Option<String>,
    /// The connector of the bank that was chosen before, if the host named one.
    connector_id: Option<u32>,
    /// Code of the account's bank, for callers without a host.
    bank: Option<String>,
    /// Another person still has to approve it at the bank.
    #[serde(default)]
    awaits_approval: bool,
}

/// The stand-in's files and the endpoints that complete them.
pub fn router(state: Arc<SandboxState>) -> Router {
    let file = |kind: &'static str, content: &'static str| get(async move || ([(header::CONTENT_TYPE, kind)], content));
    Router::new()
        .route("/sandbox/connect", get(async || (DOCUMENT_HEADERS, Html(DOCUMENT))))
        .route("/sandbox/connect.js", file("text/javascript; charset=utf-8", SCRIPT))
        .route("/sandbox/connect.css", file("text/css; charset=utf-8", STYLE))
        .merge(items(state))
}

/// The endpoints alone.
pub fn items(state: Arc<SandboxState>) -> Router {
    Router::new()
        .route("/sandbox/connect/items", post(finish))
        .route("/sandbox/connect/connectors/{id}", get(connector))
        .with_state(state)
}

async fn finish(
    State(state): State<Arc<SandboxState>>,
    Json(finish): Json<Finish>,
) -> Result<Json<Value>, ConnectError> {
    let bank = finish.connector_id.and_then(banks::name_of_connector);
    let bank = bank.or_else(|| finish.bank.as_deref().and_then(banks::name_of));
    let id = state.finish_connect(&finish.connect_token, finish.update_item, bank, finish.awaits_approval)?;
    Ok(Json(json!({ "item": { "id": id } })))
}

/// The bank of a connector, for the stand-in to show.
async fn connector(Path(id): Path<u32>) -> Result<Json<Value>, StatusCode> {
    banks::name_of_connector(id).map(|name| Json(json!({ "name": name }))).ok_or(StatusCode::NOT_FOUND)
}

impl IntoResponse for ConnectError {
    fn into_response(self) -> Response {
        let (status, message) = match self {
            Self::UnknownConnectToken => (StatusCode::NOT_FOUND, "connect token not found"),
            Self::UnknownItem => (StatusCode::NOT_FOUND, "item not found"),
            Self::Cancelled => (StatusCode::CONFLICT, "integrations cancelled"),
            Self::TooManyAccounts => (StatusCode::CONFLICT, "too many accounts"),
        };
        (status, Json(json!({ "message": message }))).into_response()
    }
}
