//! `/integration/widget` before the consent: the client authorizes the firm.

use std::sync::Arc;

use axum::{Form, extract::rejection::FormRejection, http::request::Parts, response::Response};
use leptos::{prelude::*, server_fn::codec::Json};
use serde::Deserialize;
use vincula_domain::{
    routes,
    wire::{self, Next},
};

use super::ActionError;
use crate::{
    session::Given,
    steps::action::{Posted, Rejection, SessionAction},
    telemetry::Step,
};

/// Authorizes the firm: `POST /api/accept_consent`, upstream `POST /authorize-customer`.
///
/// # Errors
/// Those of the error catalogue.
#[server(prefix = "/api", endpoint = "accept_consent", input = Json)]
pub async fn accept_consent(input: wire::AcceptConsent) -> Result<Next, ActionError> {
    let mut action = SessionAction::of_page(&input.session)?;
    let parts: Parts = use_context().expect("the framework provides every server function with its request");
    let outcome = accept(&mut action, &parts, &input.text).await;
    action.into_json(outcome)
}

/// The consent form as a native post.
#[derive(Deserialize)]
pub struct ConsentForm {
    session: String,
    /// As in [`wire::AcceptConsent`].
    #[serde(default)]
    text: String,
    /// [`TICKED`] when the box is ticked; absent otherwise.
    consent: Option<String>,
}

/// The value of the ticked box.
const TICKED: &str = "yes";

/// `POST /integration/widget`: the consent before React has hydrated the form, or without JavaScript.
///
/// # Errors
/// A redirect, if the form is unreadable or not of the browser's session.
pub async fn post(
    posted: Posted,
    parts: Parts,
    form: Result<Form<ConsentForm>, FormRejection>,
) -> Result<Response, Response> {
    let form = Posted::form(form, routes::WIDGET)?;
    let mut action = posted.act(&form.session, routes::WIDGET)?;
    let outcome = match form.consent.as_deref() {
        Some(TICKED) => accept(&mut action, &parts, &form.text).await,
        _ => action.seal().map(|()| Next { to: routes::WIDGET.into() }),
    };
    Ok(action.into_redirect(outcome, routes::WIDGET))
}

/// `text` is what the page showed. A text that this process does not know, because the page is of a newer version or the
/// firm's purpose has changed since, is not agreed to here: the page is shown again, with the text of now.
async fn accept(action: &mut SessionAction, parts: &Parts, text: &str) -> Result<Next, Rejection> {
    let evidence = Arc::clone(&action.reply.state.evidence);
    let customer_id = action.session.client.customer_id.clone();
    let Some(shown) = evidence.shown(text, &customer_id) else {
        return Err(action.not_yet(routes::WIDGET));
    };
    let given = Given { at: action.reply.state.codec.now(), text: shown.version() };
    let proof = evidence.of(parts, shown);
    action
        .call_detached(async move |upstream, caller| upstream.authorize_customer(&caller, &customer_id, &proof).await)
        .await?;
    action.session.stage = action.session.stage.clone().authorize(given);
    action.seal()?;
    action.count(Step::Consent);
    Ok(Next { to: routes::ACCOUNTS.into() })
}
