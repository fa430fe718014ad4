//! The faults of the cast: which tokens the sandbox rejects, and which calls fail.

use std::{future::ready, io};

use axum::{
    Json,
    body::{Body, Bytes},
    http::{StatusCode, header},
    response::{Html, IntoResponse, Response},
};
use serde_json::json;
use tower::{ServiceExt, service_fn};

use super::{call::Call, envelope::Answer};

/// Of this many account lists of `demo-cai-depois`, the last two lose their connection: a client that retries once then
/// loses every third list.
const FADES_EVERY: u32 = 4;

/// The behaviour of a cast member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultProfile {
    /// Follows the specification.
    Sound,
    /// The API does not know the token.
    Missing,
    /// The token has expired.
    Expired,
    /// The token has expired for a validation, except with `no_validate` on the return from the bank.
    ExpiredUnlessReturning,
    /// The API rejects the token for another reason.
    Rejected,
    /// The validation gets no response.
    Silent,
    /// Of every four lists of accounts, two in a row get no response.
    Fading,
    /// Every call is slow.
    Slow,
    /// The authorization returns a server error that is not JSON.
    Broken,
    /// The validation returns another shape.
    Malformed,
    /// The provider does not know the item.
    ItemGone,
    /// The provider finds no change.
    Unchanged,
    /// The provider creates no connect token.
    NoConnectToken,
}

impl FaultProfile {
    /// Admits or rejects the token for every call.
    ///
    /// # Errors
    /// The response to every call.
    pub fn admit(self) -> Result<(), Answer> {
        match self {
            Self::Missing => Err(Answer::error(StatusCode::NOT_FOUND, "Token not found")),
            Self::Expired => Err(expired()),
            Self::Rejected => Err(Answer::error(StatusCode::UNAUTHORIZED, "Invalid token")),
            _ => Ok(()),
        }
    }

    /// Admits or rejects the token for the validation; `returning` is whether the call has `of-success`.
    ///
    /// # Errors
    /// The response to the validation.
    pub fn admit_entry(self, returning: bool) -> Result<(), Answer> {
        if self == Self::ExpiredUnlessReturning && !returning { Err(expired()) } else { self.admit() }
    }

    /// The faulty response to the validation, if any.
    pub fn entry_response(self) -> Option<Response> {
        match self {
            Self::Silent => Some(hang_up()),
            Self::Malformed => Some(Json(json!({ "ok": true, "result": [] })).into_response()),
            _ => None,
        }
    }

    /// The faulty response to any other call, if any; `listings` counts the lists of accounts, including this one.
    pub fn response_to(self, call: Call, listings: u32) -> Option<Response> {
        match (self, call) {
            (Self::Fading, Call::ListAccounts) if (listings + 1) % FADES_EVERY < 2 => Some(hang_up()),
            (Self::Broken, Call::AuthorizeCustomer) => Some(server_error()),
            (Self::ItemGone, Call::ConnectToken) => {
                let code = json!({ "code": "ITEM_NOT_FOUND" });
                Some(Answer::error(StatusCode::NOT_FOUND, "item not found").and(code).into_response())
            }
            (Self::Unchanged, Call::UpdateLinkAccount) => {
                Some(Answer::error(StatusCode::CONFLICT, "Credentials had no changes").into_response())
            }
            (Self::NoConnectToken, Call::ConnectToken) => {
                Some(Answer::error(StatusCode::BAD_REQUEST, "Connect token could not be created").into_response())
            }
            _ => None,
        }
    }
}

fn expired() -> Answer {
    Answer::error(StatusCode::UNAUTHORIZED, "Expired token")
}

fn server_error() -> Response {
    let page = Html("<!doctype html><title>500</title><h1>Internal Server Error</h1>");
    (StatusCode::INTERNAL_SERVER_ERROR, page).into_response()
}

/// Closes the connection without sending a byte: hyper aborts if the body fails before the head is flushed.
fn hang_up() -> Response {
    let fail = service_fn(|_| ready(Err::<Bytes, _>(io::Error::from(io::ErrorKind::ConnectionAborted))));
    let body = Body::from_stream(fail.call_all(Body::from(" ").into_data_stream()));
    ([(header::CONTENT_LENGTH, "64")], body).into_response()
}
