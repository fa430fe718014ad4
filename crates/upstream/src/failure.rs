//! The errors of a call, and the failure that each means to the person.

use std::fmt;

use thiserror::Error;
use vincula_domain::{
    problem::{FailedReply, Problem},
    routes,
    wire::Failure,
};

use super::{Call, envelope::ErrorEnvelope, lenient::Unexpected, xsrf::XsrfChange};

/// Why a call failed. Neither `Display` nor `Debug` shows anything of the request or response bodies.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CallError {
    /// There was no complete response: toast and stay.
    #[error("no reply from the upstream: {0}")]
    NoReply(NoReplyCause),
    /// A complete response is not 2xx, or has no usable body and reports a failure in `meta.status`. Redirects count as
    /// such: the client does not follow them.
    #[error("the upstream refused: {0}")]
    Reply(Reply),
    /// The client cannot use the response.
    #[error("unexpected answer from the upstream: {0}")]
    Unexpected(#[from] Unexpected),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum NoReplyCause {
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
pub struct Reply {
    pub http_status: u16,
    pub meta_status: Option<u16>,
    pub problem: Problem,
    /// `meta.message`, at most 300 characters, with the caller's tokens and everything like a document redacted. It
    /// goes into the upstream's own log of connect-token failures; `Debug` hides it all the same.
    pub message: Option<String>,
    /// What the response does to the XSRF token.
    pub xsrf: XsrfChange,
    /// `Retry-After` of a 429 or 503, in seconds: 1 to 300. Deliveries heed it; a page navigates, as after any reply.
    pub retry_after: Option<u64>,
}

impl CallError {
    pub fn reply(&self) -> Option<&Reply> {
        if let Self::Reply(reply) = self {
            Some(reply)
        } else {
            None
        }
    }

    /// A short name from a closed list, for metrics.
    pub fn name(&self) -> &'static str {
        match self {
            Self::NoReply(NoReplyCause::Refused) => "connection_refused",
            Self::NoReply(NoReplyCause::Unreachable) => "unreachable",
            Self::NoReply(NoReplyCause::TimedOut) => "timed_out",
            Self::NoReply(NoReplyCause::Reset) => "cut_off",
            Self::Reply(reply) if reply.is_outage() => "failed",
            Self::Reply(reply) => reply
                .problem
                .refusal()
                .map_or("refused", |(outcome, _)| outcome),
            Self::Unexpected(_) => "unexpected_answer",
        }
    }

    /// Whether the upstream rejected the request, which is a valid response. Everything else needs an operator.
    pub fn is_rejection(&self) -> bool {
        matches!(self, Self::Reply(reply) if !reply.is_outage())
    }

    /// What the page does about it.
    pub fn failure(&self) -> Failure {
        match self {
            Self::NoReply(_) => Failure::no_reply(),
            Self::Reply(reply) if !reply.is_outage() => Failure::problem(reply.problem),
            // The widget API's own fault: the link is not to blame.
            Self::Reply(_) | Self::Unexpected(_) => {
                Failure::problem(Problem::TokenInvalid).flagged(routes::OUTAGE)
            }
        }
    }
}

impl Reply {
    /// Whether the upstream itself failed, rather than rejected the request. `meta` takes precedence over the HTTP
    /// status here, too.
    fn is_outage(&self) -> bool {
        self.problem == Problem::TokenInvalid
            && !(400..500).contains(&self.meta_status.unwrap_or(self.http_status))
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HTTP {}", self.http_status)?;
        match self.problem.refusal() {
            // It stands for everything else.
            Some((_, meaning)) if self.problem != Problem::TokenInvalid => write!(f, ", {meaning}"),
            _ => Ok(()),
        }
    }
}

impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reply")
            .field("http_status", &self.http_status)
            .field("meta_status", &self.meta_status)
            .field("problem", &self.problem)
            .finish_non_exhaustive()
    }
}

