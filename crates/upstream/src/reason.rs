//! Reads the reason of a failed response.
//!
//! `meta` in the body decides, as the specification requires. The HTTP status counts only for a 304
//! without a body, for a status of a busy server, and for a failure whose `meta` has no status.

use strum::IntoStaticStr;
use vincula_domain::plain_text::plain_text;

use super::{Call, envelope::ErrorEnvelope};

/// The reason that a failed response states. Its name is the outcome of the call in metrics. Every
/// reason except `Busy` and `Outage` is a refusal: the upstream declined the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Reason {
    /// The provider of bank data does not know the item.
    ItemNotFound,
    /// The update of a link has changed nothing.
    Unchanged,
    TokenNotFound,
    TokenExpired,
    /// Any other refusal: a status from 400 to 499.
    #[strum(serialize = "refused")]
    OtherRefusal,
    /// The upstream, or a proxy in front of it, is busy or limits the rate: 408 Request Timeout, 425
    /// Too Early, 429 Too Many Requests. The same request may succeed later.
    Busy,
    /// The upstream itself reports that it has failed: any other status.
    #[strum(serialize = "failed")]
    Outage,
}

impl Reason {
    /// Reads a failed response: the first reason that applies. `None` if the response is not the
    /// upstream's own.
    pub(super) fn from_response(
        call: Call,
        http_status: u16,
        envelope: &ErrorEnvelope,
    ) -> Option<Self> {
        let status = envelope.status().unwrap_or(http_status);
        let is_client_error = (400..500).contains(&status);
        let reason = if concerns_item(call) && envelope.kinds().any(names_unknown_item) {
            Self::ItemNotFound
        } else if call == Call::UpdateLinkAccount && is_unchanged(http_status, envelope) {
            Self::Unchanged
        } else if envelope.status() == Some(404) {
            Self::TokenNotFound
        } else if envelope.names_expired_token() {
            Self::TokenExpired
        } else if is_busy(http_status) || envelope.status().is_some_and(is_busy) {
            Self::Busy
        } else if !envelope.has_meta() {
            return None;
        } else if is_client_error {
            Self::OtherRefusal
        } else {
            Self::Outage
        };
        Some(reason)
    }

    /// Its meaning for logs; `None` if the response states no reason that the client knows.
    pub fn meaning(self) -> Option<&'static str> {
        match self {
            Self::ItemNotFound => Some("an unknown item"),
            Self::Unchanged => Some("nothing to update"),
            Self::TokenNotFound => Some("an unknown token"),
            Self::TokenExpired => Some("an expired token"),
            Self::Busy => Some("busy"),
            Self::OtherRefusal | Self::Outage => None,
        }
    }
}

fn is_busy(status: u16) -> bool {
    matches!(status, 408 | 425 | 429)
}

/// Whether a call concerns an item at the provider of bank data.
fn concerns_item(call: Call) -> bool {
    matches!(call, Call::ConnectToken | Call::UpdateLinkAccount)
}

fn names_unknown_item(kind: &str) -> bool {
    alphanumeric_key(kind).contains("itemnotfound")
}

/// The ASCII letters and digits in lower case, so that `ITEM_NOT_FOUND`, `Item not found` and
/// `itemNotFound` are equal.
fn alphanumeric_key(text: &str) -> String {
    text.chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_lowercase())
        .collect()
}

/// Whether the response to a link update reports that nothing has changed.
fn is_unchanged(http_status: u16, envelope: &ErrorEnvelope) -> bool {
    // A 304 cannot have a body.
    http_status == 304
        || matches!(envelope.status(), Some(304 | 409))
        || envelope.message().is_some_and(mentions_no_change)
}

