//! The authorization of the firm.

use std::convert::Infallible;

use axum::{
    Form,
    extract::{FromRequestParts, rejection::FormRejection},
    http::{header::USER_AGENT, request::Parts},
    response::Response,
};
use serde::Deserialize;
use vincula_domain::Private;
use vincula_upstream::ConsentEvidence;

use crate::{
    actions::{ActionContext, ActionError, BrowserSession, respond_to_form},
    routes::Page,
    session::Consent,
    state::AppState,
    telemetry::FunnelStep,
    wire::{AcceptConsentInput, Onward},
    words::CONSENT_VERSION,
};

/// Longest User-Agent that is sent as evidence, in characters.
const MAX_USER_AGENT: usize = 200;

/// Authorizes the firm, unless the page has shown another version of the text.
pub async fn accept_consent(
    context: &ActionContext,
    session: &mut BrowserSession,
    input: AcceptConsentInput,
    Evidence(evidence): Evidence,
) -> Result<Onward, ActionError> {
    let mut session = session.of_page(&input.session)?;
    if input.version != CONSENT_VERSION {
        return Ok(Page::Widget.into());
    }
    let firm = session.client.firm_to_authorize();
    let customer_id = firm.ok_or(ActionError::NoFirm)?.clone();
    let consent = Consent {
        at: context.now(),
        version: CONSENT_VERSION,
    };
    session
        .call_detached(context, async move |upstream, caller| {
            upstream
                .authorize_customer(&caller, &customer_id, &evidence)
                .await
        })
        .await?;
    session.change().authorize(consent);
    context.count_step(FunnelStep::Consent);
    Ok(Page::Accounts.into())
}

/// What proves the consent, if the operator wants it to be sent. Unknown values are left out.
pub struct Evidence(ConsentEvidence);

impl FromRequestParts<AppState> for Evidence {
    type Rejection = Infallible;

    async fn from_request_parts(
        parts: &mut Parts,
        state: &AppState,
    ) -> Result<Self, Self::Rejection> {
        if !state.sends_consent_evidence {
            return Ok(Self(ConsentEvidence::default()));
        }
        let browser = parts.headers.get(USER_AGENT);
        let browser = browser.and_then(|value| value.to_str().ok());
        let browser = browser.map(|text| text.chars().take(MAX_USER_AGENT).collect::<String>());
        Ok(Self(ConsentEvidence {
            client_address: state.trusted_proxies.address_of(parts),
            browser: browser.map(Private::from),
            text_version: Some(CONSENT_VERSION),
        }))
    }
}

/// The consent form as a native post.
#[derive(Deserialize)]
pub struct ConsentForm {
    session: String,
    /// The version of the text if the box is ticked; absent otherwise.
    consent: Option<String>,
}

/// `POST /integration/widget`: the consent before React has hydrated the form, or without
/// JavaScript.
pub async fn post(
    context: ActionContext,
    session: BrowserSession,
    evidence: Evidence,
    form: Result<Form<ConsentForm>, FormRejection>,
) -> Response {
    let accept =
        async |context: &ActionContext, session: &mut BrowserSession, form: ConsentForm| {
            let Some(version) = form.consent.and_then(|version| version.parse().ok()) else {
                return Ok(Page::Widget.into());
            };
            let input = AcceptConsentInput {
                session: form.session,
                version,
            };
            accept_consent(context, session, input, evidence).await
        };
    respond_to_form(accept, (context, session), form, Page::Widget.into()).await
}
