//! Serves the firm's logo.

use axum::{
    Router,
    body::Bytes,
    http::{HeaderName, header},
    routing::get,
};
use vincula_pages::theme::Logo;

/// An SVG file may hold scripts: opened by itself it is a sandboxed document, and an `<img>` never runs them.
const CONTENT_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox";

/// The route of the logo, if there is one.
pub fn router<S: Clone + Send + Sync + 'static>(logo: Option<&Logo>) -> Router<S> {
    let Some(logo) = logo else { return Router::new() };
    let headers: [(HeaderName, &str); 3] = [
        (header::CONTENT_TYPE, logo.kind()),
        (header::CONTENT_SECURITY_POLICY, CONTENT_POLICY),
        (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
    ];
    let bytes = Bytes::copy_from_slice(logo.bytes());
    Router::new().route(logo.path(), get(async move || (headers, bytes)))
}
