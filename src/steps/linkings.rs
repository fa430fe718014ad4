//! The accounts that were linked but may not be on the list yet (`session/linkings.rs`).

use leptos::{prelude::*, server_fn::codec::Json};
use vincula_domain::wire::{self, Done};

use super::ActionError;
use crate::steps::action::{Rejection, SessionAction};

/// No longer shows a linked account beside the list, because it is on it or the client says so: `POST
/// /api/forget_linking`. Calls no upstream.
///
/// # Errors
/// None but those of the session.
#[server(prefix = "/api", endpoint = "forget_linking", input = Json)]
pub async fn forget_linking(input: wire::ForgetLinking) -> Result<Done, ActionError> {
    let mut action = SessionAction::of_page(&input.session)?;
    let outcome = forget(&mut action, &input.linking);
    action.into_json(outcome)
}

fn forget(action: &mut SessionAction, linking: &str) -> Result<Done, Rejection> {
    if action.session.linkings.forget(linking) {
        action.seal()?;
    } else {
        action.seal_if_due()?;
    }
    Ok(Done {})
}
