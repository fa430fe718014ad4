//! `/integration/success`: the account is linked.

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
    wire::{Done, FromPage},
};

/// Confirms that the client is done, once for each linking. Upstream: `POST /success`. `Navigate` to
/// the session's start if nothing was linked.
#[server(endpoint = "confirm_success", input = Json)]
pub async fn confirm_success(input: FromPage) -> Result<Done, Failure> {
    respond(actions::confirm_success, input).await
}
