//! How a member of the cast misbehaves: who is refused at the door, and which call goes wrong.

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

/// Of so many lists of accounts of `demo-cai-depois`, the connections of the last two fall: who asks once more after a
/// lost connection loses every third list.
const FADES_EVERY: u32 = 4;

/// One way to behave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultProfile {
    /// As the specification says.
    Sound,
    /// Unknown to the API.
    Missing,
    /// Too old.
    Expired,
    /// Too old to enter with, unless on the way back from the bank (`no_validate`).
    ExpiredUnlessReturning,
    /// Refused for another reason.
    Rejected,
    /// No answer to the validation.
    Silent,
    /// No answer to two in a row of every four lists of accounts.
    Fading,
    /// Every call takes long.
    Slow,
    /// The authorization ends in a server error that is no JSON.
    Broken,
    /// The validation answers in another shape.
    Malformed,
    /// The provider does not know the item.
    ItemGone,
    /// The provider finds no change.
    Unchanged,
    /// The provider gives no connect token.
    NoConnectToken,
}

impl FaultProfile {
    /// Whether a token opens any door at all.
    ///
    /// # Errors
    /// The refusal that every call gets.
    pub fn admit(self) -> Result<(), Answer> {
        match self {
            Self::Missing => Err(Answer::refusal(StatusCode::NOT_FOUND, "Token not found")),
            Self::Expired => Err(expired()),
            Self::Rejected => Err(Answer::refusal(StatusCode::UNAUTHORIZED, "Invalid token")),
            _ => Ok(()),
        }
    }

    /// Whether a token may enter; `returning` is the `of-success` of the call.
    ///
    /// # Errors
    /// The refusal of the validation.
    pub fn admit_entry(self, returning: bool) -> Result<(), Answer> {
        if self == Self::ExpiredUnlessReturning && !returning { Err(expired()) } else { self.admit() }
    }

    /// What the validation answers instead of the session data.
    pub fn entry_fault(self) -> Option<Response> {
        match self {
            Self::Silent => Some(hang_up()),
            Self::Malformed => Some(Json(json!({ "ok": true, "result": [] })).into_response()),
            _ => None,
        }
    }

    /// What any other call answers instead of what was asked for; `listings` counts the lists of accounts up to now.
    pub fn fault(self, call: Call, listings: u32) -> Option<Response> {
        match (self, call) {
            (Self::Fading, Call::ListAccounts) if (listings + 1) % FADES_EVERY < 2 => Some(hang_up()),
            (Self::Broken, Call::AuthorizeCustomer) => Some(server_error()),
            (Self::ItemGone, Call::ConnectToken) => {
                let code = json!({ "code": "ITEM_NOT_FOUND" });
                Some(Answer::refusal(StatusCode::NOT_FOUND, "item not found").and(code).into_response())
            }
            (Self::Unchanged, Call::UpdateLinkAccount) => {
                Some(Answer::refusal(StatusCode::CONFLICT, "Credentials had no changes").into_response())
            }
            (Self::NoConnectToken, Call::ConnectToken) => {
                Some(Answer::refusal(StatusCode::BAD_REQUEST, "Connect token could not be created").into_response())
            }
            _ => None,
        }
    }
}

fn expired() -> Answer {
    Answer::refusal(StatusCode::UNAUTHORIZED, "Expired token")
}

fn server_error() -> Response {
    let page = Html("<!doctype html><title>500</title><h1>Internal Server Error</h1>");
    (StatusCode::INTERNAL_SERVER_ERROR, page).into_response()
}

/// Ends the connection without a byte: hyper gives up on a body that fails before its head was written out.
fn hang_up() -> Response {
    let fail = service_fn(|_| ready(Err::<Bytes, _>(io::Error::from(io::ErrorKind::ConnectionAborted))));
    let body = Body::from_stream(fail.call_all(Body::from(" ").into_data_stream()));
    ([(header::CONTENT_LENGTH, "64")], body).into_response()
}
