//! The payloads of the calls (spec §7).

use axum::{body::Bytes, http::HeaderMap};
use serde::{Deserialize, de::IgnoredAny};
use serde_json::Value;

use super::{call::Call, checks, envelope::Answer, payload::Payload, people::Profile};

/// Longest id of an item, in bytes (docs/widget-api.openapi.yaml).
const MAX_ITEM_LEN: usize = 128;

/// The payload of validate-token.
#[derive(Debug)]
pub struct Validation {
    pub token: String,
    no_validate: Option<OfSuccess>,
}

#[derive(Debug, Deserialize)]
enum OfSuccess {
    #[serde(rename = "of-success")]
    OfSuccess,
}

/// The parsed payload of a call other than validate-token.
#[derive(Debug)]
pub enum Request {
    Authorize {
        customer_id: Value,
    },
    ListAccounts,
    ListBanks,
    Cancel {
        cpfcnpj: String,
    },
    Succeed {
        token: String,
    },
    /// Both keys are required; an id that the client does not have is `null` or empty.
    OpenConnect {
        link_id: Option<String>,
        client_uuid: Option<String>,
    },
    Log(LogRecord),
    UpdateLink {
        link: String,
    },
}

/// The payload of a log call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogRecord {
    pub kind: LogType,
    pub status: LogStatus,
    /// JSON text.
    pub data_log: String,
}

/// The four events that the product logs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum LogType {
    /// The product requests a connect token.
    #[serde(rename = "pluggy-getConnectToken-request")]
    ConnectTokenRequest,
    /// The response to that request.
    #[serde(rename = "pluggy-getConnectToken-response")]
    ConnectTokenResponse,
    /// Connect returned an item.
    #[serde(rename = "pluggy-widget-success")]
    WidgetSuccess,
    /// Connect failed.
    #[serde(rename = "pluggy-widget-error")]
    WidgetError,
}

/// The outcome of a logged event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum LogStatus {
    Success,
    Error,
}

impl Validation {
    /// Parses the payload of validate-token; `no_validate` must be absent or `of-success`, not `null`.
    ///
    /// # Errors
    /// 422, naming the problem.
    pub fn read(headers: &HeaderMap, body: &Bytes) -> Result<Self, Answer> {
        let mut payload = Payload::read(headers, body)?;
        let validation = Self { token: payload.take("token")?, no_validate: payload.take_optional("no_validate")? };
        payload.end()?;
        Ok(validation)
    }

    /// Whether the client returns from the bank.
    pub fn is_return(&self) -> bool {
        matches!(self.no_validate, Some(OfSuccess::OfSuccess))
    }
}

impl Request {
    /// Parses the payload of a call.
    ///
    /// # Errors
    /// 422, naming the problem.
    pub fn read(call: Call, headers: &HeaderMap, body: &Bytes) -> Result<Self, Answer> {
        match call {
            Call::ListAccounts => without_payload(body, Self::ListAccounts),
            Call::ListBanks => without_payload(body, Self::ListBanks),
            Call::AuthorizeCustomer => {
                checks::evidence(headers)?;
                with_payload(headers, body, |payload| Ok(Self::Authorize { customer_id: payload.take("customer_id")? }))
            }
            Call::CancelIntegrations => {
                with_payload(headers, body, |payload| Ok(Self::Cancel { cpfcnpj: payload.take("cpfcnpj")? }))
            }
            Call::Success => with_payload(headers, body, |payload| Ok(Self::Succeed { token: payload.take("token")? })),
            Call::ConnectToken => with_payload(headers, body, |payload| {
                Ok(Self::OpenConnect { link_id: payload.take("link_id")?, client_uuid: payload.take("client_uuid")? })
            }),
            Call::Log => {
                checks::idempotency_key(headers)?;
                with_payload(headers, body, |payload| {
                    let (kind, status) = (payload.take("type")?, payload.take("status")?);
                    Ok(Self::Log(LogRecord { kind, status, data_log: payload.take("data_log")? }))
                })
            }
            Call::UpdateLinkAccount => {
                with_payload(headers, body, |payload| Ok(Self::UpdateLink { link: payload.take("link")? }))
            }
        }
    }

    /// Checks that the payload belongs to the client of the bearer token.
    ///
    /// # Errors
    /// 422, naming the wrong key.
    pub fn check(&self, bearer: &str, profile: &Profile) -> Result<(), Answer> {
        let (is_right, problem) = match self {
            Self::ListAccounts | Self::ListBanks => (true, ""),
            Self::Authorize { customer_id } => {
                (*customer_id == profile.customer_id, "customer_id: not the firm of this client")
            }
            Self::Cancel { cpfcnpj } => (cpfcnpj == profile.client_cpfcnpj, "cpfcnpj: not the document of this client"),
            Self::Succeed { token } => (token == bearer, "token: not the bearer token"),
            Self::OpenConnect { link_id, client_uuid } => (
                link_id.as_deref().unwrap_or_default() == profile.link_id.unwrap_or_default()
                    && client_uuid.as_deref().unwrap_or_default() == profile.client_uuid.unwrap_or_default(),
                "link_id, client_uuid: not those of this client",
            ),
            Self::Log(record) => (is_json(&record.data_log), "data_log: not JSON text"),
            Self::UpdateLink { link } => ((1..=MAX_ITEM_LEN).contains(&link.len()), "link: empty or too long"),
        };
        if is_right { Ok(()) } else { Err(Answer::unprocessable(problem)) }
    }
}

fn with_payload(
    headers: &HeaderMap,
    body: &Bytes,
    take: impl FnOnce(&mut Payload) -> Result<Request, Answer>,
) -> Result<Request, Answer> {
    let mut payload = Payload::read(headers, body)?;
    let request = take(&mut payload)?;
    payload.end()?;
    Ok(request)
}

fn without_payload(body: &Bytes, request: Request) -> Result<Request, Answer> {
    if body.is_empty() { Ok(request) } else { Err(Answer::unprocessable("this call takes no payload")) }
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(text).is_ok()
}
