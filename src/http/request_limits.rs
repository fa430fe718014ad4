//! Limits on requests: the method, the length of the address, the size and the pace of the body.

use std::time::Duration;

use axum::{
    body::Bytes,
    extract::{DefaultBodyLimit, FromRequest, Request},
    http::{HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::Response,
};
use tokio::time::timeout;
use vincula_domain::{destination::Destination, problem::Problem, routes::Page};
use vincula_upstream::RequestId;

use super::{FromLayer, error_pages::rejected, location::redirect};

/// Longest path and query, in bytes: a token of 2,048 bytes, each percent-encoded, and a margin.
const MAX_URL_BYTES: usize = 8 * 1024;

/// Largest body of an action, in bytes: a form of three fields.
pub const MAX_BODY_BYTES: usize = 16 * 1024;

/// Longest time for the body of an action to arrive. It is enough for a bad phone line.
const MAX_BODY_TIME: Duration = Duration::from_secs(10);

const ALLOWED: &str = "GET, HEAD, POST";

/// The layer around pages and actions. It reads the body before the request takes a permit, so that
/// a slow sender holds none.
pub async fn enforce(
    FromLayer(request_id): FromLayer<RequestId>,
    mut request: Request,
    next: Next,
) -> Response {
    if !matches!(*request.method(), Method::GET | Method::HEAD | Method::POST) {
        let mut response = rejected(StatusCode::METHOD_NOT_ALLOWED);
        response
            .headers_mut()
            .insert(header::ALLOW, HeaderValue::from_static(ALLOWED));
        return response;
    }
    // A request for a host alone, such as `GET a.example HTTP/1.1`, has no path, and the framework
    // would panic.
    let Some(url) = request.uri().path_and_query() else {
        return rejected(StatusCode::BAD_REQUEST);
    };
    if url.as_str().len() > MAX_URL_BYTES {
        // A link whose token is too long for a session.
        return match Page::at(request.uri().path()) {
            Some(Page::Entry) => redirect(&Destination::error(
                Problem::TokenInvalid,
                Some(request_id.as_str()),
            )),
            _ => rejected(StatusCode::URI_TOO_LONG),
        };
    }
    DefaultBodyLimit::max(MAX_BODY_BYTES).apply(&mut request);
    let (parts, body) = request.into_parts();
    let body = Bytes::from_request(Request::from_parts(parts.clone(), body), &());
    match timeout(MAX_BODY_TIME, body).await {
        Ok(Ok(body)) => next.run(Request::from_parts(parts, body.into())).await,
        Ok(Err(too_large_or_broken_off)) => rejected(too_large_or_broken_off.status()),
        Err(_) => rejected(StatusCode::REQUEST_TIMEOUT),
    }
}

#[cfg(test)]
mod tests {
    use std::{
        pin::Pin,
        task::{Context, Poll},
    };

    use axum::{
        Router,
        body::{Body, HttpBody},
        middleware::from_fn,
        routing::any,
    };
    use hyper::body::Frame;
    use tower::ServiceExt;

    use super::*;

    async fn status(mut request: Request) -> u16 {
        request.extensions_mut().insert(RequestId::default());
        let router =
            Router::new().fallback(any(|body: Bytes| async move { body.len().to_string() }));
        let router = router.layer(from_fn(enforce));
        router.oneshot(request).await.unwrap().status().as_u16()
    }

    fn post(body: impl Into<Body>) -> Request {
        Request::post("/api/list_accounts")
            .body(body.into())
            .unwrap()
    }

    #[tokio::test]
    async fn accepts_only_methods_that_pages_use() {
        for (method, expected) in [
            ("GET", 200),
            ("HEAD", 200),
            ("POST", 200),
            ("PUT", 405),
            ("OPTIONS", 405),
            ("TRACE", 405),
            ("get", 405),
        ] {
            let request = Request::builder()
                .method(method)
                .uri("/")
                .body(Body::empty())
                .unwrap();
            assert_eq!(status(request).await, expected, "{method}");
        }
    }

    #[tokio::test]
    async fn limits_length_of_addresses_and_bodies() {
        let url = |path: &str, length: usize| {
            Request::get(format!("{path}?{}", "a".repeat(length - path.len() - 1)))
                .body(Body::empty())
                .unwrap()
        };
        assert_eq!(status(url("/", MAX_URL_BYTES)).await, 200);
        assert_eq!(status(url("/", MAX_URL_BYTES + 1)).await, 303);
        assert_eq!(status(url("/cancel/confirm", MAX_URL_BYTES + 1)).await, 414);
        assert_eq!(status(post(vec![b'a'; MAX_BODY_BYTES])).await, 200);
        assert_eq!(status(post(vec![b'a'; MAX_BODY_BYTES + 1])).await, 413);
    }

    #[tokio::test]
    async fn rejects_address_without_a_path() {
        for (uri, expected) in [
            ("a.example", 400),
            ("a.example:80", 400),
            ("http://a.example", 200),
            ("*", 200),
        ] {
            assert_eq!(
                status(Request::get(uri).body(Body::empty()).unwrap()).await,
                expected,
                "{uri}"
            );
        }
    }

    /// A body that yields a piece at a time, or nothing, for ever.
    struct Endless(Option<usize>);

    impl HttpBody for Endless {
        type Data = Bytes;
        type Error = axum::Error;

        fn poll_frame(
            self: Pin<&mut Self>,
            _: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
            match self.0 {
                Some(size) => Poll::Ready(Some(Ok(Frame::data(vec![b'a'; size].into())))),
                None => Poll::Pending,
            }
        }
    }

    #[tokio::test]
    async fn reads_body_of_unknown_length_up_to_the_limit() {
        assert_eq!(status(post(Body::new(Endless(Some(1_000))))).await, 413);
    }

    #[tokio::test(start_paused = true)]
    async fn rejects_body_that_does_not_arrive_in_time() {
        assert_eq!(status(post(Body::new(Endless(None)))).await, 408);
    }
}
