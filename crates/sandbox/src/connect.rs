//! The stand-in for Pluggy's Connect page: its document, and the endpoints that name its banks and
//! create its items.

use std::sync::Arc;

use axum::{
    Json, Router,
    extract::{Path, State},
    http::{HeaderName, StatusCode, header},
    response::Html,
    routing::{get, post},
};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::{
    banks,
    state::{SandboxState, Wait, random_uuid},
};

/// Maximum accounts of one token.
const MAX_ACCOUNTS: usize = 50;

const DOCUMENT: &str = include_str!("../assets/connect.html");
const SCRIPT: &str = include_str!("../assets/connect.js");
const STYLE: &str = include_str!("../assets/connect.css");

/// Only the product's origin may frame the document.
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

/// The payload that the stand-in's script posts after an accepted login.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Finish {
    connect_token: String,
    update_item: Option<String>,
    /// The connector of the bank that was chosen in the product, if the host named one.
    connector_id: Option<u32>,
    /// Code of the account's bank, for callers without a host.
    bank: Option<String>,
    /// Whether another person must approve the account at the bank.
    #[serde(default)]
    awaits_approval: bool,
}

/// The stand-in's files and the endpoints that complete them.
pub(crate) fn router(state: Arc<SandboxState>) -> Router {
    let file = |kind: &'static str, content: &'static str| {
        get(async move || ([(header::CONTENT_TYPE, kind)], content))
    };
    Router::new()
        .route(
            "/sandbox/connect",
            get(async || (DOCUMENT_HEADERS, Html(DOCUMENT))),
        )
        .route(
            "/sandbox/connect.js",
            file("text/javascript; charset=utf-8", SCRIPT),
        )
        .route(
            "/sandbox/connect.css",
            file("text/css; charset=utf-8", STYLE),
        )
        .merge(items(state))
}

/// Only the endpoints.
pub(crate) fn items(state: Arc<SandboxState>) -> Router {
    Router::new()
        .route("/sandbox/connect/items", post(finish))
        .route("/sandbox/connect/connectors/{id}", get(connector))
        .with_state(state)
}

/// Creates an item or, with `update_item`, renews it, and returns its id. A new item adds an
/// account, which is confirmed later or waits for another person's approval.
async fn finish(
    State(state): State<Arc<SandboxState>>,
    Json(finish): Json<Finish>,
) -> Result<Json<Value>, (StatusCode, Json<Value>)> {
    let refused = |status, message| Err((status, Json(json!({ "message": message }))));
    let mut clients = state.clients();
    let Some(client) = clients
        .iter_mut()
        .find(|client| client.connect_tokens.contains(&finish.connect_token))
    else {
        return refused(StatusCode::NOT_FOUND, "connect token not found");
    };
    let item = match finish.update_item {
        _ if client.is_cancelled => return refused(StatusCode::CONFLICT, "integrations cancelled"),
        Some(item) if client.caller.link.profile.link_id == Some(item.as_str()) => item,
        Some(_) => return refused(StatusCode::NOT_FOUND, "item not found"),
        None if client.accounts.len() >= MAX_ACCOUNTS => {
            return refused(StatusCode::CONFLICT, "too many accounts");
        }
        None => {
            let bank = finish.connector_id.map(banks::code_of).or(finish.bank);
            let confirmed = Wait::Until(Instant::now() + state.options.confirm_after);
            client.add_account(
                bank.as_deref(),
                if finish.awaits_approval {
                    Wait::Approval
                } else {
                    confirmed
                },
            );
            random_uuid()
        }
    };
    Ok(Json(json!({ "item": { "id": item } })))
}

/// The bank of a connector, for the stand-in to show.
async fn connector(Path(id): Path<u32>) -> Result<Json<Value>, StatusCode> {
    let name = banks::name_of(&banks::code_of(id)).ok_or(StatusCode::NOT_FOUND)?;
    Ok(Json(json!({ "name": name })))
}
