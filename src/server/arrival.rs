//! Answers the validation of a link with the document of its step, so that the entry can show it without another
//! navigation (docs/decisions/0039-one-document.md).

use axum::{
    Router,
    body::{Body, to_bytes},
    extract::{MatchedPath, OriginalUri, Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header, request::Parts},
    middleware::Next,
    response::{IntoResponse, Response},
};
use serde_json::Value;
use tower::ServiceExt;
use vincula_domain::{action::Action, problem::Problem, routes};
use vincula_pages::InPlace;

use crate::http::policy::OPENER_POLICY;

/// Maximum size of the action's answer, which is a path and a few words.
const MAX_BYTES: usize = 16 * 1024;

/// For `POST /api/validate_token`: lets the action answer, and says in `Content-Location` where it leads. With
/// `Accept: text/html` it then renders that page in the session that has begun, as a GET would, and responds with it. If
/// the page cannot be shown in the entry's place, the response is the action's own.
pub async fn in_place(State(pages): State<Router>, request: Request, next: Next) -> Response {
    if Action::at(request.uri().path()) != Some(Action::ValidateToken) {
        return next.run(request).await;
    }
    let mut answer = validated(pages, request, next).await;
    answer.headers_mut().append(header::VARY, HeaderValue::from_static("accept"));
    answer
}

async fn validated(pages: Router, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let visit = parts.clone();
    let (mut answer, body) = next.run(Request::from_parts(parts, body)).await.into_parts();
    let Ok(body) = to_bytes(body, MAX_BYTES).await else {
        return StatusCode::BAD_GATEWAY.into_response();
    };
    let Some(to) = destination(answer.status, &body) else {
        return Response::from_parts(answer, Body::from(body));
    };
    if answer.status == StatusCode::OK
        && accepts_document(&visit.headers)
        && let Some(page) = step(pages, visit, &to, &answer.headers).await
    {
        return page;
    }
    answer.headers.insert(header::CONTENT_LOCATION, to);
    Response::from_parts(answer, Body::from(body))
}

/// Whether `Accept` names HTML with a weight above zero. A wildcard means JSON: it is what programs send.
fn accepts_document(headers: &HeaderMap) -> bool {
    let accept = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or_default();
    accept.to_ascii_lowercase().split(',').any(|range| {
        let mut parts = range.split(';').map(str::trim);
        let weight = |part: &str| part.strip_prefix("q=").and_then(|weight| weight.parse::<f32>().ok());
        parts.next() == Some("text/html") && parts.find_map(weight) != Some(0.0)
    })
}

/// The path in the action's answer, be it the next page or an error screen. `None` if the upstream did not answer: the
/// entry stays then.
fn destination(status: StatusCode, body: &[u8]) -> Option<HeaderValue> {
    let answer: Value = serde_json::from_slice(body).ok()?;
    match answer["to"].as_str() {
        Some(to) => HeaderValue::try_from(to).ok(),
        None if answer["kind"] == "no_reply" || status.is_server_error() => None,
        None => HeaderValue::try_from(routes::error(Problem::TokenInvalid)).ok(),
    }
}

/// The page at an address, if the entry can show it. A page with an opener policy of its own (Connect) needs a document of
/// its own.
async fn step(pages: Router, visit: Parts, to: &HeaderValue, answered: &HeaderMap) -> Option<Response> {
    let cookie = answered.get(header::SET_COOKIE)?;
    // The mark is for browsers that navigate there.
    let path = to.to_str().ok()?.split('?').next()?;
    let page = pages.oneshot(get(visit, path, cookie)?).await.ok()?;
    let fits = page.status() == StatusCode::OK && !page.headers().contains_key(OPENER_POLICY);
    let path = HeaderValue::try_from(path).ok()?;
    fits.then(|| {
        let mut page = page;
        page.headers_mut().insert(header::CONTENT_LOCATION, path);
        page.headers_mut().entry(header::SET_COOKIE).or_insert_with(|| cookie.clone());
        page
    })
}

/// The request with which the same browser would ask for a page, holding the session that it has just been given.
fn get(mut visit: Parts, path: &str, cookie: &HeaderValue) -> Option<Request> {
    let pair = cookie.to_str().ok()?.split(';').next()?;
    visit.method = Method::GET;
    visit.uri = Uri::try_from(path).ok()?;
    visit.headers.insert(header::COOKIE, HeaderValue::try_from(pair).ok()?);
    for name in [header::CONTENT_TYPE, header::CONTENT_LENGTH, header::ORIGIN] {
        visit.headers.remove(name);
    }
    // The router sets its own.
    visit.extensions.remove::<OriginalUri>();
    visit.extensions.remove::<MatchedPath>();
    visit.extensions.insert(InPlace);
    Some(Request::from_parts(visit, Body::empty()))
}
