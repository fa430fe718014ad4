//! The cancellation.

use axum::{Form, extract::rejection::FormRejection, response::Response};

use crate::{
    actions::{ActionContext, ActionError, BrowserSession, respond_to_form},
    routes::Page,
    telemetry::FunnelStep,
    wire::{FromPage, Onward},
};

/// Cancels every integration of the client, also if that was done before.
pub async fn cancel_integrations(
    context: &ActionContext,
    session: &mut BrowserSession,
    page: FromPage,
) -> Result<Onward, ActionError> {
    let mut session = session.of_page(&page.session)?;
    let cpfcnpj = session.client.cpfcnpj.clone();
    session
        .call_detached(context, async move |upstream, caller| {
            upstream.cancel_integrations(&caller, &cpfcnpj).await
        })
        .await?;
    session.change().cancel();
    context.count_step(FunnelStep::Cancelled);
    Ok(Page::CancelSuccess.into())
}

/// `POST /cancel/confirm`: the cancellation without JavaScript.
pub async fn post(
    context: ActionContext,
    session: BrowserSession,
    form: Result<Form<FromPage>, FormRejection>,
) -> Response {
    let from = Page::CancelConfirm.into();
    respond_to_form(cancel_integrations, (context, session), form, from).await
}
