//! Limits on requests: the method, the length of the address, the size and the pace of the body.

use std::{future::poll_fn, pin::pin, sync::Arc, time::Duration};

use axum::{
    body::{Body, HttpBody},
    extract::{Request, State},
    http::{HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::Response,
};
use vincula_domain::{
    problem::Problem,
    routes::{self, Page},
};
use vincula_upstream::Trace;

use super::error_pages::refused;
use crate::session::middleware::redirect;

/// Longest path and query, in bytes: a token of 2048 bytes, each percent-encoded, and some more.
const MAX_URL_BYTES: usize = 8 * 1024;

/// Largest body of an action, in bytes: a form of three fields.
pub const MAX_BODY_BYTES: usize = 16 * 1024;

/// Longest time for such a body to arrive, on a bad phone line too.
const MAX_BODY_TIME: Duration = Duration::from_secs(10);

const ALLOWED: &str = "GET, HEAD, POST";

/// The layer around pages and actions. It reads the body before the request takes a permit, so a slow sender holds none.
pub async fn enforce(State(stylesheet): State<Arc<str>>, request: Request, next: Next) -> Response {
    if !matches!(*request.method(), Method::GET | Method::HEAD | Method::POST) {
        let mut response = refused(StatusCode::METHOD_NOT_ALLOWED, request.uri().path(), &stylesheet);
        response.headers_mut().insert(header::ALLOW, HeaderValue::from_static(ALLOWED));
        return response;
    }
    // A host alone, as in `GET a.example HTTP/1.1`, has no path, and without one the framework panics.
    let Some(url) = request.uri().path_and_query() else {
        return refused(StatusCode::BAD_REQUEST, request.uri().path(), &stylesheet);
    };
    if url.as_str().len() > MAX_URL_BYTES {
        // A link whose token is too long for a session.
        return match Page::at(request.uri().path()) {
            Some(Page::Entry) => {
                let to = routes::error(Problem::TokenInvalid);
                let trace = Trace::current();
                redirect(&trace.map(|trace| routes::with_flag(&to, &routes::code(trace.request_id()))).unwrap_or(to))
            }
            _ => refused(StatusCode::URI_TOO_LONG, request.uri().path(), &stylesheet),
        };
    }
    let path = request.uri().path().to_owned();
    match whole(request, MAX_BODY_BYTES, MAX_BODY_TIME).await {
        Ok(request) => next.run(request).await,
        Err(status) => refused(status, &path, &stylesheet),
    }
}

/// The request with its body read.
///
/// # Errors
/// 413 for a body that is too large, 408 for one that takes too long, 400 for one that breaks off.
pub async fn whole(request: Request, max_bytes: usize, max_time: Duration) -> Result<Request, StatusCode> {
    if request.body().is_end_stream() {
        return Ok(request);
    }
    let (parts, body) = request.into_parts();
    match tokio::time::timeout(max_time, read(body, max_bytes)).await {
        Ok(body) => body.map(|bytes| Request::from_parts(parts, bytes.into())),
        Err(_) => Err(StatusCode::REQUEST_TIMEOUT),
    }
}

/// Reads nothing of a body that is declared as too large.
async fn read(body: Body, max_bytes: usize) -> Result<Vec<u8>, StatusCode> {
    if body.size_hint().lower() > max_bytes as u64 {
        return Err(StatusCode::PAYLOAD_TOO_LARGE);
    }
    let (mut body, mut bytes) = (pin!(body), Vec::new());
    while let Some(frame) = poll_fn(|context| body.as_mut().poll_frame(context)).await {
        let data = frame.map_err(|_| StatusCode::BAD_REQUEST)?.into_data().unwrap_or_default();
        if bytes.len() + data.len() > max_bytes {
            return Err(StatusCode::PAYLOAD_TOO_LARGE);
        }
        bytes.extend_from_slice(&data);
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::{
        pin::Pin,
        task::{Context, Poll},
    };

    use axum::{Router, body::Bytes, middleware::from_fn_with_state, routing::any};
    use hyper::body::Frame;
    use tower::ServiceExt;

    use super::*;

    async fn status(request: Request) -> u16 {
        let router = Router::new().fallback(any(|body: Bytes| async move { body.len().to_string() }));
        let router = router.layer(from_fn_with_state(Arc::<str>::from(""), enforce));
        router.oneshot(request).await.unwrap().status().as_u16()
    }

    fn post(body: impl Into<Body>) -> Request {
        Request::post("/api/list_accounts").body(body.into()).unwrap()
    }

    #[tokio::test]
    async fn only_the_methods_of_a_browsers_pages_are_taken() {
        for (method, expected) in [
            ("GET", 200),
            ("HEAD", 200),
            ("POST", 200),
            ("PUT", 405),
            ("PATCH", 405),
            ("DELETE", 405),
            ("OPTIONS", 405),
            ("TRACE", 405),
            ("CONNECT", 405),
            ("get", 405),
            ("PROPFIND", 405),
        ] {
            let request = Request::builder().method(method).uri("/").body(Body::empty()).unwrap();
            assert_eq!(status(request).await, expected, "{method}");
        }
    }

    #[tokio::test]
    async fn addresses_and_bodies_have_a_longest() {
        let url = |path: &str, length: usize| {
            Request::get(format!("{path}?{}", "a".repeat(length - path.len() - 1))).body(Body::empty()).unwrap()
        };
        assert_eq!(status(url("/", MAX_URL_BYTES)).await, 200);
        assert_eq!(status(url("/", MAX_URL_BYTES + 1)).await, 303);
        assert_eq!(status(url("/cancel/confirm", MAX_URL_BYTES + 1)).await, 414);
        assert_eq!(status(post(vec![b'a'; MAX_BODY_BYTES])).await, 200);
        assert_eq!(status(post(vec![b'a'; MAX_BODY_BYTES + 1])).await, 413);
    }

    #[tokio::test]
    async fn addresses_have_a_path() {
        for (uri, expected) in [("a.example", 400), ("a.example:80", 400), ("http://a.example", 200), ("*", 200)] {
            assert_eq!(status(Request::get(uri).body(Body::empty()).unwrap()).await, expected, "{uri}");
        }
    }

    /// A body that yields a piece at a time, or nothing, for ever.
    struct Endless(Option<usize>);

    impl HttpBody for Endless {
        type Data = Bytes;
        type Error = axum::Error;

        fn poll_frame(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
            match self.0 {
                Some(size) => Poll::Ready(Some(Ok(Frame::data(vec![b'a'; size].into())))),
                None => Poll::Pending,
            }
        }
    }

    #[tokio::test]
    async fn a_body_of_unknown_length_is_read_to_the_limit_only() {
        assert_eq!(status(post(Body::new(Endless(Some(1_000))))).await, 413);
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_that_does_not_arrive_is_given_up() {
        assert_eq!(status(post(Body::new(Endless(None)))).await, 408);
    }
}
