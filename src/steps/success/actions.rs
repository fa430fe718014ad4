//! The success call.

use crate::{
    actions::{ActionContext, ActionError, BrowserSession},
    session::{SuccessCall, guard::home},
    telemetry::FunnelStep,
    wire::{Done, FromPage},
};

/// Confirms that the client is done, once for each linking.
pub async fn confirm_success(
    context: &ActionContext,
    session: &mut BrowserSession,
    page: FromPage,
) -> Result<Done, ActionError> {
    let mut session = session.of_page(&page.session)?;
    match session.success_call() {
        SuccessCall::Made => return Ok(Done {}),
        SuccessCall::NotDue => return Err(ActionError::NotYet(home(&session))),
        SuccessCall::Due => {}
    }
    let token = session.token.clone();
    session
        .call_detached(context, async move |upstream, caller| {
            upstream.success(&caller, &token).await
        })
        .await?;
    session.change().confirm_success();
    context.count_step(FunnelStep::Success);
    Ok(Done {})
}
