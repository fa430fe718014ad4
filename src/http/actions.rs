//! Rewrites the framework's own responses to actions.

use axum::{
    Json,
    extract::Request,
    http::{HeaderName, StatusCode},
    response::{IntoResponse, Response},
};
pub use vincula_domain::routes::is_action;
use vincula_domain::{problem::Problem, wire::Failure};
use vincula_telemetry::Trace;

use crate::http::inner::Inner;

/// The framework's header on failed server functions: redundant with the status.
const FRAMEWORK_MARK: HeaderName = HeaderName::from_static("serverfnerror");

/// Rewrites the framework's own responses to actions.
///
/// Each server function sets the status of its own failures, so a plain 500 means that the framework could not read
/// the arguments: the caller's mistake.
pub async fn in_our_words(request: Request, next: impl Inner) -> Response {
    if !is_action(request.uri().path()) {
        return next.run(request).await;
    }
    let mut response = next.run(request).await;
    response.headers_mut().remove(FRAMEWORK_MARK);
    match response.status() {
        StatusCode::INTERNAL_SERVER_ERROR => refuse(StatusCode::BAD_REQUEST),
        _ => response,
    }
}

/// The handler of unknown actions.
pub async fn unknown() -> Response {
    refuse(StatusCode::NOT_FOUND)
}

/// The response to an action that no page of ours sends.
pub fn refuse(status: StatusCode) -> Response {
    let trace = Trace::current();
    let failure = Failure::problem(Problem::TokenInvalid).with_request_id(trace.as_ref().map(Trace::request_id));
    (status, Json(failure)).into_response()
}