/// Whether a message names a link update without changes: as the specification does, as agreed with
/// the widget API (docs/widget-api.openapi.yaml), or in other words anywhere in it. Of the
/// specification's name only the whole message counts, because an update may fail for other
/// reasons.
fn mentions_no_change(message: &str) -> bool {
    let plain = plain_text(message);
    let words: Vec<&str> = plain.split_ascii_whitespace().collect();
    let padded = format!(" {} ", words.join(" "));
    words == ["link", "not", "updated"]
        || padded.contains(" no changes ")
        || padded.contains(" sem alteracoes ")
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn reason(call: Call, http_status: u16, body: &Value) -> Option<Reason> {
        let envelope = ErrorEnvelope::read(body.to_string().as_bytes());
        Reason::from_response(call, http_status, &envelope)
    }

    /// The reason that a response names; `None` if it names none that the client knows.
    fn named(call: Call, http_status: u16, body: &Value) -> Option<Reason> {
        reason(call, http_status, body).filter(|reason| reason.meaning().is_some())
    }

    /// The expected reason of each body for connect-token, update-link-account and the other seven
    /// calls.
    #[test]
    fn every_body_names_one_reason_or_none() {
        const EXPIRED: Option<Reason> = Some(Reason::TokenExpired);
        const NOT_FOUND: Option<Reason> = Some(Reason::TokenNotFound);
        let all = |reason| [reason; 3];
        let item = |other| {
            [
                Some(Reason::ItemNotFound),
                Some(Reason::ItemNotFound),
                other,
            ]
        };
        let unchanged = |other| [other, Some(Reason::Unchanged), other];
        for (body, [connect, update, others]) in [
            // The provider does not know the item.
            (
                json!({"meta": {"status": 404, "message": "item not found"}}),
                item(NOT_FOUND),
            ),
            (
                json!({"meta": {"status": "404", "message": "Pluggy: ITEM_NOT_FOUND (x)"}}),
                item(NOT_FOUND),
            ),
            (
                json!({"meta": {"status": 409, "message": "Item-Not-Found"}}),
                item(None),
            ),
            (
                json!({"meta": {"type": "ITEM NOT FOUND", "message": "Expired token"}}),
                item(EXPIRED),
            ),
            (json!({"meta": {"code": "itemNotFound"}}), item(None)),
            (
                json!({"data": {"code": 404, "codeDescription": "ITEM_NOT_FOUND"}}),
                item(None),
            ),
            (
                json!({"data": {"type": "item_not_found"}, "meta": {"status": 400}}),
                item(None),
            ),
            (json!({"data": {"name": "item not found"}}), all(None)),
            (json!({"meta": {"message": "item was found"}}), all(None)),
            // Nothing has changed.
            (json!({"meta": {"status": 304}}), unchanged(None)),
            (
                json!({"meta": {"status": "409", "message": "Expired token"}}),
                unchanged(EXPIRED),
            ),
            (
                json!({"meta": {"status": 404, "message": "No changes."}}),
                unchanged(NOT_FOUND),
            ),
            (
                json!({"meta": {"message": "Credentials had NO CHANGES"}}),
                unchanged(None),
            ),
            (
                json!({"meta": {"message": "link-not-updated"}}),
                unchanged(None),
            ),
            (
                json!({"meta": {"message": "Link not updated."}}),
                unchanged(None),
            ),
            (
                json!({"meta": {"message": "Credenciais SEM ALTERAÇÕES."}}),
                unchanged(None),
            ),
            // Messages that merely resemble the agreed ones.
            (json!({"meta": {"message": "unchanged"}}), all(None)),
            (json!({"meta": {"message": "Nada mudou"}}), all(None)),
            (
                json!({"meta": {"message": "the password was changed"}}),
                all(None),
            ),
            (json!({"meta": {"message": "unknown changes"}}), all(None)),
            (
                json!({"meta": {"message": "Link not updated: the provider is down"}}),
                all(None),
            ),
            (
                json!({"meta": {"message": "could not update the link"}}),
                all(None),
            ),
            // The token.
            (
                json!({"meta": {"status": 404, "message": "Expired token"}}),
                all(NOT_FOUND),
            ),
            (json!({"meta": {"status": "404"}}), all(NOT_FOUND)),
            (
                json!({"meta": {"status": 401, "message": "Expired token"}}),
                all(EXPIRED),
            ),
            (
                json!({"meta": {"message": " Expired token\n"}}),
                all(EXPIRED),
            ),
            (json!({"meta": {"message": "expired token"}}), all(None)),
            (json!({"meta": {"message": "Expired token."}}), all(None)),
            (json!({"meta": {"message": "Not found"}}), all(None)),
            // No envelope.
            (
                json!({"status": 404, "message": "Expired token"}),
                all(None),
            ),
            (json!(null), all(None)),
        ] {
            for &call in Call::ALL {
                let expected = match call {
                    Call::ConnectToken => connect,
                    Call::UpdateLinkAccount => update,
                    _ => others,
                };
                for http_status in [301, 400, 404, 409, 500] {
                    assert_eq!(
                        named(call, http_status, &body),
                        expected,
                        "{call:?} HTTP {http_status} {body}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_bare_304_means_unchanged_to_the_link_update_alone() {
        for &call in Call::ALL {
            let expected = if call == Call::UpdateLinkAccount {
                Some(Reason::Unchanged)
            } else {
                None
            };
            assert_eq!(reason(call, 304, &json!(null)), expected, "{call:?}");
        }
    }

    /// A wrong link is not a failure of the upstream, whatever its HTTP status.
    #[test]
    fn the_class_of_the_status_decides_where_no_reason_is_named() {
        for (http_status, meta_status, expected) in [
            (500, json!(404), Reason::TokenNotFound),
            (400, json!("soon"), Reason::OtherRefusal),
            (403, json!(403), Reason::OtherRefusal),
            (500, json!(422), Reason::OtherRefusal),
            (422, json!(500), Reason::Outage),
            (500, json!("soon"), Reason::Outage),
            (503, json!(503), Reason::Outage),
            (429, json!(null), Reason::Busy),
            (408, json!(null), Reason::Busy),
            (425, json!(425), Reason::Busy),
            (200, json!("429"), Reason::Busy),
            (400, json!(408.0), Reason::Busy),
            // A rate limit in front of the upstream, with a body of its own.
            (429, json!(400), Reason::Busy),
            (429, json!(404), Reason::TokenNotFound),
        ] {
            let body = json!({ "meta": { "status": meta_status, "message": "x" } });
            let read = reason(Call::ListBanks, http_status, &body);
            assert_eq!(read, Some(expected), "HTTP {http_status} {body}");
        }
        for status in [500, 429] {
            let expired = json!({ "meta": { "status": status, "message": "Expired token" } });
            assert_eq!(
                reason(Call::ListBanks, status, &expired),
                Some(Reason::TokenExpired),
                "a named reason takes precedence over any status"
            );
        }
    }

    /// It is a proxy's, a firewall's or another server's. A busy one responds 429 itself.
    #[test]
    fn a_response_without_meta_states_no_reason() {
        for body in [
            json!(null),
            json!("<html>"),
            json!({ "message": "Forbidden" }),
            json!({ "status": 404, "error": "Not Found" }),
            json!({ "data": null, "meta": null }),
            json!({ "meta": { "requestId": "1" } }),
        ] {
            for &call in Call::ALL {
                for status in [301, 400, 401, 403, 404, 407, 451, 500, 503, 530] {
                    assert_eq!(
                        reason(call, status, &body),
                        None,
                        "{call:?}, {status}, {body}"
                    );
                }
                assert_eq!(reason(call, 429, &body), Some(Reason::Busy), "{call:?}");
            }
        }
    }
}
