//! `/healthz`: the process is alive. `/readyz`: it may be sent traffic.

use axum::{Router, routing::get};

use crate::routes::{HEALTHZ, READYZ};

/// Both answer `ok`; a process that cannot serve does not answer at all.
pub fn router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new().route(HEALTHZ, get(|| async { "ok" })).route(READYZ, get(|| async { "ok" }))
}
