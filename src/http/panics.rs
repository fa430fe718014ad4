//! Handles panics of handlers: the process survives, the person gets a page or a failure with a support code, and the
//! log gets the location in the code.
//!
//! A panic's message may hold anything (slicing a text at a wrong index repeats the text), so it is never logged.

use std::{
    cell::RefCell,
    panic::{AssertUnwindSafe, PanicHookInfo, set_hook},
    sync::Arc,
};

use axum::{
    Json,
    extract::{Request, State},
    http::StatusCode,
    middleware::Next,
    response::{Html, IntoResponse, Response},
};
use futures_util::FutureExt;
use vincula_domain::{problem::Problem, routes::is_action, wire::Failure, words};
use vincula_upstream::Trace;

use super::busy::page;

thread_local! {
    /// The location of this thread's last panic, until [`catch`] takes it.
    static LOCATION: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Sets a panic hook that logs the location in the code, without the message.
pub fn install_hook() {
    set_hook(Box::new(log_location));
}

/// The panic hook: runs on the thread that panics.
pub fn log_location(panic: &PanicHookInfo<'_>) {
    let location = panic.location().map_or_else(|| "unknown".to_owned(), ToString::to_string);
    tracing::error!(place = location, "panicked");
    LOCATION.set(Some(location));
}

/// The layer that catches panics: actions get "anything else" of the catalogue (spec §8), documents a page without
/// session or rendering. Nothing of a handler that panicked is used again.
pub async fn catch(State(stylesheet): State<Arc<str>>, request: Request, next: Next) -> Response {
    let is_action = is_action(request.uri().path());
    let id = Trace::current_request_id();
    // The future returns on the thread that panicked.
    if let Ok(response) = AssertUnwindSafe(next.run(request)).catch_unwind().await {
        return response;
    }
    let place = LOCATION.take().unwrap_or_else(|| "unknown".to_owned());
    tracing::error!(place, request_id = id, "request not answered: its handler panicked");
    let status = StatusCode::INTERNAL_SERVER_ERROR;
    if is_action {
        (status, Json(Failure::problem(Problem::TokenInvalid).with_request_id(id.as_deref()))).into_response()
    } else {
        (status, Html(page(words::BROKEN_TITLE, words::BROKEN, id.as_deref(), &stylesheet))).into_response()
    }
}
