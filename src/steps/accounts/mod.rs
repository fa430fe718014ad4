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
    wire::{Accounts, FromPage},
};

/// The authorised accounts. Upstream: `GET /list-accounts`.
#[server(endpoint = "list_accounts", input = Json)]
pub async fn list_accounts(input: FromPage) -> Result<Accounts, Failure> {
    respond(actions::list_accounts, input).await
}
