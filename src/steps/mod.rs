//! The server functions of the islands, one file for each step, and their forms: a `POST` to a page's own address is
//! the same action for a browser without JavaScript.

pub mod accounts;
pub mod action;
pub mod any_page;
pub mod bank_form;
pub mod cancel;
pub mod connect;
pub mod connect_settings;
pub mod consent;
pub mod entry;
pub mod evidence;
pub mod success;

use axum::http::StatusCode;
use leptos::{
    prelude::use_context,
    server_fn::{
        codec::JsonEncoding,
        error::{FromServerFnError, ServerFnErrorErr},
    },
};
use leptos_axum::ResponseOptions;
use serde::{Deserialize, Serialize};
use vincula_domain::{problem::Problem, wire::Failure};
use vincula_upstream::Trace;

/// A failure as server functions return it: of the session, of the error catalogue, or one that the function names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ActionError(pub Failure);

impl FromServerFnError for ActionError {
    type Encoder = JsonEncoding;

    /// An error of the framework, such as unreadable arguments: the caller's mistake.
    fn from_server_fn_error(_: ServerFnErrorErr) -> Self {
        if let Some(options) = use_context::<ResponseOptions>() {
            options.set_status(StatusCode::BAD_REQUEST);
        }
        Self(Failure::problem(Problem::TokenInvalid).with_request_id(Trace::current_request_id().as_deref()))
    }
}
