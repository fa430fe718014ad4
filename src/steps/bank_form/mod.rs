//! `/integration/select-bank`: the bank and its account's administrator.

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
    wire::{Banks, FromPage, Onward, SaveBankFormInput},
};

/// The bank list. Upstream: `GET /list-banks`.
#[server(endpoint = "list_banks", input = Json)]
pub async fn list_banks(input: FromPage) -> Result<Banks, Failure> {
    respond(actions::list_banks, input).await
}

/// Saves bank, name and CPF to the session. `Invalid` with the rejected fields; `Navigate` to the
/// consent if there is none.
#[server(endpoint = "save_bank_form", input = Json)]
pub async fn save_bank_form(input: SaveBankFormInput) -> Result<Onward, Failure> {
    respond(actions::save_bank_form, input).await
}
