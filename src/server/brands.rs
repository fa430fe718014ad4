//! The route of logos.

use std::sync::Arc;

use axum::{
    Router,
    body::Bytes,
    http::{HeaderName, StatusCode, Uri, header},
    response::IntoResponse,
    routing::get,
};
use vincula_domain::routes;
use vincula_pages::brands::Brands;

/// An SVG file may hold scripts: opened by itself it is a sandboxed document, and an `<img>` never runs them.
const CONTENT_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox";

/// The route of all logos. Their addresses are looked up: nothing of a request becomes the path of a file.
pub fn router<S: Clone + Send + Sync + 'static>(brands: Arc<Brands>) -> Router<S> {
    let logo = async move |uri: Uri| {
        let Some(logo) = brands.logos.get(uri.path()) else { return StatusCode::NOT_FOUND.into_response() };
        let headers: [(HeaderName, &str); 3] = [
            (header::CONTENT_TYPE, logo.kind),
            (header::CONTENT_SECURITY_POLICY, CONTENT_POLICY),
            (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
        ];
        (headers, Bytes::from_owner(Arc::clone(&logo.bytes))).into_response()
    };
    Router::new().route(&format!("{}/{{file}}", routes::THEME), get(logo))
}
