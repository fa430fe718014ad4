//! `/cancel/confirm`: cancels every integration of the client.

use axum::{Form, extract::rejection::FormRejection, response::Response};

use crate::{
    actions::{ActionContext, ActionError, respond_to_form},
    routes::Page,
    telemetry::FunnelStep,
    wire::{FromPage, Onward},
};

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
