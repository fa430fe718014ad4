//! The Connect step: the token that opens it, and the log of its events.

use std::fmt;

use reqwest::header::{HeaderName, HeaderValue};
use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;
use serde_json::Value;

use super::{Answer, Call, CallError, Caller, Id, ItemId, Unexpected, Upstream, envelope, lenient::Scalar, redact};

/// Lets the upstream recognise a retry (IETF draft-ietf-httpapi-idempotency-key-header).
const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// The token that opens Connect: any string that is not blank. `Debug` hides it.
#[derive(Clone)]
pub struct ConnectToken(SecretString);

/// One event of Connect, for the upstream's log.
#[derive(Debug, Clone)]
pub struct LogEntry {
    pub kind: LogType,
    pub status: LogStatus,
    /// Sent as JSON text. The client redacts documents and the caller's tokens; the caller has to redact a
    /// [`ConnectToken`] with [`redact::json`].
    pub data: Value,
}

/// The kinds of event (spec §7, "Log types").
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum LogType {
    #[serde(rename = "pluggy-getConnectToken-request")]
    ConnectTokenRequest,
    #[serde(rename = "pluggy-getConnectToken-response")]
    ConnectTokenResponse,
    #[serde(rename = "pluggy-widget-success")]
    WidgetSuccess,
    #[serde(rename = "pluggy-widget-error")]
    WidgetError,
}

/// The outcome of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum LogStatus {
    Success,
    Error,
}

#[derive(Serialize)]
struct ConnectTokenPayload<'a> {
    link_id: Option<&'a Id>,
    client_uuid: Option<&'a Id>,
}

#[derive(Serialize)]
struct LogPayload {
    r#type: LogType,
    status: LogStatus,
    data_log: String,
}

#[derive(Serialize)]
struct UpdateLinkPayload<'a> {
    link: &'a ItemId,
}

impl Upstream {
    /// `POST /connect-token`: a token that opens Connect. Always sends both ids, null for a missing one. Not
    /// idempotent: each call creates a new token.
    ///
    /// # Errors
    /// `Reply` with `ItemNotFound` if the provider does not know the link to update; `Unexpected` if a 2xx response
    /// holds no string; `NoReply`.
    pub async fn connect_token(
        &self,
        caller: &Caller,
        link_id: Option<&Id>,
        client_uuid: Option<&Id>,
    ) -> Result<Answer<ConnectToken>, CallError> {
        let payload = ConnectTokenPayload { link_id, client_uuid };
        self.send(Call::ConnectToken, caller, Some(&payload), connect_token).await
    }

    /// `POST /log`: records one event of Connect. Returns no data. Not idempotent.
    ///
    /// # Errors
    /// See [`CallError`]; `Unexpected` if a 2xx response is not JSON. No page waits for the call or shows its errors
    /// (design D9).
    pub async fn log(&self, caller: &Caller, entry: &LogEntry) -> Result<Answer<()>, CallError> {
        self.log_with_key(caller, entry, None).await
    }

    /// [`Upstream::log`] with an idempotency key, by which the upstream recognises a retry.
    pub(super) async fn log_with_key(
        &self,
        caller: &Caller,
        entry: &LogEntry,
        key: Option<&str>,
    ) -> Result<Answer<()>, CallError> {
        let data_log = redact::json(&entry.data, &caller.secrets()).to_string();
        let payload = LogPayload { r#type: entry.kind, status: entry.status, data_log };
        let key = key.map(|key| (IDEMPOTENCY_KEY, HeaderValue::from_str(key).expect("keys are visible ASCII")));
        self.send_with_headers(Call::Log, caller, Some(&payload), key.into_iter().collect(), envelope::confirmed).await
    }

    /// `PUT /update-link-account`: reports the item that Connect has renewed. Returns no data. Idempotent, but never
    /// retried.
    ///
    /// # Errors
    /// `Reply` with `Unchanged` if there was nothing to update, with `ItemNotFound` if the provider does not know the
    /// item; `Unexpected` if a 2xx response is not JSON; else see [`CallError`].
    pub async fn update_link_account(&self, caller: &Caller, item: &ItemId) -> Result<Answer<()>, CallError> {
        self.send(Call::UpdateLinkAccount, caller, Some(&UpdateLinkPayload { link: item }), envelope::confirmed).await
    }
}

impl PartialEq for ConnectToken {
    fn eq(&self, other: &Self) -> bool {
        self.expose() == other.expose()
    }
}

impl ConnectToken {
    /// The raw token, for the page that opens Connect and for [`redact::json`] only.
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }
}

impl fmt::Debug for ConnectToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ConnectToken(…)")
    }
}

fn connect_token(body: &[u8]) -> Result<ConnectToken, Unexpected> {
    match envelope::data(body)? {
        Scalar::Text(text) if !text.trim().is_empty() => Ok(ConnectToken(text.into())),
        _ => Err(Unexpected::OtherShape),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connect_token_is_a_text() {
        assert_eq!(connect_token(br#"{"data":"abc"}"#).unwrap().expose(), "abc");
        assert_eq!(format!("{:?}", connect_token(br#"{"data":"abc"}"#)), "Ok(ConnectToken(…))");
        for bad in [
            r#"{"data":""}"#,
            r#"{"data":" "}"#,
            r#"{"data":null}"#,
            r#"{"data":7}"#,
            r#"{"data":{"accessToken":"a"}}"#,
        ] {
            assert_eq!(connect_token(bad.as_bytes()).unwrap_err(), Unexpected::OtherShape, "{bad}");
        }
    }
}
