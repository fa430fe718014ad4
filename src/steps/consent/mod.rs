//! `/integration/widget` before the consent: the client authorizes the firm.

#[cfg(feature = "ssr")]
pub mod actions;
#[cfg(feature = "ssr")]
pub mod page;
#[cfg(test)]
mod tests;

use leptos::{prelude::*, server_fn::codec::Json};

#[cfg(feature = "ssr")]
use crate::actions::{extract, respond};
use crate::{
    failure::Failure,
    wire::{AcceptConsentInput, Onward},
};

/// Authorizes the firm. Upstream: `POST /authorize-customer`. If the page has shown another version of
/// the text, it leads to the page again.
#[server(endpoint = "accept_consent", input = Json)]
pub async fn accept_consent(input: AcceptConsentInput) -> Result<Onward, Failure> {
    let evidence = extract().await;
    respond(
        async |context, session, input| {
            actions::accept_consent(context, session, input, evidence).await
        },
        input,
    )
    .await
}
