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
    /// A complete response is not 2xx, or has no usable body and reports a failure in
    /// `meta.status`. Redirects count as such: the client does not follow them.
    #[error("the upstream refused: {0}")]
    Failed(FailedResponse),
    /// The client cannot use the response.
    #[error("unexpected response from the upstream: {0}")]
    Unexpected(#[from] Unexpected),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum NoResponseCause {
    #[error("connection refused")]
    Refused,
    /// The host does not exist, has no route, or its certificate is not trusted.
    #[error("unreachable")]
    Unreachable,
    /// Connecting or the whole call exceeded its timeout.
    #[error("timed out")]
    TimedOut,
    /// The connection closed before the response was complete, or the response was not HTTP.
    #[error("cut off")]
    Reset,
}

/// A complete response that reports a failure.
#[derive(Clone, PartialEq, Eq, Error)]
pub struct FailedResponse {
    pub http_status: u16,
    pub meta_status: Option<u16>,
    pub reason: Reason,
    /// `meta.message`, at most 300 characters, with the caller's tokens and everything like a
    /// document redacted. It goes into the upstream's own log of connect-token failures; `Debug`
    /// hides it all the same.
    pub message: Option<String>,
    /// What the response does to the XSRF token.
    pub xsrf: XsrfChange,
    /// `Retry-After` of a 429 or 503, in seconds: 1 to 300.
    pub retry_after: Option<u64>,
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
            Self::NoResponse(NoResponseCause::Refused) => "connection_refused",
            Self::NoResponse(NoResponseCause::Unreachable) => "unreachable",
            Self::NoResponse(NoResponseCause::TimedOut) => "timed_out",
            Self::NoResponse(NoResponseCause::Reset) => "cut_off",
            Self::Failed(response) => response.reason.into(),
            Self::Unexpected(_) => "unexpected_answer",
        }
    }

    /// Whether the upstream rejected the request, which is a valid response. Everything else needs
    /// an operator.
    pub fn is_rejection(&self) -> bool {
        self.failed_response()
            .is_some_and(|response| response.reason != Reason::Outage)
    }
}

impl FailedResponse {
    /// The status that counts: that of `meta`, or else the HTTP status.
    pub fn status(&self) -> u16 {
        self.meta_status.unwrap_or(self.http_status)
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

    #[test]
    fn only_a_failed_response_without_outage_is_a_rejection() {
        let failed = |reason| {
            CallError::Failed(FailedResponse {
                http_status: 400,
                meta_status: None,
                reason,
                message: None,
                xsrf: XsrfChange::None,
                retry_after: None,
            })
        };
        for (error, name, is_rejection) in [
            (failed(Reason::ItemNotFound), "item_not_found", true),
            (failed(Reason::Unchanged), "unchanged", true),
            (failed(Reason::TokenNotFound), "token_not_found", true),
            (failed(Reason::TokenExpired), "token_expired", true),
            (failed(Reason::Refused), "refused", true),
            (failed(Reason::Outage), "failed", false),
            (
                CallError::NoResponse(NoResponseCause::TimedOut),
                "timed_out",
                false,
            ),
            (
                CallError::Unexpected(Unexpected::NotJson),
                "unexpected_answer",
                false,
            ),
        ] {
            assert_eq!(
                (error.name(), error.is_rejection()),
                (name, is_rejection),
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
            retry_after: None,
        });
        assert_eq!(
            error.to_string(),
            "the upstream refused: HTTP 400, an unknown token"
        );
        assert!(!format!("{error:?}").contains("Ana"), "{error:?}");
    }
}
