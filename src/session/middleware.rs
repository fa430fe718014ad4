//! Opens the session of each request, redirects to the page that the guard chooses, and renews the idle time.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use vincula_domain::routes::Page;

use super::{Admission, ChosenBank, Session, SessionCodec, admit};

/// The session of the browser that sent the request: an extension of every request that is not for a static file.
#[derive(Debug, Clone, Default)]
pub struct CurrentSession(pub Option<Arc<Session>>);

/// The name of the bank whose Connect was left without a linking, which may be empty: an extension of the first request
/// for the accounts after that.
#[derive(Debug, Clone)]
pub struct LeftConnect(pub String);

/// The middleware of all pages and actions.
pub async fn open(State(codec): State<SessionCodec>, mut request: Request, next: Next) -> Response {
    let session = codec.open(request.headers());
    let view =
        matches!(*request.method(), Method::GET | Method::HEAD).then(|| Page::at(request.uri().path())).flatten();
    let mut renewed = None;
    if let Some(page) = view {
        if let Admission::Redirect(to) = admit(page, request.uri().query(), session.as_ref()) {
            return redirect(&to);
        }
        let prefetch = is_prefetch(request.headers());
        let clears_bank =
            session.as_ref().is_some_and(|session| clears_bank(page, session)) && !is_sent(request.headers());
        // A prefetched copy would be shown without a request, skipping the side effect of viewing the page.
        if prefetch && clears_bank {
            return StatusCode::SERVICE_UNAVAILABLE.into_response();
        }
        let seen = *request.method() == Method::GET && !prefetch;
        if seen && let Some(session) = &session {
            let (after, left) = refreshed(&codec, clears_bank, session);
            renewed = after;
            if let Some(bank) = left {
                request.extensions_mut().insert(LeftConnect(bank.name));
            }
        }
    }
    let renewed = renewed.map(Arc::new);
    request.extensions_mut().insert(CurrentSession(renewed.clone().or(session.map(Arc::new))));
    let mut response = next.run(request).await;
    if let Some(Ok(cookie)) = renewed.map(|session| codec.seal(&session)) {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}

/// A redirect that the browser follows with GET.
pub fn redirect(to: &str) -> Response {
    let location = HeaderValue::try_from(to).expect("paths of ours are plain ASCII");
    (StatusCode::SEE_OTHER, [(header::LOCATION, location)]).into_response()
}

/// Whether the browser prefetches a page: the person has not seen it yet.
fn is_prefetch(headers: &HeaderMap) -> bool {
    headers.get("sec-purpose").is_some_and(|purpose| purpose.as_bytes().starts_with(b"prefetch"))
}

/// Whether another site has sent the browser here, by a link, a form or a script: the person has not chosen to view the
/// page, so the view clears nothing. Old browsers do not send this header.
fn is_sent(headers: &HeaderMap) -> bool {
    let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
    matches!(site, Some(b"cross-site" | b"same-site"))
}

/// Whether viewing this page clears the selected bank, whose form led nowhere (Connect was closed).
fn clears_bank(page: Page, session: &Session) -> bool {
    page == Page::Accounts && session.stage.bank().is_some()
}

/// The session after a page view, if the view changes it (the idle time, the bank), and the bank that was not linked.
fn refreshed(codec: &SessionCodec, clears_bank: bool, session: &Session) -> (Option<Session>, Option<ChosenBank>) {
    if !(clears_bank || codec.is_stale(session)) {
        return (None, None);
    }
    let mut session = Session { seen_at: codec.now(), ..session.clone() };
    let left = if clears_bank { session.leave_connect().cloned() } else { None };
    (Some(session), left)
}
