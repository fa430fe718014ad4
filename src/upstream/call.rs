//! The nine calls: verb and path of each, once.

use reqwest::Method;

/// A call of the widget API (spec §7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
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
    pub const ALL: [Self; 9] = [
        Self::ValidateToken,
        Self::AuthorizeCustomer,
        Self::ListAccounts,
        Self::CancelIntegrations,
        Self::ListBanks,
        Self::Success,
        Self::ConnectToken,
        Self::Log,
        Self::UpdateLinkAccount,
    ];

    pub fn method(self) -> Method {
        match self {
            Self::ListAccounts | Self::ListBanks => Method::GET,
            Self::UpdateLinkAccount => Method::PUT,
            _ => Method::POST,
        }
    }

    /// The one path segment after the base address; also its name in logs and among the samples.
    pub fn path(self) -> &'static str {
        match self {
            Self::ValidateToken => "validate-token",
            Self::AuthorizeCustomer => "authorize-customer",
            Self::ListAccounts => "list-accounts",
            Self::CancelIntegrations => "cancel-integrations",
            Self::ListBanks => "list-banks",
            Self::Success => "success",
            Self::ConnectToken => "connect-token",
            Self::Log => "log",
            Self::UpdateLinkAccount => "update-link-account",
        }
    }
}
