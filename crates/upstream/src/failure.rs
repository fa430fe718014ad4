//! The errors of a call, and the classification of failed responses (spec §8, design D8).

use std::fmt;

use thiserror::Error;
use vincula_domain::token::XsrfToken;

use super::{
    Call,
    envelope::{ErrorEnvelope, Unexpected},
};

const EXPIRED_TOKEN: &str = "Expired token";

/// The spec's name for a link update without changes, as agreed with the widget API (docs/widget-api.openapi.yaml).
/// Only the whole message counts: an update may fail for other reasons, too.
const LINK_NOT_UPDATED: &str = "link not updated";

/// Other words for a link update without changes (ibid.), anywhere in the message: lower case, without accents.
const UNCHANGED: [&str; 2] = ["no changes", "sem alteracoes"];

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

/// Why there is no complete response.
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
#[error("HTTP {http_status}{kind}")]
pub struct Reply {
    pub http_status: u16,
    pub meta_status: Option<u16>,
    pub kind: ReplyKind,
    /// `meta.message`, at most 300 characters, with the caller's tokens and everything like a document redacted. It
    /// goes into the upstream's own log of connect-token failures (spec §8); `Debug` hides it all the same.
    pub message: Option<String>,
    /// The `XSRF-TOKEN` cookie, if the upstream set one (design D10).
    pub xsrf: Option<XsrfToken>,
    /// `Retry-After` of a 429 or 503, in seconds: 1 to 300.
    pub retry_after: Option<u64>,
}

/// The meaning of a failed response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplyKind {
    /// The bank-data provider does not know the item.
    ItemNotFound,
    /// There was nothing to update.
    Unchanged,
    /// The upstream does not know the token.
    NotFound,
    ExpiredToken,
    Other,
}

impl ReplyKind {
    /// What it says, if it says anything that the product knows.
    pub fn words(self) -> Option<&'static str> {
        match self {
            Self::ItemNotFound => Some("an unknown item"),
            Self::Unchanged => Some("nothing to update"),
            Self::NotFound => Some("an unknown token"),
            Self::ExpiredToken => Some("an expired token"),
            Self::Other => None,
        }
    }
}

/// After a status: ", an unknown token", or nothing.
impl fmt::Display for ReplyKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.words().map_or(Ok(()), |words| write!(f, ", {words}"))
    }
}

impl CallError {
    /// The reply, if there was one.
    pub fn reply(&self) -> Option<&Reply> {
        if let Self::Reply(reply) = self { Some(reply) } else { None }
    }

    /// A short name from a closed list, for metrics.
    pub fn name(&self) -> &'static str {
        match self {
            Self::NoReply(NoReplyCause::Refused) => "connection_refused",
            Self::NoReply(NoReplyCause::Unreachable) => "unreachable",
            Self::NoReply(NoReplyCause::TimedOut) => "timed_out",
            Self::NoReply(NoReplyCause::Reset) => "cut_off",
            Self::Reply(reply) => match reply.kind {
                ReplyKind::ItemNotFound => "item_not_found",
                ReplyKind::Unchanged => "unchanged",
                ReplyKind::NotFound => "token_not_found",
                ReplyKind::ExpiredToken => "token_expired",
                ReplyKind::Other if reply.is_of_server() => "failed",
                ReplyKind::Other => "refused",
            },
            Self::Unexpected(_) => "unexpected_answer",
        }
    }

    /// Whether the upstream rejected the request, which is a valid response. Everything else needs an operator.
    pub fn is_rejection(&self) -> bool {
        matches!(self, Self::Reply(reply) if !reply.is_of_server())
    }
}

impl Reply {
    /// Whether the upstream itself failed, rather than rejected the request. `meta` takes precedence over the HTTP
    /// status here, too.
    fn is_of_server(&self) -> bool {
        self.kind == ReplyKind::Other && !(400..500).contains(&self.meta_status.unwrap_or(self.http_status))
    }
}

impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reply")
            .field("http_status", &self.http_status)
            .field("meta_status", &self.meta_status)
            .field("kind", &self.kind)
            .finish_non_exhaustive()
    }
}

