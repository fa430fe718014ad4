//! What operators and supervisors request. `/healthz`: the process is alive. `/readyz`: it accepts
//! traffic, until the shutdown begins. `/metrics` has its own listener, which only the operator
//! should reach.

use axum::{
    Router,
    http::{StatusCode, header},
    routing::get,
};
use tokio_util::sync::CancellationToken;

use crate::{
    routes::{HEALTHZ, METRICS, READYZ},
    telemetry::Metrics,
};

/// The health routes, which respond with `ok`. Once `draining` is cancelled, `/readyz` responds
/// with 503 `draining`.
pub fn health_router<S: Clone + Send + Sync + 'static>(draining: CancellationToken) -> Router<S> {
    let ready = async move || {
        if draining.is_cancelled() {
            (StatusCode::SERVICE_UNAVAILABLE, "draining")
        } else {
            (StatusCode::OK, "ok")
        }
    };
    Router::new()
        .route(HEALTHZ, get(async || "ok"))
        .route(READYZ, get(ready))
}

/// Content type of the exposition format, as Prometheus requests it.
const OPENMETRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// `/metrics`, and the health routes, which respond here until the process ends.
pub fn router(metrics: Metrics, draining: CancellationToken) -> Router {
    let exposition = async move || ([(header::CONTENT_TYPE, OPENMETRICS)], metrics.exposition());
    Router::new()
        .route(METRICS, get(exposition))
        .merge(health_router(draining))
}
