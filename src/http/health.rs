//! `/healthz`: the process is alive. `/readyz`: it accepts traffic, until the shutdown begins.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use axum::{Router, http::StatusCode, routing::get};
use vincula_domain::routes::{HEALTHZ, READYZ};

/// Whether the process accepts traffic; clones share it.
#[derive(Debug, Clone, Default)]
pub struct Readiness(Arc<AtomicBool>);

impl Readiness {
    /// Makes `/readyz` fail from now on.
    pub fn drain(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub fn is_draining(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Both respond with `ok`; after the shutdown signal `/readyz` responds with 503 `draining`.
pub fn router<S: Clone + Send + Sync + 'static>(readiness: Readiness) -> Router<S> {
    let ready = async move || match readiness.is_draining() {
        false => (StatusCode::OK, "ok"),
        true => (StatusCode::SERVICE_UNAVAILABLE, "draining"),
    };
    Router::new().route(HEALTHZ, get(async || "ok")).route(READYZ, get(ready))
}
