//! Opens the session of each request, sends people to the page that fits, and keeps the idle time fresh.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};

use super::{Admission, Keeper, Session, admit};
use crate::routes::Page;

/// Who sent the request: in the extensions of every request that is not for a static file.
#[derive(Debug, Clone, Default)]
pub struct Visitor(pub Option<Arc<Session>>);

/// The layer in front of all pages and actions.
pub async fn door(State(keeper): State<Keeper>, mut request: Request, next: Next) -> Response {
    let session = keeper.open(request.headers());
    let view =
        matches!(*request.method(), Method::GET | Method::HEAD).then(|| Page::at(request.uri().path())).flatten();
    let mut renewed = None;
    if let Some(page) = view {
        if let Admission::Redirect(to) = admit(page, request.uri().query(), session.as_ref()) {
            return redirect(&to);
        }
        let ahead = is_ahead(request.headers());
        // Fetched ahead it would be shown later without a request, and what its sight changes would stay undone.
        if ahead && session.as_ref().is_some_and(|session| forgets(page, session)) {
            return StatusCode::SERVICE_UNAVAILABLE.into_response();
        }
        let seen = *request.method() == Method::GET && !ahead;
        renewed = session.as_ref().filter(|_| seen).and_then(|session| refreshed(&keeper, page, session));
    }
    let renewed = renewed.map(Arc::new);
    request.extensions_mut().insert(Visitor(renewed.clone().or(session.map(Arc::new))));
    let mut response = next.run(request).await;
    if let Some(Ok(cookie)) = renewed.map(|session| keeper.seal(&session)) {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}

/// A redirect after which the browser GETs.
pub fn redirect(to: &str) -> Response {
    let location = HeaderValue::try_from(to).expect("paths of ours are plain ASCII");
    (StatusCode::SEE_OTHER, [(header::LOCATION, location)]).into_response()
}

/// Whether the browser fetches a page ahead of time: nobody has seen it yet.
fn is_ahead(headers: &HeaderMap) -> bool {
    headers.get("sec-purpose").is_some_and(|purpose| purpose.as_bytes().starts_with(b"prefetch"))
}

/// Whether the sight of this page forgets the bank of a form that led nowhere (Connect was closed; design D6).
fn forgets(page: Page, session: &Session) -> bool {
    page == Page::Accounts && session.stage.bank().is_some()
}

/// The session as it is after this page has been seen, if that changes it: the idle time, and the bank.
fn refreshed(keeper: &Keeper, page: Page, session: &Session) -> Option<Session> {
    let forgets = forgets(page, session);
    if !(forgets || keeper.is_stale(session)) {
        return None;
    }
    let session = session.clone();
    let stage = if forgets { session.stage.forget_bank() } else { session.stage };
    Some(Session { stage, seen_at: keeper.now(), ..session })
}
