//! `/cancel/confirm`: cancels every integration of the client.

#[cfg(feature = "ssr")]
use axum::{
    extract::{Request, State},
    response::Response,
};
use leptos::{prelude::*, server_fn::codec::Json};
#[cfg(feature = "ssr")]
use vincula_domain::routes::Page;
use vincula_domain::wire::{FromPage, Onward};

use crate::failure::Failure;
#[cfg(feature = "ssr")]
use crate::{
    state::AppState,
    steps::action::{SessionAction, native_form},
    telemetry::FunnelStep,
};

/// Cancels every integration of the client: `POST /api/cancel_integrations`, upstream `POST
/// /cancel-integrations`.
#[server(prefix = "/api", endpoint = "cancel_integrations", input = Json)]
pub async fn cancel_integrations(input: FromPage) -> Result<Onward, Failure> {
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
#[cfg(feature = "ssr")]
pub async fn post(State(state): State<AppState>, request: Request) -> Response {
    native_form(state, request, Page::CancelConfirm, cancel_integrations).await
}
