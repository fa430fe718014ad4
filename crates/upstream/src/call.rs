//! The nine calls: verb and path of each, once.

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

    /// Where it is, below the base address.
    pub(super) fn url(self, base: &Url) -> Url {
        let mut url = base.clone();
        // Fails for addresses like `mailto:` only, which then fail as unreachable.
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().push(self.path());
        }
        url
    }

    /// Most bytes of a 2xx answer that are read (design D16); whatever says more is no answer of the widget API's.
    pub(super) fn most_bytes(self) -> usize {
        match self {
            Self::ListAccounts | Self::ListBanks => 512 * KB,
            Self::ValidateToken | Self::ConnectToken => 64 * KB,
            // Whose answers nobody uses.
            Self::AuthorizeCustomer
            | Self::CancelIntegrations
            | Self::Success
            | Self::Log
            | Self::UpdateLinkAccount => 64 * KB,
        }
    }

    /// Most bytes of any other answer that are read: a refusal has a message and no rows.
    pub(super) const MOST_BYTES_OF_A_REFUSAL: usize = 64 * KB;

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
