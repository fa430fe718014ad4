//! `/`: validates the link's token and starts the session.
//! The answer to the page's script is the document of the step that the link leads to, so that the entry can show it
//! without another navigation: on a slow phone that saves a quarter of the way to a usable consent.

use std::sync::Arc;

use axum::{
    Router,
    body::Body,
    extract::{MatchedPath, OriginalUri, Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header},
    middleware,
    response::Response,
};
use leptos::{prelude::*, server_fn::codec::Json};
use tower::ServiceExt;
use vincula_domain::{
    action::Action,
    problem::Problem,
    routes,
    token::LinkToken,
    wire::{self, Failure, Next},
};
use vincula_pages::InPlace;
use vincula_upstream::{Caller, NoValidate, Trace, Upstream};

use super::ActionError;
use crate::{
    http::policy::OPENER_POLICY,
    session::{
        Client, CurrentSession, Linked, Session,
        guard::{arrival, home, is_return, token_in},
    },
    steps::action::{Posted, Rejection, Reply, current},
    telemetry::{Cause, Step},
};

/// Validates the token of a link and starts a session: `POST /api/validate_token`.
///
/// # Errors
/// Those of the error catalogue; token-not-found if the query has no token.
#[server(prefix = "/api", endpoint = "validate_token", input = Json)]
pub async fn validate_token(input: wire::ValidateToken) -> Result<Next, ActionError> {
    let (mut reply, CurrentSession(before)) = current();
    let outcome = enter(&mut reply, &input.query, before).await;
    reply.leads_to(&outcome);
    reply.into_json(outcome)
}

/// `POST /`: the same without JavaScript. Without an upstream response, it redirects back to the link for a retry.
pub async fn post(mut posted: Posted, OriginalUri(uri): OriginalUri) -> Response {
    let query = uri.query().unwrap_or_default();
    let before = posted.session();
    let outcome = enter(&mut posted.reply, query, before).await;
    posted.reply.into_redirect(outcome, &format!("{}?{query}", routes::ENTRY))
}

/// Validates the link of a query. The error screen cannot see from the session what the link was, so its address says
/// it: a return from the bank, after which something may be shared, and a link that is not the session's.
async fn enter(reply: &mut Reply, query: &str, before: Option<Arc<Session>>) -> Result<Next, Rejection> {
    let is_own = |before: &Arc<Session>| match token_in(query) {
        Some(token) => LinkToken::parse(&token).is_some_and(|token| before.token.is(&token)),
        None => true,
    };
    let is_other = before.as_ref().is_some_and(|before| !is_own(before));
    let returned = is_return(query) && (before.is_some() || token_in(query).is_some());
    validate(reply, query, before).await.map_err(|Rejection { status, mut failure }| {
        if returned {
            failure = failure.flagged(routes::OF_SUCCESS);
        }
        if is_other {
            failure = failure.flagged(routes::OTHER_LINK);
        }
        Rejection { status, failure }
    })
}

/// Validates the token of the query, or the session's on a return from the bank without one.
async fn validate(reply: &mut Reply, query: &str, before: Option<Arc<Session>>) -> Result<Next, Rejection> {
    let reject_action = |problem| {
        reply.record(Cause::Client);
        reply.reject(StatusCode::BAD_REQUEST, Failure::problem(problem))
    };
    let returned = is_return(query);
    let named = token_in(query);
    let by_link = named.is_some();
    let token = match (named, &before) {
        (Some(token), _) => LinkToken::parse(&token).ok_or_else(|| {
            tracing::warn!(bytes = token.len(), "a token that no header or cookie can carry");
            reject_action(Problem::TokenInvalid)
        })?,
        (None, Some(session)) if returned => session.token.clone(),
        (None, _) => return Err(reject_action(Problem::TokenNotFound)),
    };
    let before = before.filter(|session| session.token.is(&token));
    // Only a stored token is sent as a bearer: on the first visit there is none yet.
    let caller = before.as_ref().map_or(Caller { token: None, xsrf: None }, |session| session.caller());
    let validated = token.clone();
    let call = async move |upstream: Upstream| {
        upstream.validate_token(&caller, &validated, returned.then_some(NoValidate::OfSuccess)).await
    };
    let answer = reply.call_detached(call).await.map_err(|error| {
        let cancelled = before.as_ref().is_some_and(|session| session.cancelled.is_some());
        reply.upstream_failure(&error, cancelled)
    })?;
    let (client, codec) = (Client::from(answer.data), &reply.state.codec);
    // A return belongs to the firm whose consent led to the bank, and not to what was cancelled since.
    let may_link =
        before.as_ref().is_none_or(|session| client.has_parties_of(&session.client) && !session.is_cancelled());
    let id = codec.id_of(&token, &client);
    let mut session = match before {
        Some(session) => Arc::unwrap_or_clone(session).renewed(id, client, by_link, codec.now()),
        None => Session::new(id, token, client, codec.now()),
    };
    session.xsrf = answer.xsrf.or(session.xsrf);
    let to = if returned && may_link && home(&session) == routes::NEW {
        session.linked(Linked::Return, codec.now());
        routes::SUCCESS.to_owned()
    } else {
        arrival(&session)
    };
    reply.seal(&session)?;
    reply.state.metrics.count_step(Step::Validated);
    Ok(Next { to: routes::validated(&to) })
}

