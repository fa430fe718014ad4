//! The envelope around every response: `{ "data": …, "meta": { "status", "message" } }` (design D7).

use std::borrow::Cow;

use axum::{
    Json,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use serde::Serialize;
use serde_json::Value;

/// A response of the widget API; its HTTP status and `meta.status` are the same.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    status: StatusCode,
    message: Cow<'static, str>,
    data: Value,
}

#[derive(Serialize)]
struct Envelope {
    data: Value,
    meta: Meta,
}

#[derive(Serialize)]
struct Meta {
    status: u16,
    message: Cow<'static, str>,
}

impl Answer {
    /// 200 with data.
    pub fn with(data: impl Serialize) -> Self {
        let data = serde_json::to_value(data).expect("the sandbox's data have text keys only");
        Self { status: StatusCode::OK, message: "OK".into(), data }
    }

    /// 200 without data.
    pub fn done() -> Self {
        Self::with(Value::Null)
    }

    /// Anything but 200, with the reason in `meta.message`.
    pub fn error(status: StatusCode, message: impl Into<Cow<'static, str>>) -> Self {
        Self { status, message: message.into(), data: Value::Null }
    }

    /// The same response with other data, for the errors of the provider.
    pub fn and(self, data: Value) -> Self {
        Self { data, ..self }
    }

    /// 422: the request is not what spec §7 says.
    pub fn unprocessable(problem: impl Into<Cow<'static, str>>) -> Self {
        Self::error(StatusCode::UNPROCESSABLE_ENTITY, problem)
    }
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        let meta = Meta { status: self.status.as_u16(), message: self.message };
        (self.status, Json(Envelope { data: self.data, meta })).into_response()
    }
}
