//! Responses of the widget API: `{ "data": …, "meta": { "status", "message" } }`. The status is also
//! the HTTP status.

use std::{future::ready, io};

use axum::{
    Json,
    body::{Body, Bytes},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Serialize;
use serde_json::json;
use tower::{ServiceExt, service_fn};

/// 200 with data.
pub(crate) fn ok(data: impl Serialize) -> Response {
    Json(json!({ "data": data, "meta": { "status": 200, "message": "OK" } })).into_response()
}

/// Anything but 200, with the reason in `meta.message`.
#[derive(Debug)]
pub struct Refusal(StatusCode, String);

impl From<Refusal> for Response {
    fn from(Refusal(status, message): Refusal) -> Self {
        let meta = json!({ "status": status.as_u16(), "message": message });
        (status, Json(json!({ "data": null, "meta": meta }))).into_response()
    }
}

pub(crate) fn refusal(status: StatusCode, message: &str) -> Refusal {
    Refusal(status, message.to_owned())
}

/// 422: the request is not what the contract says.
pub(crate) fn unprocessable(problem: &str) -> Refusal {
    refusal(StatusCode::UNPROCESSABLE_ENTITY, problem)
}

pub(crate) fn token_not_found() -> Refusal {
    refusal(StatusCode::NOT_FOUND, "Token not found")
}

/// Closes the connection without sending a byte: hyper aborts if the body fails before the head is
/// flushed.
pub(crate) fn hang_up() -> Response {
    let fail = service_fn(|_| {
        ready(Err::<Bytes, _>(io::Error::from(
            io::ErrorKind::ConnectionAborted,
        )))
    });
    let body = Body::from_stream(fail.call_all(Body::from(" ").into_data_stream()));
    ([(header::CONTENT_LENGTH, "64")], body).into_response()
}
