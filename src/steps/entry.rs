//! `/`: validates the link's token and starts the session.
//! The answer to the entry's script is the document of the step that the link leads to, so that the entry can show it
//! without another navigation: on a slow phone that saves a quarter of the way to a usable consent.

use std::sync::Arc;

use axum::{
    Router,
    body::Body,
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, header, request::Parts},
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
use vincula_upstream::{Caller, Trace};

use super::ActionError;
use crate::{
    http::policy::OPENER_POLICY,
    session::{
        Client, Linked, Session,
        guard::{arrival, home, is_return, resumes_at, token_in},
    },
    state::AppState,
    steps::action::{Reply, native_post},
    telemetry::{Cause, Step},
};

/// Validates the token of a link and starts a session: `POST /api/validate_token`. Fails with token-not-found if
/// the query has none.
#[server(prefix = "/api", endpoint = "validate_token", input = Json)]
pub async fn validate_token(input: wire::ValidateToken) -> Result<Next, ActionError> {
    let reply = Reply::current();
    let outcome = enter(&reply, &input.query).await;
    reply.leads_to(&outcome);
    outcome
}

/// `POST /`: the same without JavaScript. Without an upstream response, it redirects back to the link for a retry.
pub async fn post(State(state): State<AppState>, parts: Parts) -> Response {
    let query = parts.uri.query().unwrap_or_default().to_owned();
    let link = format!("{}?{query}", routes::ENTRY);
    native_post(
        state,
        parts,
        &link,
        validate_token(wire::ValidateToken { query }),
    )
    .await
}

/// Validates the link of a query. The error screen cannot see from the session what the link was, so its address says
/// it: a return from the bank, after which something may be shared, and a link that is not the session's.
async fn enter(reply: &Reply, query: &str) -> Result<Next, ActionError> {
    let (before, named) = (reply.visitor.as_ref(), token_in(query));
    let is_own = |token: &String| {
        LinkToken::parse(token)
            .zip(before)
            .is_some_and(|(token, before)| before.token == token)
    };
    let is_other = before.is_some() && named.as_ref().is_some_and(|token| !is_own(token));
    let returned = is_return(query) && (before.is_some() || named.is_some());
    validate(reply, query)
        .await
        .map_err(|ActionError { mut failure, .. }| {
            if returned {
                failure = failure.flagged(routes::OF_SUCCESS);
            }
            if is_other {
                failure = failure.flagged(routes::OTHER_LINK);
            }
            failure.into()
        })
}

/// Validates the token of the query, or the session's on a return from the bank without one.
///
/// The query of a return claims a success, and any site can lead a browser to it. So it counts only with the link's
/// token, or if Connect was opened in this session. Otherwise the session goes on where it was.
async fn validate(reply: &Reply, query: &str) -> Result<Next, ActionError> {
    let reject = |problem| {
        reply.cause.record(Cause::Client);
        reply.reject(StatusCode::BAD_REQUEST, Failure::problem(problem))
    };
    let returned = is_return(query);
    let named = token_in(query);
    let by_link = named.is_some();
    let token = match (named, &reply.visitor) {
        (Some(token), _) => LinkToken::parse(&token).ok_or_else(|| {
            let request_id = Trace::current_request_id();
            tracing::warn!(
                bytes = token.len(),
                request_id,
                "a token that no header or cookie can carry"
            );
            reject(Problem::TokenInvalid)
        })?,
        (None, Some(session)) if returned => session.token.clone(),
        (None, _) => return Err(reject(Problem::TokenNotFound)),
    };
    let before = reply
        .visitor
        .clone()
        .filter(|session| session.token == token);
    // Only a stored token is sent as a bearer: on the first visit there is none yet.
    let caller = before.as_ref().map_or(
        Caller {
            token: None,
            xsrf: None,
        },
        |session| session.caller(),
    );
    let (upstream, validated) = (reply.state.upstream.clone(), token.clone());
    let answer = reply
        .detached(async move { upstream.validate_token(&caller, &validated, returned).await })
        .await
        .map_err(|error| reply.upstream_failure(&error))?;
    let (client, codec) = (Client::from(answer.data), &reply.state.codec);
    // A return belongs to the firm whose consent led to the bank, and not to what was cancelled since.
    let may_link = before
        .as_ref()
        .is_none_or(|session| client.has_parties_of(&session.client) && !session.is_cancelled());
    let id = codec.id_of(&token, &client);
    let mut session = match before {
        Some(session) => Arc::unwrap_or_clone(session).renewed(id, client, by_link, codec.now()),
        None => Session::new(id, token, client, codec.now()),
    };
    session.xsrf = answer.xsrf.apply(session.xsrf);
    let to = if !returned || home(&session) != routes::NEW {
        arrival(&session)
    } else if may_link && (by_link || session.attempt.opened) {
        session.linked(Linked::Return, codec.now());
        routes::SUCCESS
    } else {
        resumes_at(&session)
    };
    reply.seal(&session)?;
    reply.state.metrics.count_step(Step::Validated);
    Ok(Next {
        to: routes::with_flag(to, routes::VALIDATED),
    })
}

