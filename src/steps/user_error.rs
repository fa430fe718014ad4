//! The error catalogue (spec §8, design D8): maps the outcome of an upstream call to the failure shown to the person.

use axum::http::StatusCode;
use vincula_domain::{problem::Problem, routes, wire::Failure};
use vincula_upstream::{CallError, ReplyKind, Trace};

/// A failure for the browser, with the response's status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserError {
    pub failure: Failure,
    pub status: StatusCode,
}

/// Looks an error up in the catalogue. Exhaustive on purpose: a new outcome must be mapped here. `cancelled`: everything
/// was cancelled in the session before, so that a link that is refused has most likely ended with it.
pub fn to_user_error(error: &CallError, cancelled: bool) -> UserError {
    let is_outage = !error.is_rejection();
    let problem = match error {
        CallError::NoReply(_) => {
            return UserError { failure: Failure::no_reply(), status: StatusCode::GATEWAY_TIMEOUT };
        }
        CallError::Reply(reply) => match reply.kind {
            ReplyKind::ItemNotFound => Problem::LinkNotExists,
            ReplyKind::Unchanged => Problem::LinkNotUpdated,
            ReplyKind::NotFound | ReplyKind::ExpiredToken | ReplyKind::Other if cancelled && !is_outage => {
                Problem::Cancelled
            }
            ReplyKind::NotFound => Problem::TokenNotExists,
            ReplyKind::ExpiredToken => Problem::TokenExpired,
            ReplyKind::Other => Problem::TokenInvalid,
        },
        CallError::Unexpected(_) => Problem::TokenInvalid,
    };
    let failure = Failure::problem(problem);
    // The widget API's own fault: the link is not to blame.
    let failure = if is_outage { failure.flagged(routes::OUTAGE) } else { failure };
    UserError { failure, status: StatusCode::BAD_GATEWAY }
}

/// The error screen of a problem, with the support code of the current request.
pub fn error_screen(problem: Problem) -> String {
    let to = routes::error(problem);
    Trace::current_request_id().map(|id| routes::with_code(&to, &id)).unwrap_or(to)
}
