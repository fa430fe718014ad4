//! Responses to actions that no page of ours sends.

use axum::{
    Json,
    extract::State,
    http::{StatusCode, Uri},
    response::{IntoResponse, Response},
};
use vincula_domain::{problem::Problem, wire::Failure};
use vincula_upstream::Trace;

use super::busy::refused;
use crate::server::AppState;

/// Removes the framework's header of failed server functions, which repeats the status.
pub async fn without_framework_mark(mut response: Response) -> Response {
    response.headers_mut().remove("serverfnerror");
    response
}

/// The handler of unknown actions.
pub async fn unknown() -> Response {
    refuse(StatusCode::NOT_FOUND)
}

/// The handler of a method that a page or an action does not take.
pub async fn wrong_method(State(state): State<AppState>, uri: Uri) -> Response {
    refused(StatusCode::METHOD_NOT_ALLOWED, uri.path(), &state.site.assets.css)
}

/// The response to an action that no page of ours sends.
pub fn refuse(status: StatusCode) -> Response {
    let failure = Failure::problem(Problem::TokenInvalid).with_request_id(Trace::current_request_id().as_deref());
    (status, Json(failure)).into_response()
}
