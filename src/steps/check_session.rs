//! Whether a page's session is still the browser's: only the server sees the cookie.

use leptos::{prelude::*, server_fn::codec::Json};
use vincula_domain::wire::{Done, FromPage};

use super::ActionError;
use crate::steps::action::SessionAction;

/// Succeeds if the page's session is the browser's: `POST /api/check_session`. Calls no upstream.
///
/// # Errors
/// Those of the session: `OtherTab` if another link has been opened since.
#[server(prefix = "/api", endpoint = "check_session", input = Json)]
pub async fn check_session(input: FromPage) -> Result<Done, ActionError> {
    let mut action = SessionAction::of_page(&input.session)?;
    let outcome = action.seal_if_due();
    action.into_json(outcome.map(|()| Done {}))
}
