//! What is seen of every request: its support code, its numbers, and one log line,
//! without query, cookie and body: they hold tokens and names.

use std::sync::{Arc, OnceLock};

use axum::{
    extract::{Request, State},
    http::{HeaderValue, Method},
    middleware::Next,
    response::Response,
};
use tracing::{Instrument, error_span};
use vincula_domain::routes::{ISLANDS, PKG};
use vincula_upstream::{RequestId, request_id::REQUEST_ID};

use super::Target;
use crate::telemetry::{Cause, Metrics};

/// The cause of a failure that the status does not show: forms without JavaScript always get a
/// redirect. An extension of every request.
#[derive(Debug, Clone, Default)]
pub struct RecordedCause(Arc<OnceLock<Cause>>);

impl RecordedCause {
    /// Records the cause of the request, once.
    pub fn record(&self, cause: Cause) {
        let _ = self.0.set(cause);
    }
}

/// The layer around all others. It counts the request and writes its line when the response's head
/// is ready.
pub async fn observe(State(metrics): State<Metrics>, mut request: Request, next: Next) -> Response {
    let request_id = RequestId::random();
    let target = Target::at(request.uri().path());
    request.extensions_mut().insert(target);
    // Each line of the request has the span's field. At the level of errors, so that no filter of
    // the log hides it.
    let span = error_span!("request", %request_id);
    let recorded = RecordedCause::default();
    request.extensions_mut().insert(recorded.clone());
    request.extensions_mut().insert(request_id.clone());
    let (method, route) = (request.method().clone(), target.route());
    let timed = metrics.request(name_of(&method), route.to_string());
    let mut response = next.run(request).instrument(span.clone()).await;
    let _entered = span.enter();
    let cause = recorded
        .0
        .get()
        .copied()
        .unwrap_or(Cause::from_status(response.status()));
    let ms = u64::try_from(timed.begun.elapsed().as_millis()).unwrap_or(u64::MAX);
    timed.finish([
        &format!("{}xx", response.status().as_u16() / 100),
        cause.into(),
    ]);
    let status = response.status().as_u16();
    let cause = (cause != Cause::None).then(|| <&str>::from(cause));
    if matches!(target, Target::File(PKG | ISLANDS)) {
        tracing::debug!(%method, %route, status, cause, ms, "request")
    } else {
        tracing::info!(%method, %route, status, cause, ms, "request")
    }
    if let Ok(value) = HeaderValue::from_str(request_id.as_str()) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    response
}

fn name_of(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        _ => "other",
    }
}
