//! The server functions: every action that a page can post. In the browser, they post to the server.
//! There, each runs the action of its name in `steps/`.
//!
//! Their TypeScript types are generated from this file (`tests/actions.rs`).

use leptos::{prelude::*, server_fn::codec::Json};

#[cfg(feature = "ssr")]
use crate::{
    actions::respond,
    steps::{any_page, connect, entry},
};
use crate::{
    failure::Failure,
    wire::{
        ConnectStart, Done, FinishedConnect, FromPage, ItemInput, Onward, ReportConnectErrorInput,
        ReportConnectStepInput, ReportIslandInput, SubmittedItem, ValidateTokenInput,
    },
};

/// Validates the token of a link and starts a session. Fails with token-not-found if the query has
/// none.
#[server(endpoint = "validate_token", input = Json)]
pub async fn validate_token(input: ValidateTokenInput) -> Result<Onward, Failure> {
    let outcome = respond(entry::validate_token, input).await;
    entry::name_destination(&outcome);
    outcome
}

/// Gets a connect token and Connect's other parameters. Upstream: `POST /connect-token` between two
/// log calls. `Navigate` to the step that is due if Connect may not open yet.
#[server(endpoint = "open_connect", input = Json)]
pub async fn open_connect(input: FromPage) -> Result<ConnectStart, Failure> {
    respond(connect::open_connect, input).await
}

/// Records that the client has closed Connect.
#[server(endpoint = "close_connect", input = Json)]
pub async fn close_connect(input: FromPage) -> Result<Done, Failure> {
    respond(connect::close_connect, input).await
}

/// Takes an item that Connect has just reported, and records the linking. Upstream, unless the item
/// waits for an approval: `PUT /update-link-account`, if the session has a `link_id`, and `POST
/// /log`.
#[server(endpoint = "finish_connect", input = Json)]
pub async fn finish_connect(input: ItemInput) -> Result<FinishedConnect, Failure> {
    respond(connect::finish_connect, input).await
}

/// Makes the upstream calls of an item once more. The browser sends it in the background, so it
/// never changes the session.
#[server(endpoint = "submit_item", input = Json)]
pub async fn submit_item(input: ItemInput) -> Result<SubmittedItem, Failure> {
    respond(connect::submit_item, input).await
}

/// Logs that Connect reported an error or did not open. Upstream: `POST /log`.
#[server(endpoint = "report_connect_error", input = Json)]
pub async fn report_connect_error(input: ReportConnectErrorInput) -> Result<Done, Failure> {
    respond(connect::report_connect_error, input).await
}

/// Counts a step inside Connect. The page ignores its errors.
#[server(endpoint = "report_connect_step", input = Json)]
pub async fn report_connect_step(input: ReportConnectStepInput) -> Result<Done, Failure> {
    respond(connect::report_connect_step, input).await
}

/// Logs an island that failed. Needs no session, because it changes nothing.
#[server(endpoint = "report_island", input = Json)]
pub async fn report_island(input: ReportIslandInput) -> Result<Done, Failure> {
    respond(any_page::report_island, input).await
}
