//! The server functions of the islands, one file for each step, and their forms: a `POST` to a page's own address is
//! the same action for a browser without JavaScript.

pub mod accounts;
pub mod bank_form;
pub mod cancel;
pub mod connect;
pub mod consent;
pub mod entry;
pub mod listed;
pub mod report_island;
pub mod success;

use leptos::server_fn::{
    codec::JsonEncoding,
    error::{FromServerFnError, ServerFnErrorErr},
};
use serde::{Deserialize, Serialize};
use vincula_domain::{problem::Problem, wire::Failure};

/// A failure as server functions return it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ActionError(pub Failure);

impl FromServerFnError for ActionError {
    type Encoder = JsonEncoding;

    /// An error of the framework, such as unreadable arguments: the caller's mistake.
    fn from_server_fn_error(_: ServerFnErrorErr) -> Self {
        Self(Failure::problem(Problem::TokenInvalid))
    }
}

#[cfg(test)]
mod tests {
    use leptos::server_fn::ServerFn;
    use vincula_domain::routes::action;

    use super::{accounts::ListAccounts, cancel::CancelIntegrations, success::ConfirmSuccess};

    #[test]
    fn the_paths_that_islands_call_are_those_of_the_server_functions() {
        assert_eq!(ListAccounts::PATH, action::LIST_ACCOUNTS);
        assert_eq!(CancelIntegrations::PATH, action::CANCEL_INTEGRATIONS);
        assert_eq!(ConfirmSuccess::PATH, action::CONFIRM_SUCCESS);
    }
}
