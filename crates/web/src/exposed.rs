//! What an address of its own shows to those who run the product: metrics and health. Nobody else should reach it.

use axum::{Router, http::header, routing::get};
use vincula_domain::routes::METRICS;
use vincula_telemetry::Metrics;

use crate::health::{self, Readiness};

/// The content type of the exposition format, as Prometheus asks for it.
const OPENMETRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// `/metrics`, and the health routes, which answer here to the end of the process.
pub fn router(metrics: Metrics, readiness: Readiness) -> Router {
    let exposition = async move || ([(header::CONTENT_TYPE, OPENMETRICS)], metrics.exposition());
    Router::new().route(METRICS, get(exposition)).merge(health::router(readiness))
}
