//! Compresses what is generated for each request. Files are compressed by the build.

use axum::{
    body::{Body, Bytes, to_bytes},
    extract::Request,
    http::StatusCode,
    middleware::Next,
    response::Response,
};
use tower_http::{
    CompressionLevel,
    compression::{CompressionLayer, predicate::SizeAbove},
};

use super::error_pages::rejected;

/// Largest response that is generated for a request, in bytes as they are sent: a list
/// ([`crate::steps::from_upstream::MAX_BYTES_OF_ROWS`]) and what is around it. A connection holds
/// one such response until its client has read it.
pub const MAX_ANSWER_BYTES: usize = 92 * 1024;

/// The level on the encoders' own scales, for brotli and for gzip. Higher levels hardly make a page
/// smaller.
const LEVEL: i32 = 4;

/// Responses of fewer bytes are sent uncompressed, because they fit into one packet anyway.
const WORTH_IT: u16 = 1_024;

pub fn layer() -> CompressionLayer<SizeAbove> {
    CompressionLayer::new()
        .quality(CompressionLevel::Precise(LEVEL))
        .compress_when(SizeAbove::new(WORTH_IT))
}

/// The layer around the compression. It completes each response before it is sent, so that only the
/// bytes of the response are kept for a slow client.
pub async fn in_one_piece(request: Request, next: Next) -> Response {
    let (parts, body) = next.run(request).await.into_parts();
    match to_bytes(body, MAX_ANSWER_BYTES).await {
        // A copy, because the buffer of a text is up to twice as large as the text.
        Ok(bytes) => Response::from_parts(parts, Body::from(Bytes::copy_from_slice(&bytes))),
        Err(_) => {
            tracing::error!("a response is too large to be sent");
            rejected(StatusCode::INTERNAL_SERVER_ERROR)
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::{Router, body::HttpBody, middleware::from_fn, routing::get};
    use tower::ServiceExt;

    use super::*;

    async fn encoding_of(bytes: usize, accepted: &str) -> Option<String> {
        let page = get(move || async move { "a page ".repeat(bytes).split_at(bytes).0.to_owned() });
        let router = Router::new().route("/", page).layer(layer());
        let request = Request::get("/")
            .header("accept-encoding", accepted)
            .body(Body::empty())
            .unwrap();
        let answer = router.oneshot(request).await.unwrap();
        answer
            .headers()
            .get("content-encoding")
            .map(|value| value.to_str().unwrap().to_owned())
    }

    #[tokio::test]
    async fn pages_are_compressed_as_the_browser_prefers_and_short_responses_are_not() {
        for (bytes, accepted, encoding) in [
            (8_000, "gzip, deflate, br, zstd", Some("br")),
            (8_000, "gzip, deflate", Some("gzip")),
            (1_023, "gzip, deflate, br, zstd", None),
        ] {
            assert_eq!(
                encoding_of(bytes, accepted).await.as_deref(),
                encoding,
                "{bytes} bytes, {accepted}"
            );
        }
    }

    #[tokio::test]
    async fn buffers_whole_response_up_to_the_limit() {
        // Half of it cannot be compressed.
        let noise: String = (0..MAX_ANSWER_BYTES)
            .map(|_| char::from(rand::random_range(b'0'..b'@')))
            .collect();
        for (bytes, accepted, expected) in [
            (MAX_ANSWER_BYTES, "identity", 200),
            (MAX_ANSWER_BYTES + 1, "identity", 500),
            (MAX_ANSWER_BYTES + 1, "gzip", 200),
            (MAX_ANSWER_BYTES * 3, "gzip", 500),
        ] {
            let text = noise.repeat(3)[..bytes].to_owned();
            let page = get(move || async move { text });
            let router = Router::new().route("/", page).layer(layer());
            let router = router.layer(from_fn(in_one_piece));
            let request = Request::get("/")
                .header("accept-encoding", accepted)
                .body(Body::empty())
                .unwrap();
            let answer = router.oneshot(request).await.unwrap();
            assert_eq!(answer.status(), expected, "{bytes} bytes, {accepted}");
            let size = answer
                .body()
                .size_hint()
                .exact()
                .expect("its length is known");
            assert!(size <= MAX_ANSWER_BYTES as u64, "{size}");
        }
    }
}
