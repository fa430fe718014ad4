//! `/integration/widget` before the consent: the client authorizes the firm.

use axum::{Form, extract::rejection::FormRejection, http::header::USER_AGENT, response::Response};
use serde::Deserialize;
use vincula_domain::Private;
use vincula_upstream::ConsentEvidence;

use crate::{
    actions::{ActionContext, ActionError, respond_to_form},
    routes::Page,
    screen::{ConsentScreen, Screen},
    session::Session,
    telemetry::FunnelStep,
    wire::{ConsentContext, FromPage, Onward, PageContext},
    words::{self, CONSENT_VERSION},
};

/// Longest User-Agent that is sent as evidence, in characters.
const MAX_USER_AGENT: usize = 200;

/// What the step shows. `now`: Unix seconds.
pub fn consent_screen(session: &Session, now: u64) -> Screen {
    let client_document = Private::from(words::client_document(&session.client.cpfcnpj));
    let consent = ConsentContext {
        client_document: client_document.clone(),
    };
    Screen::Consent(ConsentScreen {
        context: PageContext {
            consent: Some(consent),
            ..session.page_context(now)
        },
        client_document,
    })
}

/// Authorizes the firm.
pub async fn accept_consent(context: ActionContext, page: FromPage) -> Result<Onward, ActionError> {
    let mut action = context.in_session(&page.session)?;
    let customer_id = action.session.client.customer_id.clone();
    let evidence = evidence(&action.context);
    let given_at = action.now();
    let (upstream, caller) = action.upstream();
    action
        .call_detached(async move {
            upstream
                .authorize_customer(&caller, &customer_id, &evidence)
                .await
        })
        .await?;
    action.session.authorize(given_at, CONSENT_VERSION);
    action.seal()?;
    action.context.count_step(FunnelStep::Consent);
    Ok(Page::Accounts.into())
}

/// What proves the consent, if the operator wants it to be sent. Unknown values are left out.
fn evidence(context: &ActionContext) -> ConsentEvidence {
    let ActionContext { state, parts, .. } = context;
    if !state.sends_consent_evidence {
        return ConsentEvidence::default();
    }
    let browser = parts.headers.get(USER_AGENT);
    let browser = browser.and_then(|value| value.to_str().ok());
    let browser = browser.map(|text| text.chars().take(MAX_USER_AGENT).collect::<String>());
    ConsentEvidence {
        client_address: state.trusted_proxies.address_of(parts),
        browser: browser.map(Private::from),
        text_version: Some(CONSENT_VERSION),
    }
}

/// The consent form as a native post.
#[derive(Deserialize)]
pub struct ConsentForm {
    #[serde(flatten)]
    page: FromPage,
    /// [`TICKED`] when the box is ticked; absent otherwise.
    consent: Option<String>,
}

/// The value of the ticked box.
const TICKED: &str = "yes";

/// `POST /integration/widget`: the consent before React has hydrated the form, or without
/// JavaScript.
pub async fn post(
    context: ActionContext,
    form: Result<Form<ConsentForm>, FormRejection>,
) -> Response {
    let accept = async |context, form: ConsentForm| match form.consent.as_deref() {
        Some(TICKED) => accept_consent(context, form.page).await,
        _ => Ok(Page::Widget.into()),
    };
    respond_to_form(accept, context, form, Page::Widget.into()).await
}
