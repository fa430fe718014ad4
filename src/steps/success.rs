//! `/integration/success`: confirms to the upstream that the client is done.

use leptos::{prelude::*, server_fn::codec::Json};
use vincula_domain::wire::{Done, FromPage};

use crate::{
    failure::Failure, session::guard::home, steps::action::SessionAction, telemetry::FunnelStep,
};

/// Confirms that the client is done, once for each linking: `POST /api/confirm_success`, upstream
/// `POST /success`. `Navigate` to the session's start if nothing was linked.
#[server(prefix = "/api", endpoint = "confirm_success", input = Json)]
pub async fn confirm_success(input: FromPage) -> Result<Done, Failure> {
    let mut action = SessionAction::of_page(&input.session)?;
    if action.session.progress.success_reported {
        return Ok(Done {});
    }
    if !action.session.progress.linked {
        return Err(action.not_yet(home(&action.session)));
    }
    let token = action.session.token.clone();
    let (upstream, caller) = action.upstream();
    action
        .call_detached(async move { upstream.success(&caller, &token).await })
        .await?;
    action.session.progress.success_reported = true;
    action.seal()?;
    action.responder.count_step(FunnelStep::Success);
    Ok(Done {})
}
