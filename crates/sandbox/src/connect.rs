//! The stand-in for Pluggy's Connect page: its document and the endpoint that creates its items.

use std::sync::Arc;

use axum::{
    Json, Router,
    extract::State,
    http::{HeaderName, StatusCode, header},
    response::{Html, IntoResponse, Response},
    routing::{get, post},
};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::state::{NoItem, SandboxState};

/// The script is last, and neither deferred nor a module: `zoid.create` has to run while the document loads, after
/// `<main>`.
const DOCUMENT: &str = r#"<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Pluggy Connect (simulação)</title>
<link rel="stylesheet" href="/sandbox/connect.css">
</head>
<body>
<main id="stand-in"></main>
<script src="/sandbox/connect.js"></script>
</body>
</html>
"#;

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

/// The payload that the stand-in's script posts on success.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Finish {
    connect_token: String,
    update_item: Option<String>,
    /// Code of the chosen bank, if the stand-in asked for one.
    bank: Option<String>,
}

#[derive(Serialize)]
struct Finished {
    item: Item,
}

#[derive(Serialize)]
struct Item {
    id: String,
}

/// The stand-in's document and the endpoint that completes it.
pub fn router(state: Arc<SandboxState>) -> Router {
    let document = Router::new().route("/sandbox/connect", get(async || (DOCUMENT_HEADERS, Html(DOCUMENT))));
    document.merge(items(state))
}

/// The endpoint alone.
pub fn items(state: Arc<SandboxState>) -> Router {
    Router::new().route("/sandbox/connect/items", post(finish)).with_state(state)
}

async fn finish(State(state): State<Arc<SandboxState>>, Json(finish): Json<Finish>) -> Result<Json<Finished>, NoItem> {
    let id = state.finish_connect(&finish.connect_token, finish.update_item, finish.bank.as_deref())?;
    Ok(Json(Finished { item: Item { id } }))
}

impl IntoResponse for NoItem {
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
