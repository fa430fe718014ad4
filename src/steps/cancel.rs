//! `/cancel/confirm`: cancels every integration of the client.

use axum::{Form, extract::rejection::FormRejection, response::Response};

use crate::{
    actions::{ActionContext, ActionError, BrowserSession, respond_to_form},
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

/// What is shown after the cancellation. `now`: Unix seconds.
pub fn cancel_success_screen(session: &Session, now: u64) -> Screen {
    Screen::CancelSuccess(session.page_context(now))
}

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
