//! The server functions: every action that a page can post. In the browser, they post to the server.
//! There, each runs the action of its name in `steps/`.
//!
//! Their TypeScript types are generated from this file (`tests/actions.rs`).

use leptos::{prelude::*, server_fn::codec::Json};

#[cfg(feature = "ssr")]
use crate::{
    actions::respond,
    steps::{any_page, entry},
};
use crate::{
    failure::Failure,
    wire::{Done, Onward, ReportIslandInput, ValidateTokenInput},
};

/// Validates the token of a link and starts a session. Fails with token-not-found if the query has
/// none.
#[server(endpoint = "validate_token", input = Json)]
pub async fn validate_token(input: ValidateTokenInput) -> Result<Onward, Failure> {
    let outcome = respond(entry::validate_token, input).await;
    entry::name_destination(&outcome);
    outcome
}

/// Logs an island that failed. Needs no session, because it changes nothing.
#[server(endpoint = "report_island", input = Json)]
pub async fn report_island(input: ReportIslandInput) -> Result<Done, Failure> {
    respond(any_page::report_island, input).await
}