/// For `POST /api/validate_token`, whose answer names in `Content-Location` where the link leads. With `Accept:
/// text/html` it renders that page in the session that has begun, as a GET would, and responds with it. If the page
/// cannot be shown in the entry's place, the response is the action's own.
pub async fn in_place(
    State(pages): State<Router>,
    request: Request,
    next: middleware::Next,
) -> Response {
    if Action::at(request.uri().path()) != Some(Action::ValidateToken) {
        return next.run(request).await;
    }
    let wants_document = accepts_document(request.headers());
    let host = request.headers().get(header::HOST).cloned();
    let mut answer = next.run(request).await;
    if wants_document
        && answer.status() == StatusCode::OK
        && let Some(page) = step(pages, host, answer.headers()).await
    {
        answer = page;
    }
    let headers = answer.headers_mut();
    headers.append(header::VARY, HeaderValue::from_static("accept"));
    // A request that a layer has refused: no page of ours sends one.
    if answer.status().is_client_error()
        && !matches!(
            answer.status(),
            StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT
        )
    {
        let to = routes::error_of_request(
            Problem::TokenInvalid,
            Trace::current_request_id().as_deref(),
        );
        let to = HeaderValue::try_from(to).expect("paths of ours are plain ASCII");
        answer
            .headers_mut()
            .entry(header::CONTENT_LOCATION)
            .or_insert(to);
    }
    answer
}

/// Whether `Accept` names HTML with a weight above zero. A wildcard means JSON: it is what programs send.
fn accepts_document(headers: &HeaderMap) -> bool {
    let accept = headers
        .get(header::ACCEPT)
        .and_then(|accept| accept.to_str().ok())
        .unwrap_or_default();
    accept.to_ascii_lowercase().split(',').any(|range| {
        let mut parts = range.split(';').map(str::trim);
        let weight = |part: &str| {
            part.strip_prefix("q=")
                .and_then(|weight| weight.parse::<f32>().ok())
        };
        parts.next() == Some("text/html") && parts.find_map(weight) != Some(0.0)
    })
}

/// The page that the answer names, as the same browser would get it with the session that it has just been given.
/// `None` for a page with an opener policy of its own (Connect), which needs a document of its own.
async fn step(pages: Router, host: Option<HeaderValue>, answered: &HeaderMap) -> Option<Response> {
    let cookie = answered.get(header::SET_COOKIE)?;
    let pair = cookie.to_str().ok()?.split(';').next()?;
    // The mark is for browsers that navigate there.
    let path = answered
        .get(header::CONTENT_LOCATION)?
        .to_str()
        .ok()?
        .split('?')
        .next()?;
    let mut visit = Request::get(path)
        .header(header::COOKIE, pair)
        .extension(InPlace)
        .body(Body::empty())
        .ok()?;
    visit
        .headers_mut()
        .extend(host.map(|host| (header::HOST, host)));
    let mut page = pages.oneshot(visit).await.ok()?;
    let fits = page.status() == StatusCode::OK && !page.headers().contains_key(OPENER_POLICY);
    page.headers_mut()
        .insert(header::CONTENT_LOCATION, HeaderValue::try_from(path).ok()?);
    page.headers_mut()
        .entry(header::SET_COOKIE)
        .or_insert_with(|| cookie.clone());
    fits.then_some(page)
}
