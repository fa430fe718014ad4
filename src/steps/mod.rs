//! The actions, one file for each step: server functions of the islands, and forms. A `POST` to a
//! page's own address is the same action for a browser without JavaScript. Functions that Leptos
//! islands call are declared in [`crate::islands::server`].

pub mod accounts;
pub mod action;
pub mod any_page;
pub mod bank_form;
pub mod cancel;
pub mod connect;
pub mod connect_settings;
pub mod consent;
pub mod entry;
pub mod from_upstream;
pub mod success;

pub use crate::islands::server::ActionError;
use axum::http::StatusCode;
use leptos::prelude::{use_context, with_context};
use leptos_axum::ResponseOptions;
use vincula_domain::{problem::Problem, wire::Failure};
use vincula_upstream::RequestId;

use crate::{http::given, islands::server::Handlers};

/// What the server functions of the Leptos islands do.
pub const HANDLERS: Handlers = Handlers {
    list_accounts: |input| Box::pin(accounts::list_accounts(input)),
    confirm_success: |input| Box::pin(success::confirm_success(input)),
    cancel_integrations: |input| Box::pin(cancel::cancel_integrations(input)),
    rejected,
};

fn rejected() -> Failure {
    if let Some(options) = use_context::<ResponseOptions>() {
        options.set_status(StatusCode::BAD_REQUEST);
    }
    let request_id: Option<RequestId> = with_context(given);
    let failure = Failure::problem(Problem::TokenInvalid);
    failure.with_request_id(request_id.as_ref().map(RequestId::as_str))
}
