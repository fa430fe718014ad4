//! `/cancel/confirm`: cancels every integration of the client.

use axum::{
    extract::{Request, State},
    response::Response,
};
use vincula_domain::{
    routes::Page,
    wire::{FromPage, Onward},
};

use super::ActionError;
use crate::{
    state::AppState,
    steps::action::{SessionAction, native_form},
    telemetry::FunnelStep,
};

/// Cancels every integration of the client: upstream `POST /cancel-integrations`.
pub async fn cancel_integrations(input: FromPage) -> Result<Onward, ActionError> {
    let mut action = SessionAction::of_page(&input.session)?;
    let cpfcnpj = action.session.client.cpfcnpj.clone();
    let (upstream, caller) = action.upstream();
    action
        .call_detached(async move { upstream.cancel_integrations(&caller, &cpfcnpj).await })
        .await?;
    action.session.cancel();
    action.seal()?;
    action.responder.count_step(FunnelStep::Cancelled);
    Ok(Page::CancelSuccess.into())
}

/// `POST /cancel/confirm`: the cancellation without JavaScript.
pub async fn post(State(state): State<AppState>, request: Request) -> Response {
    native_form(state, request, Page::CancelConfirm, cancel_integrations).await
}
