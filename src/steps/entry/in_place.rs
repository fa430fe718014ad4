//! The step in place of the entry. The response to the entry's script is the document of the step that
//! the link leads to, so that the entry can show it without another navigation: on a slow phone that
//! saves a quarter of the way to a usable consent.

use axum::{
    Extension, Router,
    body::Body,
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, Uri, header},
    middleware,
    response::Response,
};
use tower::ServiceExt;
use vincula_upstream::RequestId;

use crate::{
    app::InPlace,
    destination::Destination,
    http::{Target, location, policy::OPENER_POLICY},
    problem::Problem,
    routes::{Page, VALIDATE_TOKEN},
};

/// The layer that lets the entry's script show the next step without a navigation.
///
/// The response of `POST /api/validate_token` names in `Content-Location` where the link leads. If
/// the request has `Accept: text/html`, this layer requests that page from `pages`, as a GET with
/// the new cookie would, and responds with it. If the page cannot be shown in place of the entry,
/// the response of the action is kept.
///
/// The layer must be outside of [`same_origin`](crate::http::csrf::same_origin), which removes
/// `Accept`.
pub async fn show_step(
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
        let to = Destination::from(Problem::TokenInvalid).with_support_code(request_id.as_str());
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
