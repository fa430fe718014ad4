//! `/integration/widget` before the consent: the client authorizes the firm.

use axum::{
    extract::{Request, State},
    http::request::Parts,
    response::Response,
};
use leptos::{prelude::*, server_fn::codec::Json};
use serde::Deserialize;
use vincula_domain::{
    routes::Page,
    wire::{self, Onward},
};

use super::ActionError;
use crate::{
    state::AppState,
    steps::action::{SessionAction, native_form},
    telemetry::FunnelStep,
};

/// Authorizes the firm: `POST /api/accept_consent`, upstream `POST /authorize-customer`.
///
/// A text that this process does not know is not accepted: the page is of a newer version, or the
/// firm's purpose has changed since. The page is shown again, with the current text.
#[server(prefix = "/api", endpoint = "accept_consent", input = Json)]
pub async fn accept_consent(input: wire::AcceptConsent) -> Result<Onward, ActionError> {
    let mut action = SessionAction::of_page(&input.session)?;
    let customer_id = action.session.client.customer_id.clone();
    let shown = with_context(|parts: &Parts| {
        action
            .responder
            .state
            .evidence
            .of(parts, &input.text, &customer_id)
    });
    let Some((text, evidence)) = shown.flatten() else {
        return Err(action.not_yet(Page::Widget));
    };
    let given_at = action.now();
    let (upstream, caller) = action.upstream();
    action
        .call_detached(async move {
            upstream
                .authorize_customer(&caller, &customer_id, &evidence)
                .await
        })
        .await?;
    action.session.stage = action.session.stage.clone().authorize(given_at, text);
    action.seal()?;
    action.responder.count_step(FunnelStep::Consent);
    Ok(Page::Accounts.into())
}

/// The consent form as a native post.
#[derive(Deserialize)]
struct ConsentForm {
    #[serde(flatten)]
    input: wire::AcceptConsent,
    /// [`TICKED`] when the box is ticked; absent otherwise.
    consent: Option<String>,
}

/// The value of the ticked box.
const TICKED: &str = "yes";

/// `POST /integration/widget`: the consent before React has hydrated the form, or without
/// JavaScript.
pub async fn post(State(state): State<AppState>, request: Request) -> Response {
    let accept = async |form: ConsentForm| match form.consent.as_deref() {
        Some(TICKED) => accept_consent(form.input).await,
        _ => Ok(Page::Widget.into()),
    };
    native_form(state, request, Page::Widget, accept).await
}
