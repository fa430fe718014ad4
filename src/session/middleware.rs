//! Opens the session of each request, redirects to the page that the guard chooses, and renews the idle time.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use vincula_domain::routes::Page;

use super::{SessionCodec, admit};

/// The name of the bank whose Connect was left without a linking, which may be empty: an extension of the first request
/// for the accounts after that.
#[derive(Debug, Clone)]
pub struct LeftConnect(pub String);

/// The middleware of all pages and actions. The session of the browser that sent the request becomes its extension, as
/// `Arc<Session>`.
pub async fn open(State(codec): State<SessionCodec>, mut request: Request, next: Next) -> Response {
    let mut session = codec.open(request.headers());
    let mut is_renewed = false;
    let is_view = matches!(*request.method(), Method::GET | Method::HEAD);
    if let Some(page) = Page::at(request.uri().path()).filter(|_| is_view) {
        if let Err(to) = admit(page, request.uri().query(), session.as_ref()) {
            return redirect(&to);
        }
        let prefetch = is_prefetch(request.headers());
        let has_bank = session.as_ref().is_some_and(|session| session.stage.bank().is_some());
        // The client has left Connect: the form of the selected bank led nowhere.
        let clears_bank = page == Page::Accounts && has_bank && !is_sent(request.headers());
        // A prefetched copy would be shown without a request, skipping the side effect of viewing the page.
        if prefetch && clears_bank {
            return StatusCode::SERVICE_UNAVAILABLE.into_response();
        }
        let is_seen = *request.method() == Method::GET && !prefetch;
        if let Some(session) =
            session.as_mut().filter(|session| is_seen && (clears_bank || codec.life.is_stale(session, codec.now())))
        {
            is_renewed = true;
            session.seen_at = codec.now();
            if clears_bank && let Some(bank) = session.leave_connect() {
                request.extensions_mut().insert(LeftConnect(bank.name.clone()));
            }
        }
    }
    let session = session.map(Arc::new);
    if let Some(session) = &session {
        request.extensions_mut().insert(Arc::clone(session));
    }
    let mut response = next.run(request).await;
    if let Some(Ok(cookie)) = session.filter(|_| is_renewed).map(|session| codec.seal(&session)) {
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
