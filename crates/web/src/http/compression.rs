//! Compresses responses that are generated for each request. Files are compressed by the build, and most pages once
//! for all (docs/decisions/0042-pages-are-compressed-once.md).

use tower_http::{
    CompressionLevel,
    compression::{CompressionLayer, predicate::SizeAbove},
};

/// On the encoders' own scale, for brotli and gzip alike. The lowest level saves more than half of a page; brotli's 4
/// would save another twentieth for more than twice the CPU time (docs/performance.md, "Packing of pages").
const LEVEL: i32 = 1;

/// Responses of fewer bytes are sent uncompressed: they fit one packet either way.
const WORTH_IT: u16 = 1_024;

pub fn layer() -> CompressionLayer<SizeAbove> {
    CompressionLayer::new().quality(CompressionLevel::Precise(LEVEL)).compress_when(SizeAbove::new(WORTH_IT))
}

#[cfg(test)]
mod tests {
    use axum::{Router, body::Body, http::Request, routing::get};
    use tower::ServiceExt;

    use super::*;

    async fn encoding_of(bytes: usize, accepted: &str) -> Option<String> {
        let page = get(move || async move { "a page ".repeat(bytes).split_at(bytes).0.to_owned() });
        let router = Router::new().route("/", page).layer(layer());
        let request = Request::get("/").header("accept-encoding", accepted).body(Body::empty()).unwrap();
        let answer = router.oneshot(request).await.unwrap();
        answer.headers().get("content-encoding").map(|value| value.to_str().unwrap().to_owned())
    }

    #[tokio::test]
    async fn pages_are_compressed_as_the_browser_prefers_and_short_responses_are_not() {
        for (bytes, accepted, encoding) in [
            (8_000, "gzip, deflate, br, zstd", Some("br")),
            (8_000, "gzip, deflate", Some("gzip")),
            (8_000, "identity", None),
            (1_023, "gzip, deflate, br, zstd", None),
        ] {
            assert_eq!(encoding_of(bytes, accepted).await.as_deref(), encoding, "{bytes} bytes, {accepted}");
        }
    }
}
