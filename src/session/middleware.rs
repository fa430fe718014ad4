//! Opens the session of each request, redirects to the page that the guard chooses, and renews the
//! idle time.

use std::sync::Arc;

use axum::{
    Extension,
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use vincula_domain::routes::Page;

use super::{Admission, Session, SessionCodec, admit};
use crate::http::{Target, location::redirect};

/// The name of the bank whose Connect was left without a linking, which may be empty: an extension
/// of the first request for the accounts after that.
#[derive(Clone)]
pub struct LeftConnect(pub String);

/// The session of the browser that sent the request, if it has one: an extension of every page and
/// action.
#[derive(Clone, Default)]
pub struct Visitor(pub Option<Arc<Session>>);

/// What a response stores of the session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stored {
    Nothing,
    /// The time of the last use.
    LastUse,
    Session,
}

/// The middleware of all pages and actions. It adds the [`Visitor`].
pub async fn open(
    State(codec): State<SessionCodec>,
    Extension(target): Extension<Target>,
    mut request: Request,
    next: Next,
) -> Response {
    let mut session = codec.open(request.headers());
    let mut stored = Stored::Nothing;
    let is_view = matches!(*request.method(), Method::GET | Method::HEAD);
    if is_view && let Some(page) = target.page() {
        let admission = admit(page, request.uri().query(), session.as_ref());
        if let Admission::Redirected(to) = admission {
            return redirect(&to);
        }
        if let Some(session) = &mut session {
            stored = match view(page, session, &codec, &mut request) {
                Ok(stored) => stored,
                Err(status) => return status.into_response(),
            };
        }
    }
    let session = session.map(Arc::new);
    request.extensions_mut().insert(Visitor(session.clone()));
    let mut response = next.run(request).await;
    if let Some(session) = session {
        store(stored, &session, &codec, response.headers_mut());
    }
    response
}

/// Changes the session as viewing a page does, and returns what the response stores of it. Fails
/// for a prefetch of a page whose view changes more than the last use: the prefetched copy would be
/// shown without a request, skipping that change.
fn view(
    page: Page,
    session: &mut Session,
    codec: &SessionCodec,
    request: &mut Request,
) -> Result<Stored, StatusCode> {
    let leaves_connect = leaves_connect(page, session, request.headers());
    let is_prefetch = is_prefetch(request.headers());
    if is_prefetch && leaves_connect {
        return Err(StatusCode::SERVICE_UNAVAILABLE);
    }
    let is_seen = *request.method() == Method::GET && !is_prefetch;
    if is_seen && leaves_connect {
        session.seen_at = codec.now();
        if let Some(bank) = session.leave_connect() {
            let left = LeftConnect(bank.name.clone());
            request.extensions_mut().insert(left);
        }
        Ok(Stored::Session)
    } else if is_seen && codec.life.is_stale(session, codec.now()) {
        Ok(Stored::LastUse)
    } else {
        Ok(Stored::Nothing)
    }
}

/// Whether the client has left Connect: the form of the selected bank led nowhere.
fn leaves_connect(page: Page, session: &Session, headers: &HeaderMap) -> bool {
    page == Page::Accounts && session.stage.bank().is_some() && !is_sent(headers)
}

/// Adds the cookie that stores the session or its last use.
fn store(stored: Stored, session: &Session, codec: &SessionCodec, headers: &mut HeaderMap) {
    match stored {
        Stored::Nothing => {}
        Stored::LastUse => {
            headers.append(header::SET_COOKIE, codec.seal_use(session));
        }
        Stored::Session => match codec.seal(session) {
            Ok(cookie) => {
                headers.append(header::SET_COOKIE, cookie);
            }
            Err(error) => tracing::error!(%error, "session not kept"),
        },
    }
}

/// Whether the browser prefetches a page: the person has not seen it yet.
fn is_prefetch(headers: &HeaderMap) -> bool {
    headers
        .get("sec-purpose")
        .is_some_and(|purpose| purpose.as_bytes().starts_with(b"prefetch"))
}

/// Whether another site has sent the browser here, by a link, a form or a script: the person has
/// not chosen to view the page, so the view clears nothing. Old browsers do not send this header.
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
    use vincula_testing::log_of_this_thread;

    use super::*;
    use crate::session::{
        ChosenBank, CookieKind, Lifetime, Session, SessionKeys, Stage, client::tests::client,
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
            .extension(Target::Page(Page::Accounts))
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
