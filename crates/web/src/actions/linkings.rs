//! The accounts that were linked but may not be on the list yet (`session/linkings.rs`).

use leptos::{prelude::*, server_fn::codec::Json};
use vincula_domain::wire::{self, Done, FromPage};

use super::ActionError;
use crate::action::{Rejection, SessionAction};

/// Remembers that the account waits for another person's approval at the bank: `POST /api/report_pending`. Calls no
/// upstream.
///
/// # Errors
/// None but those of the session.
#[server(prefix = "/api", endpoint = "report_pending", input = Json)]
pub async fn report_pending(input: FromPage) -> Result<Done, ActionError> {
    let mut action = SessionAction::of_page(&input.session)?;
    let now = action.reply.state.codec.now();
    let changed = action.session.awaits_approval(now);
    let outcome = seal(&mut action, changed);
    action.into_json(outcome)
}

/// No longer shows a linked account beside the list, because it is on it or the client says so: `POST
/// /api/forget_linking`. Calls no upstream.
///
/// # Errors
/// None but those of the session.
#[server(prefix = "/api", endpoint = "forget_linking", input = Json)]
pub async fn forget_linking(input: wire::ForgetLinking) -> Result<Done, ActionError> {
    let mut action = SessionAction::of_page(&input.session)?;
    let changed = input.linking.parse().is_ok_and(|at| action.session.linkings.forget(at));
    let outcome = seal(&mut action, changed);
    action.into_json(outcome)
}

fn seal(action: &mut SessionAction, changed: bool) -> Result<Done, Rejection> {
    if changed {
        action.seal()?
    } else {
        action.seal_if_due()?
    }
    Ok(Done {})
}
