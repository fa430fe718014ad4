//! `/cancel/confirm` and `/cancel/success`: cancels every integration of the client.

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
    wire::{FromPage, Onward},
};

/// Cancels every integration of the client. Upstream: `POST /cancel-integrations`.
#[server(endpoint = "cancel_integrations", input = Json)]
pub async fn cancel_integrations(input: FromPage) -> Result<Onward, Failure> {
    respond(actions::cancel_integrations, input).await
}
