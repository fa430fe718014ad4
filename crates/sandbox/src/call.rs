//! The calls of the widget API that need a bearer token: all nine of spec §7 but validate-token.

use axum::http::Method;

/// A call with a bearer token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Call {
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
    pub const ALL: [Self; 8] = [
        Self::AuthorizeCustomer,
        Self::ListAccounts,
        Self::CancelIntegrations,
        Self::ListBanks,
        Self::Success,
        Self::ConnectToken,
        Self::Log,
        Self::UpdateLinkAccount,
    ];

    /// The path below the base path.
    pub fn path(self) -> &'static str {
        match self {
            Self::AuthorizeCustomer => "/authorize-customer",
            Self::ListAccounts => "/list-accounts",
            Self::CancelIntegrations => "/cancel-integrations",
            Self::ListBanks => "/list-banks",
            Self::Success => "/success",
            Self::ConnectToken => "/connect-token",
            Self::Log => "/log",
            Self::UpdateLinkAccount => "/update-link-account",
        }
    }

    pub fn method(self) -> Method {
        match self {
            Self::ListAccounts | Self::ListBanks => Method::GET,
            Self::UpdateLinkAccount => Method::PUT,
            _ => Method::POST,
        }
    }

    /// Whether the call may change something and so requires the XSRF token.
    pub fn is_write(self) -> bool {
        self.method() != Method::GET
    }
}
