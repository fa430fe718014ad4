//! The error catalogue (spec §8, design D8): what an upstream call did → what the person is told.

use http::StatusCode;

use super::Problem;
use crate::{
    upstream::{CallError, ReplyKind},
    wire::Failure,
};

/// A failure on its way to the browser, with the status that goes with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    pub failure: Failure,
    pub status: StatusCode,
}

/// The catalogue. Exhaustive on purpose: a new outcome must say what it means to the person.
pub fn tell(error: &CallError) -> Told {
    let problem = match error {
        CallError::NoReply(_) => return Told { failure: Failure::no_reply(), status: StatusCode::GATEWAY_TIMEOUT },
        CallError::Reply(reply) => match reply.kind {
            ReplyKind::ItemNotFound => Problem::LinkNotExists,
            ReplyKind::Unchanged => Problem::LinkNotUpdated,
            ReplyKind::NotFound => Problem::TokenNotExists,
            ReplyKind::ExpiredToken => Problem::TokenExpired,
            ReplyKind::Other => Problem::TokenInvalid,
        },
        CallError::Unexpected(_) => Problem::TokenInvalid,
    };
    Told { failure: Failure::problem(problem), status: StatusCode::BAD_GATEWAY }
}
