//! `/`: validates the link's token and starts the session.

#[cfg(feature = "ssr")]
pub mod actions;
#[cfg(feature = "ssr")]
pub mod in_place;
#[cfg(feature = "ssr")]
pub mod page;
#[cfg(test)]
mod tests;

use leptos::{prelude::*, server_fn::codec::Json};

#[cfg(feature = "ssr")]
use crate::actions::respond;
use crate::{
    failure::Failure,
    wire::{Onward, ValidateTokenInput},
};

/// Validates the token of a link and starts a session. Fails with token-not-found if the query has
/// none.
#[server(endpoint = "validate_token", input = Json)]
pub async fn validate_token(input: ValidateTokenInput) -> Result<Onward, Failure> {
    let outcome = respond(actions::validate_token, input).await;
    actions::set_content_location(&outcome);
    outcome
}
