//! The server functions: every action that a page can post. In the browser, they post to the server.
//! There, each runs the action of its name in `steps/`.
//!
//! Their TypeScript types are generated from this file (`tests/actions.rs`).

use leptos::{prelude::*, server_fn::codec::Json};

#[cfg(feature = "ssr")]
use crate::{
    actions::{extract, respond},
    steps::{accounts, any_page, bank_form, cancel, connect, consent, entry, success},
};
use crate::{
    failure::Failure,
    wire::{
        Accounts, Banks, ConnectStart, Done, FinishedConnect, FromPage, ItemInput, Onward,
        ReportConnectErrorInput, ReportIslandInput, SaveBankFormInput, SubmittedItem,
        ValidateTokenInput,
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

/// Authorizes the firm. Upstream: `POST /authorize-customer`.
#[server(endpoint = "accept_consent", input = Json)]
pub async fn accept_consent(input: FromPage) -> Result<Onward, Failure> {
    let evidence = extract().await;
    respond(
        async |context, session, input| {
            consent::accept_consent(context, session, input, evidence).await
        },
        input,
    )
    .await
}

/// The authorised accounts. Upstream: `GET /list-accounts`.
#[server(endpoint = "list_accounts", input = Json)]
pub async fn list_accounts(input: FromPage) -> Result<Accounts, Failure> {
    respond(accounts::list_accounts, input).await
}

/// The bank list. Upstream: `GET /list-banks`.
#[server(endpoint = "list_banks", input = Json)]
pub async fn list_banks(input: FromPage) -> Result<Banks, Failure> {
    respond(bank_form::list_banks, input).await
}

/// Saves bank, name and CPF to the session. `Invalid` with the rejected fields; `Navigate` to the
/// consent if there is none.
#[server(endpoint = "save_bank_form", input = Json)]
pub async fn save_bank_form(input: SaveBankFormInput) -> Result<Onward, Failure> {
    respond(bank_form::save_bank_form, input).await
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

/// Confirms that the client is done, once for each linking. Upstream: `POST /success`. `Navigate` to
/// the session's start if nothing was linked.
#[server(endpoint = "confirm_success", input = Json)]
pub async fn confirm_success(input: FromPage) -> Result<Done, Failure> {
    respond(success::confirm_success, input).await
}

/// Cancels every integration of the client. Upstream: `POST /cancel-integrations`.
#[server(endpoint = "cancel_integrations", input = Json)]
pub async fn cancel_integrations(input: FromPage) -> Result<Onward, Failure> {
    respond(cancel::cancel_integrations, input).await
}

/// Logs an island that failed. Needs no session, because it changes nothing.
#[server(endpoint = "report_island", input = Json)]
pub async fn report_island(input: ReportIslandInput) -> Result<Done, Failure> {
    respond(any_page::report_island, input).await
}
