//! Replaces the framework's own errors on pages (unknown method, unreadable form), which are in English or empty, with
//! a page of ours.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    http::header::{ALLOW, CONTENT_TYPE},
    response::Response,
};
use vincula_domain::routes::is_action;

use super::busy::refused;
use crate::http::inner::Inner;

/// The layer around all pages. A failure that is not HTML is the framework's: only its status and `Allow` stay.
pub async fn in_our_words(State(stylesheet): State<Arc<str>>, request: Request, next: impl Inner) -> Response {
    let path = request.uri().path().to_owned();
    let response = next.run(request).await;
    let status = response.status();
    let is_failure = status.is_client_error() || status.is_server_error();
    let kind = response.headers().get(CONTENT_TYPE);
    let is_page = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
    if !is_failure || is_page || is_action(&path) {
        return response;
    }
    let mut answer = refused(status, &path, &stylesheet);
    answer.headers_mut().extend(response.headers().get(ALLOW).map(|methods| (ALLOW, methods.clone())));
    answer
}

#[cfg(test)]
mod tests {
    use axum::{
        Form, Router,
        body::{Body, to_bytes},
        http::StatusCode,
        middleware::from_fn_with_state,
        response::Html,
        routing::{get, post},
    };
    use tower::ServiceExt;
    use vincula_domain::words;

    use super::*;

    async fn asked(method: &str, uri: &str) -> (u16, Option<String>, String) {
        let router = Router::new()
            .route("/page", get(async || "shown"))
            .route("/own", get(async || (StatusCode::NOT_FOUND, Html("our own"))))
            .route("/form", post(async |_: Form<[(); 1]>| "taken"))
            .route("/api/action", post(async || (StatusCode::CONFLICT, "an action's")))
            .layer(from_fn_with_state(Arc::<str>::from("/pkg/a.css"), in_our_words));
        let request = Request::builder().method(method).uri(uri).body(Body::from("x")).unwrap();
        let (parts, body) = router.oneshot(request).await.unwrap().into_parts();
        let allow = parts.headers.get(ALLOW).map(|methods| methods.to_str().unwrap().to_owned());
        let body = to_bytes(body, 10_000).await.unwrap();
        (parts.status.as_u16(), allow, String::from_utf8(body.into()).unwrap())
    }

    #[tokio::test]
    async fn people_never_read_the_frameworks_english() {
        for (method, uri, status, allow) in
            [("POST", "/page", 405, Some("GET,HEAD")), ("POST", "/form", 415, None), ("GET", "/nowhere", 404, None)]
        {
            let (got, methods, text) = asked(method, uri).await;
            assert_eq!((got, methods.as_deref()), (status, allow), "{method} {uri}");
            assert!(text.contains(words::REFUSED_TITLE) && text.contains("href=\"/pkg/a.css\""), "{uri}: {text}");
        }
    }

    #[tokio::test]
    async fn what_we_say_ourselves_stays() {
        for (method, uri, status, text) in [
            ("GET", "/page", 200, "shown"),
            ("GET", "/own", 404, "our own"),
            ("POST", "/api/action", 409, "an action's"),
        ] {
            assert_eq!(asked(method, uri).await, (status, None, text.to_owned()), "{method} {uri}");
        }
    }
}