/// Classifies a failed response: the first match in the order of design D8.
///
/// The HTTP status is ignored: the spec goes by `meta`. The one exception is 304 for the link update, which cannot have
/// a body.
pub(super) fn classify(call: Call, http_status: u16, envelope: &ErrorEnvelope) -> ReplyKind {
    let asks_provider = matches!(call, Call::ConnectToken | Call::UpdateLinkAccount);
    if asks_provider && envelope.kinds().any(|text| squeezed(text).contains("itemnotfound")) {
        ReplyKind::ItemNotFound
    } else if call == Call::UpdateLinkAccount && is_unchanged(http_status, envelope) {
        ReplyKind::Unchanged
    } else if envelope.status() == Some(404) {
        ReplyKind::NotFound
    } else if envelope.message().is_some_and(|text| text.trim() == EXPIRED_TOKEN) {
        ReplyKind::ExpiredToken
    } else {
        ReplyKind::Other
    }
}

fn is_unchanged(http_status: u16, envelope: &ErrorEnvelope) -> bool {
    http_status == 304 || matches!(envelope.status(), Some(304 | 409)) || envelope.message().is_some_and(says_unchanged)
}

fn says_unchanged(message: &str) -> bool {
    let words = plain_words(message);
    words == LINK_NOT_UPDATED || UNCHANGED.iter().any(|said| format!(" {words} ").contains(&format!(" {said} ")))
}

