//! `/cancel/confirm`: cancels every integration of the client.

use axum::{Form, extract::rejection::FormRejection, response::Response};

use crate::{
    actions::{ActionContext, ActionError, respond_to_form},
    routes::Page,
    screen::Screen,
    session::Session,
    telemetry::FunnelStep,
    wire::{FromPage, Onward},
};

/// What the step shows. `now`: Unix seconds.
pub fn cancel_confirm_screen(session: &Session, now: u64) -> Screen {
    Screen::CancelConfirm(session.page_context(now))
}

/// What is shown after the cancellation.
pub fn cancel_success_screen(session: &Session) -> Screen {
    Screen::CancelSuccess {
        session: session.id.clone(),
    }
}

/// Cancels every integration of the client.
pub async fn cancel_integrations(
    context: ActionContext,
    page: FromPage,
) -> Result<Onward, ActionError> {
    let mut action = context.in_session(&page.session)?;
    let cpfcnpj = action.session.client.cpfcnpj.clone();
    let (upstream, caller) = action.upstream();
    action
        .call_detached(async move { upstream.cancel_integrations(&caller, &cpfcnpj).await })
        .await?;
    action.session.cancel();
    action.seal()?;
    action.context.count_step(FunnelStep::Cancelled);
    Ok(Page::CancelSuccess.into())
}

/// `POST /cancel/confirm`: the cancellation without JavaScript.
pub async fn post(context: ActionContext, form: Result<Form<FromPage>, FormRejection>) -> Response {
    respond_to_form(
        cancel_integrations,
        context,
        form,
        Page::CancelConfirm.into(),
    )
    .await
}