pub(super) fn classify(call: Call, http_status: u16, envelope: &ErrorEnvelope) -> Problem {
    Problem::from_reply(&FailedReply {
        concerns_item: matches!(call, Call::ConnectToken | Call::UpdateLinkAccount),
        is_update: call == Call::UpdateLinkAccount,
        http_status,
        status: envelope.status(),
        message: envelope.message(),
        kinds: envelope.kinds().collect(),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use vincula_domain::token::XsrfToken;

    use super::*;

    fn problem(call: Call, http_status: u16, body: &Value) -> Problem {
        classify(
            call,
            http_status,
            &ErrorEnvelope::read(body.to_string().as_bytes()),
        )
    }

    /// The expected problem of each body for connect-token, update-link-account and the other seven calls.
    #[test]
    fn every_reply_means_one_problem() {
        use Problem::{LinkNotExists, LinkNotUpdated, TokenExpired, TokenInvalid, TokenNotExists};
        let all = |problem| [problem; 3];
        let item = |other| [LinkNotExists, LinkNotExists, other];
        let unchanged = |other| [other, LinkNotUpdated, other];
        for (body, [connect, update, others]) in [
            // The provider does not know the item.
            (
                json!({"meta": {"status": 404, "message": "item not found"}}),
                item(TokenNotExists),
            ),
            (
                json!({"meta": {"status": "404", "message": "Pluggy: ITEM_NOT_FOUND (x)"}}),
                item(TokenNotExists),
            ),
            (
                json!({"meta": {"status": 409, "message": "Item-Not-Found"}}),
                item(TokenInvalid),
            ),
            (
                json!({"meta": {"type": "ITEM NOT FOUND", "message": "Expired token"}}),
                item(TokenExpired),
            ),
            (
                json!({"meta": {"code": "itemNotFound"}}),
                item(TokenInvalid),
            ),
            (
                json!({"data": {"code": 404, "codeDescription": "ITEM_NOT_FOUND"}}),
                item(TokenInvalid),
            ),
            (
                json!({"data": {"type": "item_not_found"}, "meta": {"status": 400}}),
                item(TokenInvalid),
            ),
            (
                json!({"data": {"name": "item not found"}}),
                all(TokenInvalid),
            ),
            (
                json!({"meta": {"message": "item was found"}}),
                all(TokenInvalid),
            ),
            // Nothing has changed.
            (json!({"meta": {"status": 304}}), unchanged(TokenInvalid)),
            (
                json!({"meta": {"status": "409", "message": "Expired token"}}),
                unchanged(TokenExpired),
            ),
            (
                json!({"meta": {"status": 404, "message": "No changes."}}),
                unchanged(TokenNotExists),
            ),
            (
                json!({"meta": {"message": "Credentials had NO CHANGES"}}),
                unchanged(TokenInvalid),
            ),
            (
                json!({"meta": {"message": "link-not-updated"}}),
                unchanged(TokenInvalid),
            ),
            (
                json!({"meta": {"message": "Link not updated."}}),
                unchanged(TokenInvalid),
            ),
            (
                json!({"meta": {"message": "Credenciais SEM ALTERAÇÕES."}}),
                unchanged(TokenInvalid),
            ),
            // Messages that merely resemble the agreed ones.
            (json!({"meta": {"message": "unchanged"}}), all(TokenInvalid)),
            (
                json!({"meta": {"message": "Nada mudou"}}),
                all(TokenInvalid),
            ),
            (
                json!({"meta": {"message": "the password was changed"}}),
                all(TokenInvalid),
            ),
            (
                json!({"meta": {"message": "unknown changes"}}),
                all(TokenInvalid),
            ),
            (
                json!({"meta": {"message": "Link not updated: the provider is down"}}),
                all(TokenInvalid),
            ),
            (
                json!({"meta": {"message": "could not update the link"}}),
                all(TokenInvalid),
            ),
            // The token.
            (
                json!({"meta": {"status": 404, "message": "Expired token"}}),
                all(TokenNotExists),
            ),
            (json!({"meta": {"status": "404"}}), all(TokenNotExists)),
            (
                json!({"meta": {"status": 401, "message": "Expired token"}}),
                all(TokenExpired),
            ),
            (
                json!({"meta": {"message": " Expired token\n"}}),
                all(TokenExpired),
            ),
            (
                json!({"meta": {"message": "expired token"}}),
                all(TokenInvalid),
            ),
            (
                json!({"meta": {"message": "Expired token."}}),
                all(TokenInvalid),
            ),
            (json!({"meta": {"message": "Not found"}}), all(TokenInvalid)),
            // No envelope.
            (
                json!({"status": 404, "message": "Expired token"}),
                all(TokenInvalid),
            ),
            (json!(null), all(TokenInvalid)),
        ] {
            for call in Call::ALL {
                let expected = match call {
                    Call::ConnectToken => connect,
                    Call::UpdateLinkAccount => update,
                    _ => others,
                };
                for http_status in [301, 400, 404, 409, 500] {
                    assert_eq!(
                        problem(call, http_status, &body),
                        expected,
                        "{call:?} HTTP {http_status} {body}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_bare_304_means_unchanged_to_the_link_update_alone() {
        for call in Call::ALL {
            let expected = if call == Call::UpdateLinkAccount {
                Problem::LinkNotUpdated
            } else {
                Problem::TokenInvalid
            };
            assert_eq!(problem(call, 304, &json!(null)), expected, "{call:?}");
        }
    }

    /// A wrong link is not a failure of the upstream, whatever its HTTP status.
    #[test]
    fn rejections_and_failures_are_distinguished() {
        use Problem::{LinkNotExists, LinkNotUpdated, TokenExpired, TokenInvalid, TokenNotExists};
        for (problem, http_status, meta_status, name, is_rejection) in [
            (TokenNotExists, 500, Some(404), "token_not_found", true),
            (TokenExpired, 500, Some(500), "token_expired", true),
            (LinkNotExists, 404, Some(404), "item_not_found", true),
            (LinkNotUpdated, 304, None, "unchanged", true),
            (TokenInvalid, 400, None, "refused", true),
            (TokenInvalid, 403, Some(403), "refused", true),
            (TokenInvalid, 500, Some(422), "refused", true),
            (TokenInvalid, 422, Some(500), "failed", false),
            (TokenInvalid, 500, None, "failed", false),
            (TokenInvalid, 503, Some(503), "failed", false),
            (TokenInvalid, 301, None, "failed", false),
        ] {
            let xsrf = XsrfChange::None;
            let reply = Reply {
                http_status,
                meta_status,
                problem,
                message: None,
                xsrf,
                retry_after: None,
            };
            let error = CallError::Reply(reply);
            assert_eq!(
                (error.name(), error.is_rejection()),
                (name, is_rejection),
                "{error}"
            );
        }
        for error in [
            CallError::NoReply(NoReplyCause::TimedOut),
            CallError::Unexpected(Unexpected::NotJson),
        ] {
            assert!(!error.is_rejection(), "{error}");
        }
    }

    #[test]
    fn messages_stay_out_of_what_is_logged() {
        let message = Some("o CPF de Ana".to_owned());
        let (problem, xsrf) = (
            Problem::TokenNotExists,
            XsrfChange::Set(XsrfToken::parse("Ana").unwrap()),
        );
        let reply = Reply {
            http_status: 400,
            meta_status: Some(404),
            problem,
            message,
            xsrf,
            retry_after: None,
        };
        let error = CallError::Reply(reply);
        assert_eq!(
            error.to_string(),
            "the upstream refused: HTTP 400, an unknown token"
        );
        assert!(!format!("{error:?}").contains("Ana"), "{error:?}");
    }
}
