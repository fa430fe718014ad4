//! Answers the validation of a link with the document of its step, so that the entry can show it without another
//! navigation (docs/decisions/0039-one-document.md).

use axum::{
    Router,
    body::Body,
    extract::{MatchedPath, OriginalUri, Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header},
    middleware::Next,
    response::Response,
};
use tower::ServiceExt;
use vincula_domain::{action::Action, problem::Problem, routes};
use vincula_pages::InPlace;

use vincula_upstream::Trace;

use crate::http::policy::OPENER_POLICY;

/// For `POST /api/validate_token`, whose answer names in `Content-Location` where the link leads. With `Accept:
/// text/html` it renders that page in the session that has begun, as a GET would, and responds with it. If the page
/// cannot be shown in the entry's place, the response is the action's own.
pub async fn in_place(State(pages): State<Router>, request: Request, next: Next) -> Response {
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
