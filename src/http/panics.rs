//! Handles panics of handlers: the process survives, the person gets a page or a failure with a support code, and the
//! log gets the location in the code.
//!
//! A panic's message may hold anything (slicing a text at a wrong index repeats the text), so it is never logged.

use std::{
    any::Any,
    cell::RefCell,
    future::poll_fn,
    panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook},
    pin::pin,
    task::Poll,
};

use axum::{
    Json,
    body::Body,
    extract::Request,
    http::StatusCode,
    response::{Html, IntoResponse, Response},
};
use vincula_domain::{problem::Problem, routes::is_action, wire::Failure, words};

use super::{RequestId, busy::page};
use crate::http::inner::Inner;

thread_local! {
    /// The location of this thread's last panic, until [`caught`] takes it.
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Marks the response of a handler that panicked.
#[derive(Clone)]
struct Panicked {
    place: String,
}

/// Sets a panic hook that logs the location in the code, without the message.
pub fn keep_messages_out() {
    set_hook(Box::new(note));
}

/// The panic hook: runs on the thread that panics.
pub fn note(panic: &PanicHookInfo<'_>) {
    let place = panic.location().map_or_else(|| "unknown".to_owned(), ToString::to_string);
    tracing::error!(place, "panicked");
    PLACE.set(Some(place));
}

/// The layer that catches panics. Nothing of a handler that panicked is used again.
pub async fn catch(request: Request, next: impl Inner) -> Response {
    let mut answer = pin!(next.run(request));
    poll_fn(|context| {
        catch_unwind(AssertUnwindSafe(|| answer.as_mut().poll(context)))
            .unwrap_or_else(|message| Poll::Ready(caught(message)))
    })
    .await
}

/// Makes the response, on the same thread right after the panic.
fn caught(_message: Box<dyn Any + Send + 'static>) -> Response<Body> {
    let mut response = StatusCode::INTERNAL_SERVER_ERROR.into_response();
    let place = PLACE.take().unwrap_or_else(|| "unknown".to_owned());
    response.extensions_mut().insert(Panicked { place });
    response
}

/// The layer outside the one that catches: actions get "anything else" of the catalogue (spec §8), documents a page
/// without session or rendering.
pub async fn in_our_words(stylesheet: &str, request: Request, next: impl Inner) -> Response {
    let is_action = is_action(request.uri().path());
    let id = request.extensions().get::<RequestId>().map(|id| id.as_str().to_owned());
    let response = next.run(request).await;
    let Some(Panicked { place }) = response.extensions().get() else { return response };
    tracing::error!(place, request_id = id, "request not answered: its handler panicked");
    let status = StatusCode::INTERNAL_SERVER_ERROR;
    if is_action {
        (status, Json(Failure::problem(Problem::TokenInvalid).with_request_id(id.as_deref()))).into_response()
    } else {
        (status, Html(page(words::BROKEN_TITLE, words::BROKEN, id.as_deref(), stylesheet))).into_response()
    }
}