/// For `POST /api/validate_token`, whose answer names in `Content-Location` where the link leads. With `Accept:
/// text/html` it renders that page in the session that has begun, as a GET would, and responds with it. If the page
/// cannot be shown in the entry's place, the response is the action's own.
pub async fn in_place(State(pages): State<Router>, request: Request, next: middleware::Next) -> Response {
    if Action::at(request.uri().path()) != Some(Action::ValidateToken) {
        return next.run(request).await;
    }
    let wants_document = accepts_document(request.headers());
    let mut visit = Request::new(Body::empty());
    *visit.headers_mut() = request.headers().clone();
    *visit.extensions_mut() = request.extensions().clone();
    let mut answer = next.run(request).await;
    if wants_document
        && answer.status() == StatusCode::OK
        && let Some(page) = step(pages, visit, answer.headers()).await
    {
        answer = page;
    }
    let headers = answer.headers_mut();
    headers.append(header::VARY, HeaderValue::from_static("accept"));
    // A request that a layer has refused: no page of ours sends one.
    if answer.status().is_client_error() && !matches!(answer.status(), BUSY | StatusCode::REQUEST_TIMEOUT) {
        let to = routes::error(Problem::TokenInvalid);
        let to = Trace::current_request_id().map_or(to.clone(), |code| routes::with_code(&to, &code));
        let to = HeaderValue::try_from(to).expect("paths of ours are plain ASCII");
        answer.headers_mut().entry(header::CONTENT_LOCATION).or_insert(to);
    }
    answer
}

const BUSY: StatusCode = StatusCode::TOO_MANY_REQUESTS;

/// Whether `Accept` names HTML with a weight above zero. A wildcard means JSON: it is what programs send.
fn accepts_document(headers: &HeaderMap) -> bool {
    let accept = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or_default();
    accept.to_ascii_lowercase().split(',').any(|range| {
        let mut parts = range.split(';').map(str::trim);
        let weight = |part: &str| part.strip_prefix("q=").and_then(|weight| weight.parse::<f32>().ok());
        parts.next() == Some("text/html") && parts.find_map(weight) != Some(0.0)
    })
}

/// The page that the answer names, as the same browser would get it with the session that it has just been given.
/// `None` for a page with an opener policy of its own (Connect), which needs a document of its own.
async fn step(pages: Router, mut visit: Request, answered: &HeaderMap) -> Option<Response> {
    let cookie = answered.get(header::SET_COOKIE)?;
    let pair = cookie.to_str().ok()?.split(';').next()?;
    // The mark is for browsers that navigate there.
    let path = answered.get(header::CONTENT_LOCATION)?.to_str().ok()?.split('?').next()?;
    *visit.method_mut() = Method::GET;
    *visit.uri_mut() = Uri::try_from(path).ok()?;
    visit.headers_mut().insert(header::COOKIE, HeaderValue::try_from(pair).ok()?);
    for name in [header::CONTENT_TYPE, header::CONTENT_LENGTH, header::ORIGIN] {
        visit.headers_mut().remove(name);
    }
    // The router sets its own.
    visit.extensions_mut().remove::<OriginalUri>();
    visit.extensions_mut().remove::<MatchedPath>();
    visit.extensions_mut().insert(InPlace);
    let mut page = pages.oneshot(visit).await.ok()?;
    let fits = page.status() == StatusCode::OK && !page.headers().contains_key(OPENER_POLICY);
    page.headers_mut().insert(header::CONTENT_LOCATION, HeaderValue::try_from(path).ok()?);
    page.headers_mut().entry(header::SET_COOKIE).or_insert_with(|| cookie.clone());
    fits.then_some(page)
}
