//! `/integration/accounts`: the live list of linked accounts.

#[cfg(feature = "ssr")]
pub mod actions;
mod island;
#[cfg(feature = "ssr")]
pub mod page;
#[cfg(test)]
mod tests;

use leptos::{prelude::*, server_fn::codec::Json};

#[cfg(feature = "ssr")]
use crate::actions::respond;
use crate::{
    failure::Failure,
    wire::{Accounts, ListAccountsInput},
};

/// The authorised accounts. Upstream: `GET /list-accounts`. If the page already has the same list,
/// the response is a few bytes.
#[server(endpoint = "list_accounts", input = Json)]
pub async fn list_accounts(input: ListAccountsInput) -> Result<Accounts, Failure> {
    respond(actions::list_accounts, input).await
}
