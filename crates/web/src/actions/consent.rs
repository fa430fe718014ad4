//! `/integration/widget` before the consent: the client authorizes the firm (spec §2, "Authorization screen").

use axum::{Form, extract::rejection::FormRejection, response::Response};
use leptos::{prelude::*, server_fn::codec::Json};
use serde::Deserialize;
use vincula_domain::{
    routes,
    wire::{FromPage, Next},
};

use super::ActionError;
use crate::{
    action::{Posted, Rejection, SessionAction},
    session::Given,
};

/// Authorizes the firm: `POST /api/accept_consent`, upstream `POST /authorize-customer`.
///
/// # Errors
/// Those of the error catalogue (spec §8).
#[server(prefix = "/api", endpoint = "accept_consent", input = Json)]
pub async fn accept_consent(input: FromPage) -> Result<Next, ActionError> {
    let mut action = SessionAction::of_page(&input.session)?;
    let outcome = accept(&mut action).await;
    action.into_json(outcome)
}

/// The consent form as a native post.
#[derive(Deserialize)]
pub struct ConsentForm {
    session: String,
    /// Present when the box is ticked.
    consent: Option<String>,
}

/// `POST /integration/widget`: the consent before React has hydrated the form, or without JavaScript.
///
/// # Errors
/// A redirect, if the form is unreadable or not of the browser's session.
pub async fn post(posted: Posted, form: Result<Form<ConsentForm>, FormRejection>) -> Result<Response, Response> {
    let form = Posted::form(form, routes::WIDGET)?;
    let mut action = posted.act(&form.session, routes::WIDGET)?;
    let outcome = match form.consent {
        Some(_) => accept(&mut action).await,
        None => action.seal().map(|()| Next { to: routes::WIDGET.into() }),
    };
    Ok(action.into_redirect(outcome, routes::WIDGET))
}

async fn accept(action: &mut SessionAction) -> Result<Next, Rejection> {
    let customer_id = action.session.client.customer_id.clone();
    action
        .call_detached(async move |upstream, caller| upstream.authorize_customer(&caller, &customer_id).await)
        .await?;
    let given = Given { at: action.reply.state.codec.now(), text: action.reply.state.consent.version() };
    action.session.stage = action.session.stage.clone().authorize(given);
    action.seal()?;
    Ok(Next { to: routes::ACCOUNTS.into() })
}
