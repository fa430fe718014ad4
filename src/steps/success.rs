//! `/integration/success`: confirms to the upstream that the client is done.

use crate::{
    actions::{ActionContext, ActionError},
    brasilia,
    screen::{Screen, SuccessScreen},
    session::{Session, guard::home},
    telemetry::FunnelStep,
    wire::{Done, FromPage},
    words,
};

/// What the step shows. `now`: Unix seconds.
pub fn success_screen(session: &Session, now: u64) -> Screen {
    let consented = session.stage.consent().map(|consent| {
        let when = brasilia::day_and_time(consent.given_at());
        words::consented(&when, consent.version())
    });
    Screen::Success(SuccessScreen {
        context: session.page_context(now),
        consented: consented.unwrap_or_default(),
    })
}

/// Confirms that the client is done, once for each linking.
pub async fn confirm_success(context: ActionContext, page: FromPage) -> Result<Done, ActionError> {
    let mut action = context.in_session(&page.session)?;
    if action.session.progress.success_reported {
        return Ok(Done {});
    }
    if !action.session.progress.linked {
        return Err(ActionError::NotYet(home(&action.session)));
    }
    let token = action.session.token.clone();
    let (upstream, caller) = action.upstream();
    action
        .call_detached(async move { upstream.success(&caller, &token).await })
        .await?;
    action.session.report_success();
    action.seal()?;
    action.context.count_step(FunnelStep::Success);
    Ok(Done {})
}
