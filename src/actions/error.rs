//! Why an action failed, and what its page does about that.

use axum::http::StatusCode;
use vincula_upstream::{CallError, Reason, RequestId};

use crate::{
    administrator::FieldError, destination::Destination, failure::Failure, problem::Problem,
    routes::Page, session::NotYet,
};

/// Why an action failed. The page gets it as a [`Failure`].
#[derive(Debug, thiserror::Error)]
pub enum ActionError {
    #[error("the browser has no session, or it has expired")]
    NoSession,
    #[error("another link has been opened since the page was rendered")]
    OtherTab,
    /// The page that is due.
    #[error("the session does not allow the action yet")]
    NotYet(Page),
    #[error("the session data names no firm to authorize")]
    NoFirm,
    /// Its error screen.
    #[error("the link cannot be valid")]
    InvalidLink(Destination),
    #[error("fields of a form are invalid")]
    InvalidFields(Vec<FieldError>),
    #[error("Connect has reported an id that no item can have")]
    InvalidItem,
    #[error("a call of the upstream has failed")]
    Call(#[from] CallError),
    /// If the upstream is busy, the page asks again.
    #[error("a list of the upstream has failed")]
    List(#[source] CallError),
    #[error("the cookie would be larger than browsers store")]
    SessionTooLarge,
}

impl From<NotYet> for ActionError {
    /// The widget page leads to the step that is due.
    fn from(_: NotYet) -> Self {
        Self::NotYet(Page::Widget)
    }
}

impl ActionError {
    /// The status of the response.
    pub fn status(&self) -> StatusCode {
        match self {
            Self::NoSession => StatusCode::UNAUTHORIZED,
            Self::OtherTab => StatusCode::CONFLICT,
            Self::InvalidLink(_) => StatusCode::BAD_REQUEST,
            Self::NotYet(_) | Self::InvalidFields(_) | Self::InvalidItem => {
                StatusCode::UNPROCESSABLE_ENTITY
            }
            Self::Call(error) | Self::List(error) => status_of_call(error),
            Self::NoFirm | Self::SessionTooLarge => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// What the page gets. An error screen shows the id of the request as support code.
    pub fn into_failure(self, request_id: &RequestId) -> Failure {
        let failure = match self {
            Self::NoSession => Failure::NoSession,
            Self::OtherTab => Failure::OtherTab,
            Self::NotYet(page) => Failure::navigate(page),
            Self::InvalidLink(screen) => Failure::navigate(screen),
            Self::InvalidFields(fields) => Failure::Invalid { fields },
            Self::NoFirm => Failure::navigate(Problem::Outage),
            Self::Call(error) => failure_of_call(&error),
            Self::List(error) => failure_of_list(&error),
            Self::InvalidItem | Self::SessionTooLarge => Failure::navigate(Problem::TokenInvalid),
        };
        failure.with_support_code(request_id.as_str())
    }
}

/// The status of the response to a page whose call has failed: a refusal is the client's error, an
/// outage is the server's. Never 404, 502, 503 or 504, because proxies replace their bodies.
fn status_of_call(error: &CallError) -> StatusCode {
    match error {
        CallError::Failed(response) => match response.reason {
            Reason::TokenExpired => StatusCode::GONE,
            Reason::Busy | Reason::Outage => StatusCode::INTERNAL_SERVER_ERROR,
            Reason::ItemNotFound
            | Reason::Unchanged
            | Reason::TokenNotFound
            | Reason::OtherRefusal => StatusCode::UNPROCESSABLE_ENTITY,
        },
        CallError::NoResponse(_) | CallError::Unexpected(_) => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

fn failure_of_call(error: &CallError) -> Failure {
    match error {
        CallError::NoResponse(_) => Failure::NoReply,
        CallError::Failed(response) => Failure::navigate(error_screen(response.reason)),
        CallError::Unexpected(_) => Failure::navigate(Problem::Outage),
    }
}

fn failure_of_list(error: &CallError) -> Failure {
    if error.is_busy() {
        Failure::NoReply
    } else {
        failure_of_call(error)
    }
}

/// The error screen of a failed response.
fn error_screen(reason: Reason) -> Destination {
    match reason {
        Reason::ItemNotFound => Problem::LinkNotExists.into(),
        Reason::Unchanged => Problem::LinkNotUpdated.into(),
        Reason::TokenNotFound => Problem::TokenNotExists.into(),
        Reason::TokenExpired => Problem::TokenExpired.into(),
        Reason::OtherRefusal => Problem::TokenInvalid.into(),
        Reason::Busy | Reason::Outage => Problem::Outage.into(),
    }
}
