//! `/cancel/confirm`: cancels every integration of the client.

use axum::{Form, extract::rejection::FormRejection, response::Response};
use leptos::{prelude::*, server_fn::codec::Json};
use vincula_domain::{
    routes,
    wire::{FromPage, Next},
};

use super::ActionError;
use crate::{
    steps::action::{Posted, Rejection, SessionAction},
    telemetry::Step,
};

/// Cancels every integration of the client: `POST /api/cancel_integrations`, upstream `POST /cancel-integrations`.
///
/// # Errors
/// Those of the error catalogue.
#[server(prefix = "/api", endpoint = "cancel_integrations", input = Json)]
pub async fn cancel_integrations(input: FromPage) -> Result<Next, ActionError> {
    let mut action = SessionAction::of_page(&input.session)?;
    let outcome = cancel(&mut action).await;
    action.into_json(outcome)
}

/// `POST /cancel/confirm`: the cancellation without JavaScript.
///
/// # Errors
/// A redirect, if the form is unreadable or not of the browser's session.
pub async fn post(posted: Posted, form: Result<Form<FromPage>, FormRejection>) -> Result<Response, Response> {
    let form = Posted::form(form, routes::CANCEL_CONFIRM)?;
    let mut action = posted.act(&form.session, routes::CANCEL_CONFIRM)?;
    let outcome = cancel(&mut action).await;
    Ok(action.into_redirect(outcome, routes::CANCEL_CONFIRM))
}

async fn cancel(action: &mut SessionAction) -> Result<Next, Rejection> {
    let cpfcnpj = action.session.client.cpfcnpj.clone();
    action.call_detached(async move |upstream, caller| upstream.cancel_integrations(&caller, &cpfcnpj).await).await?;
    let now = action.reply.state.codec.now();
    action.session.cancel(now);
    action.seal()?;
    action.count(Step::Cancelled);
    Ok(Next { to: routes::CANCEL_SUCCESS.into() })
}
