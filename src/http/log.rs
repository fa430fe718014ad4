//! What is seen of every request: its numbers, and one log line, without query, cookie and body:
//! they hold tokens and names.

use axum::{
    Extension,
    extract::{Request, State},
    http::{Method, StatusCode},
    middleware::Next,
    response::Response,
};
use tracing::{Instrument, Span, error_span};
use vincula_upstream::{RequestId, metrics::Timed};

use super::Target;
use crate::{
    routes::{ISLANDS, PKG},
    telemetry::Metrics,
};

/// A request without its response yet. Dropping it writes its line and counts it. It has no status if
/// the server drops it, which it does when the client leaves.
struct Pending {
    method: &'static str,
    target: Target,
    span: Span,
    timed: Timed,
    status: Option<StatusCode>,
}

impl Drop for Pending {
    fn drop(&mut self) {
        let Self { method, status, .. } = self;
        let _entered = self.span.enter();
        let route = self.target.route();
        let ms = u64::try_from(self.timed.begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        let Some(status) = status.map(|status| status.as_u16()) else {
            tracing::info!(method, %route, ms, "request dropped before its response");
            return;
        };
        self.timed.end_as(status.to_string());
        if matches!(self.target, Target::File(PKG | ISLANDS)) {
            tracing::debug!(method, %route, status, ms, "request");
        } else {
            tracing::info!(method, %route, status, ms, "request");
        }
    }
}

/// A method that the product has, or "other": a method can be any text, as long as a request's head.
fn name_of(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        _ => "other",
    }
}

/// The layer that counts a request, and writes its line when the response's head is ready, or when
/// the client leaves.
pub async fn observe(
    State(metrics): State<Metrics>,
    Extension(request_id): Extension<RequestId>,
    target: Target,
    request: Request,
    next: Next,
) -> Response {
    // Each line of the request has the span's field. At the level of errors, so that no filter of
    // the log hides it.
    let span = error_span!("request", %request_id);
    let mut pending = Pending {
        method: name_of(request.method()),
        target,
        span: span.clone(),
        timed: metrics.request(target.route().to_string()),
        status: None,
    };
    let response = next.run(request).instrument(span).await;
    pending.status = Some(response.status());
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logs_no_text_of_a_method() {
        let long = Method::from_bytes(&[b'A'; 9_000]).unwrap();
        assert_eq!(name_of(&long), "other");
        assert_eq!(name_of(&Method::HEAD), "HEAD");
    }
}
