//! The nine calls: method and path of each, what it sends, and the method that makes it.

use std::net::IpAddr;

use reqwest::{
    Method, Url,
    header::{HeaderMap, HeaderName},
};
use secrecy::SecretString;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use strum::{IntoStaticStr, VariantArray};
use vincula_domain::{Private, bank::TaxId, token::LinkToken};

use super::{
    CallError, CallOutput, Caller, Id, ItemId, Upstream,
    envelope::{self, List},
    responses::{self, Account, Bank, SessionData},
    send::secret,
};

/// A call of the widget API. Its name in kebab case is its path, and its name in metrics and in
/// the contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum Call {
    ValidateToken,
    AuthorizeCustomer,
    ListAccounts,
    CancelIntegrations,
    ListBanks,
    Success,
    ConnectToken,
    Log,
    UpdateLinkAccount,
}

impl Call {
    pub const ALL: &'static [Self] = Self::VARIANTS;

    pub fn method(self) -> Method {
        match self {
            Self::ListAccounts | Self::ListBanks => Method::GET,
            Self::UpdateLinkAccount => Method::PUT,
            _ => Method::POST,
        }
    }

    /// Whether it returns a list and changes nothing.
    pub fn is_list(self) -> bool {
        self.method() == Method::GET
    }

    /// The path segment after the base URL.
    pub fn path(self) -> &'static str {
        self.into()
    }

    /// The URL of the call, below the base URL.
    pub(super) fn url(self, base: &Url) -> Url {
        let mut url = base.clone();
        // Fails only for URLs like `mailto:`, which the first call then reports as unreachable.
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().push(self.path());
        }
        url
    }
}

/// What proves a consent, sent as headers of the call. Unknown values are left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConsentEvidence {
    pub client_address: Option<Private<IpAddr>>,
    /// The client's browser, by its User-Agent.
    pub browser: Option<Private<String>>,
    /// The version of the text that was shown.
    pub text_version: Option<u32>,
}

impl ConsentEvidence {
    /// Personal data: all of it stays out of the logs of the HTTP libraries.
    fn headers(&self) -> HeaderMap {
        let address = self.client_address.map(|address| address.to_string());
        let browser = self.browser.as_ref().map(|browser| browser.to_string());
        let version = self.text_version.map(|version| version.to_string());
        let headers = [
            ("consent-client-address", address),
            ("consent-browser", browser),
            ("consent-text-version", version),
        ];
        headers
            .into_iter()
            .filter_map(|(name, value)| Some((HeaderName::from_static(name), secret(&value?))))
            .collect()
    }
}

/// Payload of `POST /connect-token`. Both ids are always sent, null for a missing one.
#[derive(Debug, Clone, Default, Serialize)]
pub struct ConnectTokenRequest {
    /// The link to update.
    pub link_id: Option<Id>,
    pub client_uuid: Option<Id>,
}

/// One event of Connect, for the upstream's log.
#[derive(Clone)]
pub struct LogEntry {
    pub kind: LogType,
    pub status: LogStatus,
    /// Sent as JSON text: ids, and free text that the caller has redacted
    /// ([`redact`](super::redact)).
    pub data: Value,
}

impl LogEntry {
    pub fn new(kind: LogType, status: LogStatus, data: Value) -> Self {
        Self { kind, status, data }
    }

    /// The success of Connect.
    pub fn success(item: &ItemId) -> Self {
        let data = json!({ "item": { "id": item } });
        Self::new(LogType::WidgetSuccess, LogStatus::Success, data)
    }
}

/// How the upstream validates a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Validation {
    Full,
    /// After a return from the bank, when the upstream skips the full validation.
    AfterReturn,
}

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

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum LogStatus {
    Success,
    Error,
}

