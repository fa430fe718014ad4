//! Metrics and health, on a listener of their own for operators. Nobody else should reach it.

use axum::{Router, http::header, routing::get};
use vincula_domain::routes::METRICS;
use vincula_telemetry::Metrics;

use crate::http::health::{self, Readiness};

/// Content type of the exposition format, as Prometheus requests it.
const OPENMETRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// `/metrics`, and the health routes, which respond here until the process ends.
pub fn router(metrics: Metrics, readiness: Readiness) -> Router {
    let exposition = async move || ([(header::CONTENT_TYPE, OPENMETRICS)], metrics.exposition());
    Router::new().route(METRICS, get(exposition)).merge(health::router(readiness))
}
