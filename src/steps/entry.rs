//! `/`: validates the link's token and starts the session. The response to the entry's script is
//! the document of the step that the link leads to, so that the entry can show it without another
//! navigation: on a slow phone that saves a quarter of the way to a usable consent.

use axum::{
    Extension, Form, Router,
    body::Body,
    extract::{RawQuery, Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, Uri, header},
    middleware,
    response::Response,
};
use leptos::prelude::expect_context;
use leptos_axum::ResponseOptions;
use tower::ServiceExt;
use vincula_domain::token::LinkToken;
use vincula_upstream::{Caller, RequestId, SessionData, Validation};

use crate::{
    actions::{ActionContext, ActionError, BrowserSession, CallResult, respond_to_form},
    config::BankCodes,
    failure::Failure,
    http::{Target, location, policy::OPENER_POLICY},
    page_path::PagePath,
    pages::InPlace,
    problem::Problem,
    routes::{self, Page, VALIDATE_TOKEN},
    session::{
        Client, Session, SessionCodec, TokenSource,
        guard::{arrival, home, is_return, names_error, resumes_at, token_in, without_token},
    },
    telemetry::FunnelStep,
    wire::{Onward, ValidateTokenInput},
};

/// Names the page where a validation leads in `Content-Location`, for the entry's script.
pub fn name_destination(outcome: &Result<Onward, Failure>) {
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
    let link = PagePath::link(&query);
    let form = Form(ValidateTokenInput {
        query: query.into(),
    });
    respond_to_form(validate_token, (context, session), Ok(form), link).await
}

/// Validates the token that the query names, or the session's on a return from the bank without
/// one.
///
/// The query of a return claims a success, and any site can lead a browser to it. So it counts only
/// with the link's token, or while Connect is open in this session. After Connect was closed, it
/// leads to the accounts. If the query names an error, it leads there too, where the connection is
/// said to be unfinished. Otherwise the session goes on where it was.
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
    let is_refused = is_return(query) && names_error(query);
    let return_counts = !is_refused && return_counts(before, &client, source);
    let codec = &context.state.codec;
    let mut session = begin_or_renew(codec, before.cloned(), token, client, source);
    session.apply_xsrf(output.xsrf);
    check_firm(&session)?;
    codec.has_room(&session).map_err(|error| {
        tracing::error!(%error, "session not kept");
        ActionError::SessionTooLarge
    })?;
    let to = if is_refused && session.is_at_bank() {
        session.close_connect();
        Page::Accounts.into()
    } else if validation == Validation::Full || home(&session) != Page::New {
        arrival(&session).into()
    } else if return_counts {
        let bank = returned_bank(&session, context.state.connect.bank_codes);
        session.return_from_bank(bank, context.now());
        Page::Success.into()
    } else if !is_refused && session.forget_closed_bank() {
        PagePath::from(Page::Accounts).with_pair(routes::RETURNED)
    } else {
        resumes_at(&session).into()
    };
    browser.replace(session);
    context.count_step(FunnelStep::Validated);
    Ok(Onward { to })
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

/// The layer that lets the entry's script show the next step without a navigation.
///
/// The response of `POST /api/validate_token` names in `Content-Location` where the link leads. If
/// the request has `Accept: text/html`, this layer requests that page from `pages`, as a GET with
/// the new cookie would, and responds with it. If the page cannot be shown in place of the entry,
/// the response of the action is kept.
///
/// The layer must be outside of [`same_origin`](crate::http::csrf::same_origin), which removes
/// `Accept`.
pub async fn in_place(
    State(pages): State<Router>,
    Extension(request_id): Extension<RequestId>,
    target: Target,
    request: Request,
    next: middleware::Next,
) -> Response {
    if target != Target::Action(VALIDATE_TOKEN) {
        return next.run(request).await;
    }
    let wants_document = accepts_document(request.headers());
    let host = request.headers().get(header::HOST).cloned();
    let mut response = next.run(request).await;
    if wants_document
        && response.status() == StatusCode::OK
        && let Some(page) = step(pages, host, response.headers(), request_id.clone()).await
    {
        response = page;
    }
    let is_rejected = is_lasting_rejection(response.status());
    let headers = response.headers_mut();
    headers.append(header::VARY, HeaderValue::from_static("accept"));
    if is_rejected {
        let to = PagePath::from(Problem::TokenInvalid).with_support_code(request_id.as_str());
        headers
            .entry(header::CONTENT_LOCATION)
            .or_insert_with(|| location::header_value(&to));
    }
    response
}

/// Whether the request was rejected and would be rejected again. Such a response leads to an error
/// screen, unless the action leads elsewhere.
fn is_lasting_rejection(status: StatusCode) -> bool {
    let can_be_repeated = [StatusCode::REQUEST_TIMEOUT, StatusCode::TOO_MANY_REQUESTS];
    status.is_client_error() && !can_be_repeated.contains(&status)
}

/// Whether the request is from the entry's script, which accepts HTML alone. Programs accept JSON
/// or anything.
fn accepts_document(headers: &HeaderMap) -> bool {
    headers
        .get(header::ACCEPT)
        .is_some_and(|accept| accept.as_bytes().eq_ignore_ascii_case(b"text/html"))
}

/// Renders the page that a response names, in the session of that response. Returns `None` for a
/// page with its own opener policy (Connect), which must be navigated to.
async fn step(
    pages: Router,
    host: Option<HeaderValue>,
    named_by: &HeaderMap,
    request_id: RequestId,
) -> Option<Response> {
    let cookie = named_by.get(header::SET_COOKIE)?;
    let location = named_by.get(header::CONTENT_LOCATION)?;
    let mut visit = visit(location, cookie, host)?;
    visit.extensions_mut().insert(request_id);
    let mut page = pages.oneshot(visit).await.ok()?;
    if page.status() != StatusCode::OK || page.headers().contains_key(OPENER_POLICY) {
        return None;
    }
    let headers = page.headers_mut();
    headers.insert(header::CONTENT_LOCATION, location.clone());
    headers
        .entry(header::SET_COOKIE)
        .or_insert_with(|| cookie.clone());
    Some(page)
}

/// The request of a browser that has stored this `Set-Cookie`, for a page that is shown in place of
/// the entry.
fn visit(
    location: &HeaderValue,
    set_cookie: &HeaderValue,
    host: Option<HeaderValue>,
) -> Option<Request> {
    let to = Uri::try_from(location.as_bytes()).ok()?;
    let page = Page::from_path(to.path())?;
    let pair = set_cookie.to_str().ok()?.split(';').next()?;
    let mut visit = Request::get(to)
        .header(header::COOKIE, pair)
        .extension(InPlace)
        .extension(Target::Page(page))
        .body(Body::empty())
        .ok()?;
    if let Some(host) = host {
        visit.headers_mut().insert(header::HOST, host);
    }
    Some(visit)
}
