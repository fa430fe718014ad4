//! The errors of a call.

use std::fmt;

use thiserror::Error;

use super::{Reason, lenient::Unexpected, xsrf::XsrfChange};

/// Why a call failed. Neither `Display` nor `Debug` shows anything of the request or response
/// bodies.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CallError {
    /// There was no complete response.
    #[error("no response from the upstream: {0}")]
    NoResponse(NoResponseCause),
    /// The upstream's own response reports a failure: its status is not 2xx, or it has no usable body
    /// and a `meta.status` of 400 or more.
    #[error("the upstream reported a failure: {0}")]
    Failed(FailedResponse),
    /// A complete response lacks what the call needs, or is not the upstream's own, such as a
    /// redirect or a firewall's page.
    #[error("unexpected response from the upstream: {0}")]
    Unexpected(#[from] Unexpected),
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NoResponseCause {
    /// Too many other calls are in progress, so the call was not made.
    #[error("too many calls are in progress")]
    AtCapacity,
    #[error("connection refused")]
    Refused,
    /// The host does not exist, has no route, or its certificate is not trusted: why, as the
    /// libraries word it.
    #[error("unreachable ({0})")]
    Unreachable(String),
    /// Connecting or the whole call exceeded its timeout.
    #[error("timed out")]
    TimedOut,
    /// The connection closed before the response was complete, or the response was not valid HTTP:
    /// why, as the libraries word it.
    #[error("cut off, or not HTTP ({0})")]
    Reset(String),
}

/// A complete response that reports a failure.
#[derive(Clone, PartialEq, Eq, Error)]
pub struct FailedResponse {
    pub http_status: u16,
    pub meta_status: Option<u16>,
    pub reason: Reason,
    /// `meta.message`, at most 300 characters, with the caller's tokens and everything like a CPF
    /// or CNPJ redacted. After a failed connect token, it is sent to the upstream's log. `Debug`
    /// hides it.
    pub message: Option<String>,
    /// What the response does to the XSRF token.
    pub xsrf: XsrfChange,
}

impl CallError {
    pub fn failed_response(&self) -> Option<&FailedResponse> {
        if let Self::Failed(response) = self {
            Some(response)
        } else {
            None
        }
    }

    /// A short name from a closed list, for metrics.
    pub fn name(&self) -> &'static str {
        match self {
            Self::NoResponse(NoResponseCause::AtCapacity) => "at_capacity",
            Self::NoResponse(NoResponseCause::Refused) => "connection_refused",
            Self::NoResponse(NoResponseCause::Unreachable(_)) => "unreachable",
            Self::NoResponse(NoResponseCause::TimedOut) => "timed_out",
            Self::NoResponse(NoResponseCause::Reset(_)) => "connection_reset",
            Self::Failed(response) => response.reason.into(),
            Self::Unexpected(_) => "unexpected_response",
        }
    }

    /// Whether the upstream refused the request, which is a valid response. It would refuse it
    /// again, so that the client need not repeat it. Every other error needs an operator.
    pub fn is_refusal(&self) -> bool {
        self.failed_response()
            .is_some_and(|response| !matches!(response.reason, Reason::Busy | Reason::Outage))
    }

    /// Whether the upstream is busy: the same request may succeed later.
    pub fn is_busy(&self) -> bool {
        self.failed_response()
            .is_some_and(|response| response.reason == Reason::Busy)
    }

    /// Whether the update of a link has changed nothing.
    pub fn is_unchanged(&self) -> bool {
        self.failed_response()
            .is_some_and(|response| response.reason == Reason::Unchanged)
    }
}

impl fmt::Display for FailedResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HTTP {}", self.http_status)?;
        match self.reason.meaning() {
            Some(meaning) => write!(f, ", {meaning}"),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for FailedResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FailedResponse")
            .field("http_status", &self.http_status)
            .field("meta_status", &self.meta_status)
            .field("reason", &self.reason)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use vincula_domain::token::XsrfToken;

    use super::*;

    const NO_RESPONSE: CallError = CallError::NoResponse(NoResponseCause::TimedOut);

    #[test]
    fn a_failed_response_is_a_refusal_unless_the_upstream_is_busy_or_out() {
        let failed = |reason| {
            CallError::Failed(FailedResponse {
                http_status: 400,
                meta_status: None,
                reason,
                message: None,
                xsrf: XsrfChange::None,
            })
        };
        for (error, name, is_refusal) in [
            (failed(Reason::ItemNotFound), "item_not_found", true),
            (failed(Reason::Unchanged), "unchanged", true),
            (failed(Reason::TokenNotFound), "token_not_found", true),
            (failed(Reason::TokenExpired), "token_expired", true),
            (failed(Reason::OtherRefusal), "refused", true),
            (failed(Reason::Busy), "busy", false),
            (failed(Reason::Outage), "failed", false),
            (NO_RESPONSE, "timed_out", false),
            (
                CallError::Unexpected(Unexpected::NotJson),
                "unexpected_response",
                false,
            ),
        ] {
            assert_eq!(
                (error.name(), error.is_refusal()),
                (name, is_refusal),
                "{error}"
            );
        }
    }

    #[test]
    fn messages_stay_out_of_what_is_logged() {
        let error = CallError::Failed(FailedResponse {
            http_status: 400,
            meta_status: Some(404),
            reason: Reason::TokenNotFound,
            message: Some("o CPF de Ana".to_owned()),
            xsrf: XsrfChange::Set(XsrfToken::parse("Ana").unwrap()),
        });
        assert_eq!(
            error.to_string(),
            "the upstream reported a failure: HTTP 400, an unknown token"
        );
        assert!(!format!("{error:?}").contains("Ana"), "{error:?}");
    }
}
