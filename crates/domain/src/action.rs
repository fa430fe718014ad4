//! The names of the server's actions. The server functions declare the same names.

use strum::{EnumIter, EnumString, IntoStaticStr};

use crate::routes::API;

/// An action. Its path is `/api/` and its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumIter, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Action {
    ValidateToken,
    AcceptConsent,
    ListAccounts,
    ListBanks,
    SaveBankForm,
    OpenConnect,
    CloseConnect,
    FinishConnect,
    ReportConnectError,
    ReportConnectStep,
    ConfirmSuccess,
    CancelIntegrations,
    ReportIsland,
}

impl Action {
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Whether the server's response waits for the upstream.
    pub fn waits_for_upstream(self) -> bool {
        match self {
            Self::ValidateToken
            | Self::AcceptConsent
            | Self::ListAccounts
            | Self::ListBanks
            | Self::OpenConnect
            | Self::FinishConnect
            | Self::ReportConnectError
            | Self::ConfirmSuccess
            | Self::CancelIntegrations => true,
            Self::SaveBankForm
            | Self::CloseConnect
            | Self::ReportConnectStep
            | Self::ReportIsland => false,
        }
    }

    /// The action at a path.
    pub fn at(path: &str) -> Option<Self> {
        path.strip_prefix(API)?.strip_prefix('/')?.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use strum::IntoEnumIterator;

    use super::*;

    #[test]
    fn finds_each_action_by_path() {
        for action in Action::iter() {
            assert_eq!(
                Action::at(&format!("{API}/{}", action.name())),
                Some(action)
            );
        }
        for path in [
            "/api",
            "/api/",
            "/api/x",
            "/apivalidate_token",
            "validate_token",
            "/api/validate_token/",
        ] {
            assert_eq!(Action::at(path), None, "{path}");
        }
    }
}