/// The calls. The client retries none of them (see `send.rs`).
///
/// # Errors
///
/// Those of [`CallError`]: `Unexpected` if a 2xx response lacks what the call needs.
#[expect(clippy::missing_errors_doc, reason = "all calls have the same errors")]
impl Upstream {
    /// `POST /validate-token`: the session data of a link's token.
    pub async fn validate_token(
        &self,
        caller: &Caller,
        token: &LinkToken,
        validation: Validation,
    ) -> Result<CallOutput<SessionData>, CallError> {
        #[derive(Serialize)]
        struct Payload<'a> {
            token: &'a str,
            #[serde(skip_serializing_if = "Option::is_none")]
            no_validate: Option<&'static str>,
        }
        let payload = Payload {
            token: token.expose(),
            no_validate: match validation {
                Validation::Full => None,
                Validation::AfterReturn => Some("of-success"),
            },
        };
        self.send(
            Call::ValidateToken,
            caller,
            HeaderMap::new(),
            &payload,
            envelope::record,
        )
        .await
    }

    /// `POST /authorize-customer`: lets the firm read statements. Returns no data.
    pub async fn authorize_customer(
        &self,
        caller: &Caller,
        customer_id: &Id,
        evidence: &ConsentEvidence,
    ) -> Result<CallOutput<()>, CallError> {
        let payload = json!({ "customer_id": customer_id });
        self.send(
            Call::AuthorizeCustomer,
            caller,
            evidence.headers(),
            &payload,
            envelope::confirmed,
        )
        .await
    }

    /// `GET /list-accounts`: the authorised accounts, in the upstream's order.
    ///
    /// Each poll makes its own call, as the specification requires, so that a hanging poll delays
    /// no other.
    pub async fn list_accounts(
        &self,
        caller: &Caller,
    ) -> Result<CallOutput<Vec<Account>>, CallError> {
        self.list(Call::ListAccounts, caller).await
    }

    /// `POST /cancel-integrations`: ends every integration of the client with this CPF or CNPJ,
    /// sent exactly as the upstream wrote it. Returns no data.
    pub async fn cancel_integrations(
        &self,
        caller: &Caller,
        cpfcnpj: &TaxId,
    ) -> Result<CallOutput<()>, CallError> {
        let payload = json!({ "cpfcnpj": cpfcnpj });
        self.send(
            Call::CancelIntegrations,
            caller,
            HeaderMap::new(),
            &payload,
            envelope::confirmed,
        )
        .await
    }

    /// `GET /list-banks`: the banks, in the upstream's order. Never cached: the list may depend on
    /// the token, and the call also shows whether the token is still valid.
    pub async fn list_banks(&self, caller: &Caller) -> Result<CallOutput<Vec<Bank>>, CallError> {
        self.list(Call::ListBanks, caller).await
    }

    /// `POST /success`: reports that the integration is complete. Returns no data. Callers send it
    /// once per linking, because a session outlives one.
    pub async fn success(
        &self,
        caller: &Caller,
        token: &LinkToken,
    ) -> Result<CallOutput<()>, CallError> {
        let payload = json!({ "token": token.expose() });
        self.send(
            Call::Success,
            caller,
            HeaderMap::new(),
            &payload,
            envelope::confirmed,
        )
        .await
    }

    /// `POST /connect-token`: a token that opens Connect. Each call creates a new one.
    pub async fn connect_token(
        &self,
        caller: &Caller,
        request: &ConnectTokenRequest,
    ) -> Result<CallOutput<SecretString>, CallError> {
        self.send(
            Call::ConnectToken,
            caller,
            HeaderMap::new(),
            request,
            responses::connect_token,
        )
        .await
    }

    /// `POST /log`: records one event of Connect. Returns no data. The call that names a new item
    /// must arrive: the browser keeps the item until it has.
    pub async fn log(
        &self,
        caller: &Caller,
        entry: &LogEntry,
    ) -> Result<CallOutput<()>, CallError> {
        let payload = json!({ "type": entry.kind, "status": entry.status, "data_log": entry.data.to_string() });
        self.send(
            Call::Log,
            caller,
            HeaderMap::new(),
            &payload,
            envelope::confirmed,
        )
        .await
    }

    /// `PUT /update-link-account`: reports the item that Connect has renewed. Returns no data.
    pub async fn update_link_account(
        &self,
        caller: &Caller,
        item: &ItemId,
    ) -> Result<CallOutput<()>, CallError> {
        let payload = json!({ "link": item });
        self.send(
            Call::UpdateLinkAccount,
            caller,
            HeaderMap::new(),
            &payload,
            envelope::confirmed,
        )
        .await
    }

    /// Gets a list, without the rows that cannot be read.
    async fn list<T: DeserializeOwned>(
        &self,
        call: Call,
        caller: &Caller,
    ) -> Result<CallOutput<Vec<T>>, CallError> {
        let output = self
            .send(call, caller, HeaderMap::new(), &(), envelope::list)
            .await?;
        let List { rows, unreadable } = output.data;
        if unreadable > 0 {
            let call = call.path();
            tracing::warn!(call, unreadable, "rows of a list that cannot be read");
        }
        Ok(CallOutput {
            data: rows,
            xsrf: output.xsrf,
        })
    }
}
