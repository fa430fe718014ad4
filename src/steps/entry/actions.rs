//! The validation of a link's token.

use axum::{Form, extract::RawQuery, http::header, response::Response};
use leptos::prelude::expect_context;
use leptos_axum::ResponseOptions;
use vincula_domain::token::LinkToken;
use vincula_upstream::{Caller, SessionData, Validation};

use crate::{
    actions::{ActionContext, ActionError, BrowserSession, CallResult, respond_to_form},
    config::BankCodes,
    destination::Destination,
    failure::Failure,
    http::location,
    problem::Problem,
    routes::Page,
    session::{
        Client, Session, SessionCodec, TokenSource, Visit,
        guard::{Report, arrival, home, is_return, report_of, resumes_at, token_in, without_token},
    },
    telemetry::FunnelStep,
    wire::{Onward, ValidateTokenInput},
};

/// Names the page where a validation leads in `Content-Location`, for the entry's script.
pub fn set_content_location(outcome: &Result<Onward, Failure>) {
    if let Ok(Onward { to }) | Err(Failure::Navigate { to, .. }) = outcome {
        let location = location::header_value(to);
        expect_context::<ResponseOptions>().insert_header(header::CONTENT_LOCATION, location);
    }
}

/// `POST /`: the validation without JavaScript. If it can be repeated, it redirects back to the link
/// with a notice.
pub async fn post(
    context: ActionContext,
    session: BrowserSession,
    RawQuery(query): RawQuery,
) -> Response {
    let query = query.unwrap_or_default();
    let link = Destination::Link(query.as_str().into());
    let form = Form(ValidateTokenInput {
        query: query.into(),
    });
    respond_to_form(validate_token, (context, session), Ok(form), link).await
}

/// Validates the token that the query names, or the session's on a return from the bank without
/// one.
///
/// The query of a return claims a success, and any site can lead a browser to it. So it counts only
/// with the link's token, or while Connect is open in this session. After Connect was closed, or with
/// an unknown status, it leads to the accounts, which say that only the client knows. If the query
/// reports a failure, it leads there too, where the connection is said to be unfinished. Otherwise the
/// session goes on where it was.
pub async fn validate_token(
    context: &ActionContext,
    browser: &mut BrowserSession,
    input: ValidateTokenInput,
) -> Result<Onward, ActionError> {
    let query = &*input.query;
    let named = token_in(query);
    let validation = if is_return(query) {
        Validation::AfterReturn
    } else {
        Validation::Full
    };
    let source = match named {
        Some(_) => TokenSource::Link,
        None => TokenSource::Cookie,
    };
    let token = token_to_validate(browser.get(), query, named)?;
    let before = browser.get().filter(|session| session.token == token);
    let output = call(context, &token, before, validation).await?;
    let client = Client::from(output.data);
    let report = report_of(query);
    let counts = report == Report::Success && return_counts(before, &client, source);
    let codec = &context.state.codec;
    let mut session = begin_or_renew(codec, before.cloned(), token, client, source);
    session.apply_xsrf(output.xsrf);
    check_firm(&session)?;
    codec.has_room(&session).map_err(|error| {
        tracing::error!(%error, "session not kept");
        ActionError::SessionTooLarge
    })?;
    let comes_from_bank =
        session.is_at_bank() || (source == TokenSource::Link && session.visit == Visit::None);
    let to = if validation == Validation::Full {
        arrival(&session)
    } else if report == Report::Failure && session.is_at_bank() {
        session.close_connect();
        Page::Accounts
    } else if home(&session) != Page::New {
        arrival(&session)
    } else if counts {
        let bank = returned_bank(&session, context.state.connect.bank_codes);
        session.return_from_bank(bank, context.now());
        Page::Success
    } else if report == Report::Unknown && comes_from_bank
        || report == Report::Success && session.is_at_bank()
    {
        session.visit = Visit::Returned;
        Page::Accounts
    } else {
        resumes_at(&session)
    };
    browser.replace(session);
    context.count_step(FunnelStep::Validated);
    Ok(to.into())
}

/// A link for new accounts leads to the consent, which needs the firm's id and name.
fn check_firm(session: &Session) -> Result<(), ActionError> {
    let is_named = session.client.firm_to_authorize().is_some();
    if home(session) == Page::New && !is_named {
        tracing::warn!("the session data has no customer_id or no customer_name to consent to");
        return Err(ActionError::NoFirm);
    }
    Ok(())
}

/// The name of the bank that has sent the client back. If Connect asks for the bank again, it may
/// be another one than the client has chosen.
fn returned_bank(session: &Session, bank_codes: BankCodes) -> String {
    let chosen = session.visit.bank();
    match bank_codes {
        BankCodes::Connector => chosen.map_or_else(String::new, |bank| bank.name.clone()),
        BankCodes::Compe => String::new(),
    }
}

/// Whether a return from the bank proves that an account was linked: for the firm whose consent led
/// to the bank, unless that was cancelled since. `before` is the session of the same link.
fn return_counts(before: Option<&Session>, client: &Client, source: TokenSource) -> bool {
    let is_of_consent = before
        .is_none_or(|session| client.has_parties_of(&session.client) && !session.is_cancelled());
    let is_open = before.is_some_and(|session| session.visit.is_open());
    is_of_consent && (source == TokenSource::Link || is_open)
}

/// The session of a link that was validated: the browser's session of the same link, renewed, or a
/// new one.
fn begin_or_renew(
    codec: &SessionCodec,
    before: Option<Session>,
    token: LinkToken,
    client: Client,
    source: TokenSource,
) -> Session {
    let id = codec.id_of(&token, &client);
    match before {
        Some(session) => session.renewed(id, client, source, codec.now()),
        None => Session::new(id, token, client, codec.now()),
    }
}

/// The token that the link names, or the session's on a return from the bank without one.
fn token_to_validate(
    session: Option<&Session>,
    query: &str,
    named: Option<String>,
) -> Result<LinkToken, ActionError> {
    let Some(named) = named else {
        return match session {
            Some(session) if is_return(query) => Ok(session.token.clone()),
            _ => Err(ActionError::InvalidLink(without_token(query))),
        };
    };
    LinkToken::parse(&named).ok_or_else(|| {
        let bytes = named.len();
        tracing::warn!(bytes, "a token that no header or cookie can carry");
        ActionError::InvalidLink(Problem::TokenInvalid.into())
    })
}

/// Makes the call that validates a token. `before`: the browser's session of the same link.
async fn call(
    context: &ActionContext,
    token: &LinkToken,
    before: Option<&Session>,
    validation: Validation,
) -> CallResult<SessionData> {
    // Only a stored token is sent as a bearer: the first visit has none.
    let caller = match before {
        Some(session) => session.caller(&context.request_id),
        None => Caller {
            request_id: context.request_id.clone(),
            ..Caller::default()
        },
    };
    let upstream = context.state.upstream.clone();
    let token = token.clone();
    context
        .detached(async move { upstream.validate_token(&caller, &token, validation).await })
        .await
}
