//! What operators and supervisors request. `/healthz`: the process is alive. `/readyz`: it accepts traffic, until the
//! shutdown begins. `/metrics`, on a listener of its own, which nobody else should reach.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use axum::{
    Router,
    http::{StatusCode, header},
    routing::get,
};
use vincula_domain::routes::{HEALTHZ, METRICS, READYZ};

use crate::telemetry::Metrics;

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

/// The health routes respond with `ok`; after the shutdown signal `/readyz` responds with 503 `draining`.
pub fn health_router<S: Clone + Send + Sync + 'static>(readiness: Readiness) -> Router<S> {
    let ready = async move || match readiness.is_draining() {
        false => (StatusCode::OK, "ok"),
        true => (StatusCode::SERVICE_UNAVAILABLE, "draining"),
    };
    Router::new().route(HEALTHZ, get(async || "ok")).route(READYZ, get(ready))
}

/// Content type of the exposition format, as Prometheus requests it.
const OPENMETRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// `/metrics`, and the health routes, which respond here until the process ends.
pub fn router(metrics: Metrics, readiness: Readiness) -> Router {
    let exposition = async move || ([(header::CONTENT_TYPE, OPENMETRICS)], metrics.exposition());
    Router::new().route(METRICS, get(exposition)).merge(health_router(readiness))
}