/// The ASCII letters and digits in lower case, so that `ITEM_NOT_FOUND`, `Item not found` and `itemNotFound` are equal.
fn squeezed(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

/// The words in lower case without accents, separated by one space.
fn plain_words(text: &str) -> String {
    let letters: String = text.to_lowercase().chars().map(without_accent).collect();
    let words: Vec<&str> = letters.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

fn without_accent(c: char) -> char {
    match c {
        'á' | 'à' | 'â' | 'ã' => 'a',
        'é' | 'ê' => 'e',
        'í' => 'i',
        'ó' | 'ô' | 'õ' => 'o',
        'ú' => 'u',
        'ç' => 'c',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn kind(call: Call, http_status: u16, body: &Value) -> ReplyKind {
        classify(call, http_status, &ErrorEnvelope::read(body.to_string().as_bytes()))
    }

    /// The expected kind of each body for connect-token, update-link-account and the other seven calls.
    #[test]
    fn replies_mean_what_design_d8_says() {
        use ReplyKind::{ExpiredToken, ItemNotFound, NotFound, Other, Unchanged};
        for (body, connect, update, others) in [
            // The provider does not know the item.
            (json!({"meta": {"status": 404, "message": "item not found"}}), ItemNotFound, ItemNotFound, NotFound),
            (
                json!({"meta": {"status": "404", "message": "Pluggy: ITEM_NOT_FOUND (x)"}}),
                ItemNotFound,
                ItemNotFound,
                NotFound,
            ),
            (json!({"meta": {"status": 409, "message": "Item-Not-Found"}}), ItemNotFound, ItemNotFound, Other),
            (
                json!({"meta": {"type": "ITEM NOT FOUND", "message": "Expired token"}}),
                ItemNotFound,
                ItemNotFound,
                ExpiredToken,
            ),
            (json!({"meta": {"code": "itemNotFound"}}), ItemNotFound, ItemNotFound, Other),
            (json!({"data": {"code": 404, "codeDescription": "ITEM_NOT_FOUND"}}), ItemNotFound, ItemNotFound, Other),
            (json!({"data": {"type": "item_not_found"}, "meta": {"status": 400}}), ItemNotFound, ItemNotFound, Other),
            (json!({"data": {"name": "item not found"}}), Other, Other, Other),
            (json!({"data": "item not found"}), Other, Other, Other),
            (json!({"meta": {"message": "item was found"}}), Other, Other, Other),
            // Nothing has changed.
            (json!({"meta": {"status": 304}}), Other, Unchanged, Other),
            (json!({"meta": {"status": "409", "message": "Expired token"}}), ExpiredToken, Unchanged, ExpiredToken),
            (json!({"meta": {"status": 404, "message": "No changes."}}), NotFound, Unchanged, NotFound),
            (json!({"meta": {"message": "Credentials had NO CHANGES"}}), Other, Unchanged, Other),
            (json!({"meta": {"message": "link-not-updated"}}), Other, Unchanged, Other),
            (json!({"meta": {"message": "Link not updated."}}), Other, Unchanged, Other),
            (json!({"meta": {"message": "Credenciais SEM ALTERAÇÕES."}}), Other, Unchanged, Other),
            // Messages that merely resemble the agreed ones.
            (json!({"meta": {"message": "unchanged"}}), Other, Other, Other),
            (json!({"meta": {"message": "Nada mudou"}}), Other, Other, Other),
            (json!({"meta": {"message": "the password was changed"}}), Other, Other, Other),
            (json!({"meta": {"message": "unknown changes"}}), Other, Other, Other),
            (json!({"meta": {"message": "Link not updated: the provider is down"}}), Other, Other, Other),
            (json!({"meta": {"message": "could not update the link"}}), Other, Other, Other),
            // The token.
            (json!({"meta": {"status": 404, "message": "Expired token"}}), NotFound, NotFound, NotFound),
            (json!({"meta": {"status": "404"}}), NotFound, NotFound, NotFound),
            (json!({"meta": {"status": 401, "message": "Expired token"}}), ExpiredToken, ExpiredToken, ExpiredToken),
            (json!({"meta": {"message": " Expired token\n"}}), ExpiredToken, ExpiredToken, ExpiredToken),
            (json!({"meta": {"message": "expired token"}}), Other, Other, Other),
            (json!({"meta": {"message": "Expired token."}}), Other, Other, Other),
            (json!({"meta": {"message": "Not found"}}), Other, Other, Other),
            // No envelope.
            (json!({"status": 404, "message": "Expired token"}), Other, Other, Other),
            (json!({"meta": null, "data": null}), Other, Other, Other),
            (json!([]), Other, Other, Other),
            (json!(null), Other, Other, Other),
        ] {
            for call in Call::ALL {
                let expected = match call {
                    Call::ConnectToken => connect,
                    Call::UpdateLinkAccount => update,
                    _ => others,
                };
                for http_status in [301, 400, 404, 409, 500] {
                    assert_eq!(kind(call, http_status, &body), expected, "{call:?} HTTP {http_status} {body}");
                }
            }
        }
    }

    #[test]
    fn a_bare_304_means_unchanged_to_the_link_update_alone() {
        for call in Call::ALL {
            let expected = if call == Call::UpdateLinkAccount { ReplyKind::Unchanged } else { ReplyKind::Other };
            assert_eq!(kind(call, 304, &json!(null)), expected, "{call:?}");
        }
    }

    /// A wrong link is not a failure of the upstream, whatever its HTTP status.
    #[test]
    fn rejections_and_failures_are_distinguished() {
        use ReplyKind::{ExpiredToken, ItemNotFound, NotFound, Other, Unchanged};
        for (kind, http_status, meta_status, name, is_rejection) in [
            (NotFound, 500, Some(404), "token_not_found", true),
            (ExpiredToken, 500, Some(500), "token_expired", true),
            (ItemNotFound, 404, Some(404), "item_not_found", true),
            (Unchanged, 304, None, "unchanged", true),
            (Other, 400, None, "refused", true),
            (Other, 403, Some(403), "refused", true),
            (Other, 500, Some(422), "refused", true),
            (Other, 422, Some(500), "failed", false),
            (Other, 500, None, "failed", false),
            (Other, 503, Some(503), "failed", false),
            (Other, 301, None, "failed", false),
        ] {
            let reply = Reply { http_status, meta_status, kind, message: None, xsrf: None, retry_after: None };
            let error = CallError::Reply(reply);
            assert_eq!((error.name(), error.is_rejection()), (name, is_rejection), "{error}");
        }
        for error in [CallError::NoReply(NoReplyCause::TimedOut), CallError::Unexpected(Unexpected::NotJson)] {
            assert!(!error.is_rejection(), "{error}");
        }
    }

    #[test]
    fn messages_stay_out_of_what_is_logged() {
        let message = Some("o CPF de Ana".to_owned());
        let (kind, xsrf) = (ReplyKind::NotFound, XsrfToken::parse("Ana"));
        let reply = Reply { http_status: 400, meta_status: Some(404), kind, message, xsrf, retry_after: None };
        let error = CallError::Reply(reply);
        assert_eq!(error.to_string(), "the upstream refused: HTTP 400, an unknown token");
        assert!(!format!("{error:?}").contains("Ana"), "{error:?}");
    }
}
