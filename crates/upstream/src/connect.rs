//! Connect: the token that opens it, and what is told of how it went.

use std::fmt;

use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;
use serde_json::Value;

use super::{Answer, Call, CallError, Caller, Id, ItemId, Unexpected, Upstream, envelope, fields::Field, redact};

/// The token that opens Connect: any text that is not blank. `Debug` hides it.
#[derive(Clone)]
pub struct ConnectToken(SecretString);

/// What is told of one event of Connect.
#[derive(Debug, Clone)]
pub struct LogEntry {
    pub kind: LogType,
    pub status: LogStatus,
    /// Sent as JSON text. Documents and the caller's own tokens are cut out of it on the way; a [`ConnectToken`] has
    /// to be cut out before, with [`redact::json`].
    pub data: Value,
}

/// The events that are told (spec §7, "Log types").
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

/// How an event went.
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
    /// `POST /connect-token`: a token that opens Connect. Both ids always go out, null where there is none. Not
    /// idempotent: each call makes a new token.
    ///
    /// # Errors
    /// `Reply` with `ItemNotFound` where the provider does not know the link to update; `Unexpected` where a 2xx
    /// answer holds no text; `NoReply`.
    pub async fn connect_token(
        &self,
        caller: &Caller,
        link_id: Option<&Id>,
        client_uuid: Option<&Id>,
    ) -> Result<Answer<ConnectToken>, CallError> {
        let payload = ConnectTokenPayload { link_id, client_uuid };
        self.send(Call::ConnectToken, caller, Some(&payload), connect_token).await
    }

    /// `POST /log`: keeps a record of one event of Connect; answers nothing. Not idempotent.
    ///
    /// # Errors
    /// As [`CallError`]; `Unexpected` where a 2xx answer is no JSON. A person never waits for it nor hears of it (design D9).
    pub async fn log(&self, caller: &Caller, entry: &LogEntry) -> Result<Answer<()>, CallError> {
        self.log_with_key(caller, entry, None).await
    }

    /// The same with a key by which the upstream can tell a repetition.
    pub(super) async fn log_with_key(
        &self,
        caller: &Caller,
        entry: &LogEntry,
        key: Option<&str>,
    ) -> Result<Answer<()>, CallError> {
        let data_log = redact::json(&entry.data, &caller.secrets()).to_string();
        let payload = LogPayload { r#type: entry.kind, status: entry.status, data_log };
        self.send_with_key(Call::Log, caller, Some(&payload), key, envelope::confirmed).await
    }

    /// `PUT /update-link-account`: names the item that Connect has renewed; answers nothing. Idempotent, but never
    /// repeated by us.
    ///
    /// # Errors
    /// `Reply` with `Unchanged` where there was nothing to update, with `ItemNotFound` where the provider does not
    /// know the item; otherwise as [`CallError`]; `Unexpected` where a 2xx answer is no JSON.
    pub async fn update_link_account(&self, caller: &Caller, item: &ItemId) -> Result<Answer<()>, CallError> {
        self.send(Call::UpdateLinkAccount, caller, Some(&UpdateLinkPayload { link: item }), envelope::confirmed).await
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
        Field::Text(text) if !text.trim().is_empty() => Ok(ConnectToken(text.into())),
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
