//! The server's actions by name: what a page asks of the server. The server functions declare the same names.

#[cfg(test)]
use ts_rs::TS;

use crate::routes::API;

/// An action. Its path is `/api/` and its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(test, derive(TS), ts(export, export_to = "types.ts", rename_all = "snake_case"))]
pub enum Action {
    ValidateToken,
    AcceptConsent,
    ListAccounts,
    ListBanks,
    SaveBankForm,
    OpenConnect,
    FinishConnect,
    ReportConnectError,
    ReportConnectStep,
    ConfirmSuccess,
    CancelIntegrations,
    CheckSession,
    ReportIsland,
}

impl Action {
    pub const ALL: [Self; 13] = [
        Self::ValidateToken,
        Self::AcceptConsent,
        Self::ListAccounts,
        Self::ListBanks,
        Self::SaveBankForm,
        Self::OpenConnect,
        Self::FinishConnect,
        Self::ReportConnectError,
        Self::ReportConnectStep,
        Self::ConfirmSuccess,
        Self::CancelIntegrations,
        Self::CheckSession,
        Self::ReportIsland,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::ValidateToken => "validate_token",
            Self::AcceptConsent => "accept_consent",
            Self::ListAccounts => "list_accounts",
            Self::ListBanks => "list_banks",
            Self::SaveBankForm => "save_bank_form",
            Self::OpenConnect => "open_connect",
            Self::FinishConnect => "finish_connect",
            Self::ReportConnectError => "report_connect_error",
            Self::ReportConnectStep => "report_connect_step",
            Self::ConfirmSuccess => "confirm_success",
            Self::CancelIntegrations => "cancel_integrations",
            Self::CheckSession => "check_session",
            Self::ReportIsland => "report_island",
        }
    }

    /// The action at a path.
    pub fn at(path: &str) -> Option<Self> {
        let name = path.strip_prefix(API)?.strip_prefix('/')?;
        Self::ALL.into_iter().find(|action| action.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_action_is_found_at_its_path_and_named_alike_in_typescript() {
        for action in Action::ALL {
            assert_eq!(Action::at(&format!("{API}/{}", action.name())), Some(action));
        }
        let names = Action::ALL.map(|action| format!("\"{}\"", action.name()));
        assert_eq!(Action::inline(&ts_rs::Config::default()), names.join(" | "));
        for path in ["/api", "/api/", "/api/x", "/apivalidate_token", "validate_token", "/api/validate_token/"] {
            assert_eq!(Action::at(path), None, "{path}");
        }
    }
}
