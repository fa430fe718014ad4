//! Pluggy Connect, on `/integration/widget` after the bank form and on `/integration/update`.

#[cfg(feature = "ssr")]
pub mod actions;
#[cfg(feature = "ssr")]
pub mod page;
#[cfg(test)]
mod tests;

use leptos::{prelude::*, server_fn::codec::Json};

#[cfg(feature = "ssr")]
use crate::actions::respond;
use crate::{
    failure::Failure,
    wire::{
        ConnectStart, Done, FinishedConnect, FromPage, ItemInput, ReportConnectErrorInput,
        SubmittedItem,
    },
};

/// Gets a connect token and Connect's other parameters. Upstream: `POST /connect-token` between two
/// log calls. `Navigate` to the step that is due if Connect may not open yet.
#[server(endpoint = "open_connect", input = Json)]
pub async fn open_connect(input: FromPage) -> Result<ConnectStart, Failure> {
    respond(actions::open_connect, input).await
}

/// Records that the client has closed Connect.
#[server(endpoint = "close_connect", input = Json)]
pub async fn close_connect(input: FromPage) -> Result<Done, Failure> {
    respond(actions::close_connect, input).await
}

/// Takes an item that Connect has just reported, and records the linking. Upstream, unless the item
/// waits for an approval: `PUT /update-link-account`, if the session has a `link_id`, and `POST
/// /log`.
#[server(endpoint = "finish_connect", input = Json)]
pub async fn finish_connect(input: ItemInput) -> Result<FinishedConnect, Failure> {
    respond(actions::finish_connect, input).await
}

/// Makes the upstream calls of an item once more. The browser sends it in the background, so it
/// never changes the session.
#[server(endpoint = "submit_item", input = Json)]
pub async fn submit_item(input: ItemInput) -> Result<SubmittedItem, Failure> {
    respond(actions::submit_item, input).await
}

/// Logs that Connect reported an error or did not open. Upstream: `POST /log`.
#[server(endpoint = "report_connect_error", input = Json)]
pub async fn report_connect_error(input: ReportConnectErrorInput) -> Result<Done, Failure> {
    respond(actions::report_connect_error, input).await
}
