//! `/integration/widget` before the consent: the client authorizes the firm.

use axum::{
    extract::{Request, State},
    http::{header::USER_AGENT, request::Parts},
    response::Response,
};
use leptos::{prelude::*, server_fn::codec::Json};
use serde::Deserialize;
use vincula_domain::{
    routes::Page,
    wire::{self, Onward},
    words::CONSENT_VERSION,
};
use vincula_upstream::ConsentEvidence;

use crate::{
    failure::Failure,
    state::AppState,
    steps::action::{SessionAction, native_form},
    telemetry::FunnelStep,
};

/// Longest User-Agent that is sent as evidence, in characters.
const MAX_USER_AGENT: usize = 200;

/// Authorizes the firm: `POST /api/accept_consent`, upstream `POST /authorize-customer`.
#[server(prefix = "/api", endpoint = "accept_consent", input = Json)]
pub async fn accept_consent(input: wire::FromPage) -> Result<Onward, Failure> {
    let mut action = SessionAction::of_page(&input.session)?;
    let customer_id = action.session.client.customer_id.clone();
    let state = &action.responder.state;
    let evidence = with_context(|parts: &Parts| evidence(parts, state)).unwrap_or_default();
    let given_at = action.now();
    let (upstream, caller) = action.upstream();
    action
        .call_detached(async move {
            upstream
                .authorize_customer(&caller, &customer_id, &evidence)
                .await
        })
        .await?;
    action.session.stage = action
        .session
        .stage
        .clone()
        .authorize(given_at, CONSENT_VERSION);
    action.seal()?;
    action.responder.count_step(FunnelStep::Consent);
    Ok(Page::Accounts.into())
}

/// What proves the consent, if the operator wants it to be sent. Unknown values are left out.
fn evidence(parts: &Parts, state: &AppState) -> ConsentEvidence {
    if !state.sends_consent_evidence {
        return ConsentEvidence::default();
    }
    let browser = parts.headers.get(USER_AGENT);
    let browser = browser.and_then(|value| value.to_str().ok());
    ConsentEvidence {
        client_address: state.trusted_proxies.address_of(parts),
        browser: browser.map(|text| text.chars().take(MAX_USER_AGENT).collect()),
        text_version: Some(CONSENT_VERSION),
    }
}

/// The consent form as a native post.
#[derive(Deserialize)]
struct ConsentForm {
    #[serde(flatten)]
    input: wire::FromPage,
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
