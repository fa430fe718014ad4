//! The server functions that the islands call. In the browser, the page's client posts a call. On
//! the server, the body passes the input to the [`Handlers`].

use std::pin::Pin;

use leptos::{
    prelude::*,
    server_fn::{
        codec::JsonEncoding,
        error::{FromServerFnError, ServerFnErrorErr},
    },
};
use serde::{Deserialize, Serialize};
use vincula_domain::{
    problem::Problem,
    wire::{self, Accounts, Done, Failure, FromPage, Onward},
};

use crate::islands::protocol::{Call, PagePost};

/// Timeout of a poll, in milliseconds.
const POLL_TIMEOUT_MS: u32 = 60_000;

/// The authorised and the waiting accounts: `POST /api/list_accounts`.
#[server(prefix = "/api", endpoint = "list_accounts", protocol = PagePost)]
pub async fn list_accounts(input: wire::ListAccounts) -> Result<Accounts, ActionError> {
    (expect_context::<Handlers>().list_accounts)(input).await
}

/// Confirms that the client is done: `POST /api/confirm_success`.
#[server(prefix = "/api", endpoint = "confirm_success", protocol = PagePost)]
pub async fn confirm_success(input: FromPage) -> Result<Done, ActionError> {
    (expect_context::<Handlers>().confirm_success)(input).await
}

/// Cancels every integration of the client: `POST /api/cancel_integrations`.
#[server(prefix = "/api", endpoint = "cancel_integrations", protocol = PagePost)]
pub async fn cancel_integrations(input: FromPage) -> Result<Onward, ActionError> {
    (expect_context::<Handlers>().cancel_integrations)(input).await
}

impl Call for ListAccounts {
    /// The first list has no timeout in the browser.
    fn timeout_ms(&self) -> Option<u32> {
        self.known.as_ref().map(|_| POLL_TIMEOUT_MS)
    }
}

impl Call for ConfirmSuccess {
    const OUTLIVES_PAGE: bool = true;
}

impl Call for CancelIntegrations {
    const OUTLIVES_PAGE: bool = true;
}

/// The implementation of a server function on the server.
pub type Handler<I, O> = fn(I) -> Pin<Box<dyn Future<Output = Result<O, ActionError>> + Send>>;

/// The bodies of the server functions. They need crates that the browser's module cannot have, so
/// the server puts them into the context of every server function.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(not(feature = "ssr"), expect(dead_code))]
pub struct Handlers {
    pub list_accounts: Handler<wire::ListAccounts, Accounts>,
    pub confirm_success: Handler<FromPage, Done>,
    pub cancel_integrations: Handler<FromPage, Onward>,
    /// The failure for a request that the framework rejects, such as one with unreadable arguments.
    /// Sets the status.
    pub rejected: fn() -> Failure,
}

/// The error of every server function: a [`Failure`], which names the page's reaction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ActionError {
    pub failure: Failure,
    /// In the browser, the value of the header `Retry-After` in milliseconds.
    #[serde(skip)]
    pub retry_after_ms: u32,
}

impl From<Failure> for ActionError {
    fn from(failure: Failure) -> Self {
        Self {
            failure,
            retry_after_ms: 0,
        }
    }
}

impl FromServerFnError for ActionError {
    type Encoder = JsonEncoding;

    /// The failure for a request that the framework rejects. On the server,
    /// [`Handlers::rejected`] also sets the status.
    fn from_server_fn_error(_: ServerFnErrorErr) -> Self {
        let failure = use_context().map(|Handlers { rejected, .. }| rejected());
        failure
            .unwrap_or_else(|| Failure::problem(Problem::TokenInvalid))
            .into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_polls_have_timeout() {
        let list = |known| ListAccounts {
            input: wire::ListAccounts {
                session: String::new(),
                known,
            },
        };
        assert_eq!(list(None).timeout_ms(), None);
        assert_eq!(
            list(Some("digest".to_owned())).timeout_ms(),
            Some(POLL_TIMEOUT_MS)
        );
    }

    #[test]
    fn serializes_error_as_its_failure() {
        let error = ActionError {
            retry_after_ms: 7000,
            ..Failure::stay().into()
        };
        assert_eq!(error.ser().as_ref(), br#"{"kind":"no_reply"}"#);
    }
}
