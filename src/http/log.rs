//! What is seen of every request: its support code, its numbers, and one log line,
//! without query, cookie and body: they hold tokens and names.

use axum::{
    extract::{Request, State},
    http::HeaderValue,
    middleware::Next,
    response::Response,
};
use tracing::{Instrument, error_span};
use vincula_domain::routes::{ISLANDS, PKG};
use vincula_upstream::{RequestId, request_id::REQUEST_ID};

use super::Target;
use crate::telemetry::Metrics;

/// The layer around all others. It counts the request and writes its line when the response's head
/// is ready.
pub async fn observe(State(metrics): State<Metrics>, mut request: Request, next: Next) -> Response {
    let request_id = RequestId::random();
    let target = Target::at(request.uri().path());
    request.extensions_mut().insert(target);
    // Each line of the request has the span's field. At the level of errors, so that no filter of
    // the log hides it.
    let span = error_span!("request", %request_id);
    request.extensions_mut().insert(request_id.clone());
    let (method, route) = (request.method().clone(), target.route());
    let timed = metrics.request(route.to_string());
    let mut response = next.run(request).instrument(span.clone()).await;
    let _entered = span.enter();
    let ms = u64::try_from(timed.begun.elapsed().as_millis()).unwrap_or(u64::MAX);
    let status = response.status().as_u16();
    timed.finish(status.to_string());
    if matches!(target, Target::File(PKG | ISLANDS)) {
        tracing::debug!(%method, %route, status, ms, "request")
    } else {
        tracing::info!(%method, %route, status, ms, "request")
    }
    if let Ok(value) = HeaderValue::from_str(request_id.as_str()) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    response
}
