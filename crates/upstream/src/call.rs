//! The nine calls: method, path and response limit of each.

use reqwest::{Method, Url};

const KB: usize = 1024;

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

    /// The URL of the call, below the base URL.
    pub(super) fn url(self, base: &Url) -> Url {
        let mut url = base.clone();
        // Fails only for URLs like `mailto:`, which the first call then reports as unreachable.
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().push(self.path());
        }
        url
    }

    /// Maximum body size of a 2xx response, in bytes (design D16). The widget API sends no larger one.
    pub(super) fn max_bytes(self) -> usize {
        match self {
            Self::ListAccounts | Self::ListBanks => 512 * KB,
            Self::ValidateToken | Self::ConnectToken => 64 * KB,
            // The client discards the body of these.
            Self::AuthorizeCustomer
            | Self::CancelIntegrations
            | Self::Success
            | Self::Log
            | Self::UpdateLinkAccount => 64 * KB,
        }
    }

    /// Maximum body size of any other response, in bytes: an error has a message and no rows.
    pub(super) const MAX_ERROR_BYTES: usize = 64 * KB;

    /// The one path segment after the base URL; also the call's name in metrics and among the samples.
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
