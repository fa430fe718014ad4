//! Opens the session of each request, redirects to the page that the guard chooses, and renews the idle time.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use vincula_domain::routes::Page;
use vincula_upstream::Trace;

use super::{SessionCodec, admit};

/// The name of the bank whose Connect was left without a linking, which may be empty: an extension of the first request
/// for the accounts after that.
#[derive(Debug, Clone)]
pub struct LeftConnect(pub String);

/// The middleware of all pages and actions. The session of the browser that sent the request becomes its extension, as
/// `Arc<Session>`.
pub async fn open(State(codec): State<SessionCodec>, mut request: Request, next: Next) -> Response {
    let mut session = codec.open(request.headers());
    let mut is_changed = false;
    let mut is_renewed = false;
    let is_view = matches!(*request.method(), Method::GET | Method::HEAD);
    if let Some(page) = Page::at(request.uri().path()).filter(|_| is_view) {
        if let Err(to) = admit(page, request.uri().query(), session.as_ref()) {
            return redirect(&to);
        }
        let prefetch = is_prefetch(request.headers());
        let has_bank = session
            .as_ref()
            .is_some_and(|session| session.stage.bank().is_some());
        // The client has left Connect: the form of the selected bank led nowhere.
        let clears_bank = page == Page::Accounts && has_bank && !is_sent(request.headers());
        // A prefetched copy would be shown without a request, skipping the side effect of viewing the page.
        if prefetch && clears_bank {
            return StatusCode::SERVICE_UNAVAILABLE.into_response();
        }
        let is_seen = *request.method() == Method::GET && !prefetch;
        if is_seen && let Some(session) = &mut session {
            is_changed = clears_bank;
            is_renewed = !clears_bank && codec.life.is_stale(session, codec.now());
            if clears_bank {
                session.seen_at = codec.now();
                if let Some(bank) = session.leave_connect() {
                    request
                        .extensions_mut()
                        .insert(LeftConnect(bank.name.clone()));
                }
            }
        }
    }
    let session = session.map(Arc::new);
    if let Some(session) = &session {
        request.extensions_mut().insert(Arc::clone(session));
    }
    let mut response = next.run(request).await;
    let Some(session) = session else {
        return response;
    };
    if is_changed {
        match codec.seal(&session) {
            Ok(cookie) => {
                response.headers_mut().append(header::SET_COOKIE, cookie);
            }
            Err(error) => {
                let request_id = Trace::current_request_id();
                tracing::error!(%error, request_id, "session not kept");
            }
        }
    }
    if is_renewed {
        response
            .headers_mut()
            .append(header::SET_COOKIE, codec.seal_use(&session));
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
    headers
        .get("sec-purpose")
        .is_some_and(|purpose| purpose.as_bytes().starts_with(b"prefetch"))
}

/// Whether another site has sent the browser here, by a link, a form or a script: the person has not chosen to view the
/// page, so the view clears nothing. Old browsers do not send this header.
fn is_sent(headers: &HeaderMap) -> bool {
    let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
    matches!(site, Some(b"cross-site" | b"same-site"))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use axum::{Router, body::Body, middleware::from_fn_with_state};
    use tower::ServiceExt;
    use vincula_domain::{bank::BankCode, token::LinkToken};

    use super::*;
    use crate::{
        session::{
            ChosenBank, CookieKind, Lifetime, Session, SessionKeys, Stage, client::tests::client,
        },
        tests::lines::log_of_this_thread,
    };

    #[tokio::test]
    async fn logs_session_that_is_too_large_to_be_changed() {
        let (lines, _guard) = log_of_this_thread();
        let life = Lifetime {
            idle: Duration::from_secs(7_200),
            longest: Duration::from_secs(43_200),
        };
        let codec = SessionCodec::new(
            SessionKeys::of(&[[2; 64]]),
            CookieKind::HostOnly,
            life,
            || 7_000,
        );
        let token = LinkToken::parse("t").unwrap();
        let mut session = Session::new(
            "1".repeat(5_000),
            token,
            client("12ABC34501DE35", "Bia", ""),
            1_000,
        );
        session.seen_at = 1_000;
        // Viewing the accounts clears the bank.
        let consent = Stage::Arrived.authorize(1, 1).consent().unwrap();
        let bank = ChosenBank {
            code: BankCode::parse("260").unwrap(),
            name: String::new(),
            key: String::new(),
        };
        session.stage = Stage::BankChosen(consent, bank);
        let cookie = codec.seal_for(
            codec.name(),
            serde_json::to_string(&session).unwrap(),
            Duration::from_secs(60),
        );
        let pair = cookie.to_str().unwrap().split(';').next().unwrap();
        let router = Router::new().layer(from_fn_with_state(codec, open));
        let request = Request::get(Page::Accounts.path())
            .header(header::COOKIE, pair)
            .body(Body::empty())
            .unwrap();
        let response = router.oneshot(request).await.unwrap();
        assert!(!response.headers().contains_key(header::SET_COOKIE));
        let log = lines.take();
        assert!(
            log.contains("ERROR") && log.contains("session not kept"),
            "{log}"
        );
    }
}
