//! The door of the server functions: what the framework says by itself is put into our own words.

use axum::{
    Json,
    extract::Request,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use leptos::server_fn::axum::server_fn_paths;
use leptos_axum::handle_server_fns_with_context;

use crate::{error::Problem, wire::Failure};

/// Runs the server function at the request's path.
///
/// Each of them sets the status of its own failures, so a plain 500 means that the framework could not read the
/// arguments: the caller's mistake.
pub async fn run(context: impl Fn() + Clone + Send + Sync + 'static, request: Request) -> Response {
    if !server_fn_paths().any(|(path, _)| path == request.uri().path()) {
        return refuse(StatusCode::NOT_FOUND);
    }
    let response = handle_server_fns_with_context(context, request).await.into_response();
    match response.status() {
        StatusCode::INTERNAL_SERVER_ERROR => refuse(StatusCode::BAD_REQUEST),
        _ => response,
    }
}

/// A request that no page of ours makes.
pub fn refuse(status: StatusCode) -> Response {
    (status, Json(Failure::problem(Problem::TokenInvalid))).into_response()
}
