//! The envelope of a reply, and the canned replies of the links that fail.

use std::{borrow::Cow, future::ready, io};

use axum::{
    Json,
    body::{Body, Bytes},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Serialize;
use serde_json::{Value, json};
use tower::{ServiceExt, service_fn};

/// A reply of the widget API: `{ "data": …, "meta": { "status", "message" } }`, whose status is the HTTP status.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    status: StatusCode,
    message: Cow<'static, str>,
    data: Value,
}

impl Reply {
    /// 200 with data.
    pub fn with(data: impl Serialize) -> Self {
        let data = serde_json::to_value(data).expect("the sandbox's data have text keys only");
        Self { status: StatusCode::OK, message: "OK".into(), data }
    }

    /// Anything but 200, with the reason in `meta.message`.
    pub fn error(status: StatusCode, message: impl Into<Cow<'static, str>>) -> Self {
        Self { status, message: message.into(), data: Value::Null }
    }

    /// 422: the request is not what the contract says.
    pub fn unprocessable(problem: impl Into<Cow<'static, str>>) -> Self {
        Self::error(StatusCode::UNPROCESSABLE_ENTITY, problem)
    }

    pub fn token_not_found() -> Self {
        Self::error(StatusCode::NOT_FOUND, "Token not found")
    }
}

impl IntoResponse for Reply {
    fn into_response(self) -> Response {
        let meta = json!({ "status": self.status.as_u16(), "message": self.message });
        (self.status, Json(json!({ "data": self.data, "meta": meta }))).into_response()
    }
}

/// What a link that fails gets in place of its reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Canned {
    /// An error in the envelope.
    Error(StatusCode, &'static str),
    /// Status, media type and body.
    Body(StatusCode, &'static str, &'static str),
    /// The connection is closed without a byte.
    HangUp,
    /// The right reply, after `SandboxOptions::slow`.
    Late,
}

/// A fault: the call that it concerns, by path, and its reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fault {
    /// [`EVERY_CALL`], or the path of one.
    pub call: &'static str,
    pub reply: Canned,
}

pub const EVERY_CALL: &str = "";

/// Closes the connection without sending a byte: hyper aborts if the body fails before the head is flushed.
pub fn hang_up() -> Response {
    let fail = service_fn(|_| ready(Err::<Bytes, _>(io::Error::from(io::ErrorKind::ConnectionAborted))));
    let body = Body::from_stream(fail.call_all(Body::from(" ").into_data_stream()));
    ([(header::CONTENT_LENGTH, "64")], body).into_response()
}
