//! Serves the files of the build, which have hashed names, and the logos of firms.

use std::{path::Path, sync::Arc};

use axum::{
    Router,
    body::Bytes,
    extract::Request,
    http::{HeaderName, HeaderValue, StatusCode, Uri, header},
    middleware::{Next, from_fn},
    response::{IntoResponse, Response},
    routing::get,
};
use tower::util::MapResponseLayer;
use tower_http::services::ServeDir;

use crate::{
    brands::Brands,
    config::SiteFiles,
    routes::{FONTS, ILLUSTRATIONS, ISLANDS, PKG, ROOT_FILES, SANDBOX, THEME},
};

/// Serves the site's files. Browsers cache files with hashed names forever.
pub fn router<S: Clone + Send + Sync + 'static>(site: &SiteFiles) -> Router<S> {
    let files = files_in(&site.root);
    let hashed = Router::new()
        .nest_service(PKG, files_in(&site.root.join("pkg")))
        .nest_service(ISLANDS, files_in(&site.react.join("islands")))
        .layer(caching(if site.reload_port.is_some() {
            NEVER
        } else {
            FOREVER
        }));
    let fonts = Router::new()
        .nest_service(FONTS, files_in(&site.root.join("fonts")))
        .layer(caching(FOREVER));
    let illustrations =
        Router::new().nest_service(ILLUSTRATIONS, files_in(&site.root.join("illustrations")));
    let named = ROOT_FILES.iter().fold(illustrations, |router, file| {
        router.route_service(file, files.clone())
    });
    hashed
        .merge(fonts)
        .merge(named.layer(caching(A_DAY)))
        .layer(from_fn(possible_names_only))
}

/// Longest name that file systems accept, in bytes.
const MAX_NAME_BYTES: usize = 255;

/// Responds with 404 to longer paths, for which `ServeDir` responds with 500, which is an alert.
async fn possible_names_only(request: Request, next: Next) -> Response {
    if request.uri().path().len() > MAX_NAME_BYTES {
        return StatusCode::NOT_FOUND.into_response();
    }
    next.run(request).await
}

/// Serves the library that the stand-in for Connect needs. Only for the sandbox.
pub fn sandbox_router(site: &SiteFiles) -> Router {
    Router::new().route_service(&format!("{SANDBOX}/zoid.js"), files_in(&site.react))
}

/// An SVG file may contain scripts. An `<img>` never runs them; opened by itself, the file is a
/// sandboxed document.
const LOGO_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox";

/// Serves the logos of all firms. Addresses are looked up in a table, so no part of a request
/// becomes the path of a file.
pub fn logos<S: Clone + Send + Sync + 'static>(brands: Arc<Brands>) -> Router<S> {
    let logo = async move |uri: Uri| {
        let Some(logo) = brands.logos.get(uri.path()) else {
            return StatusCode::NOT_FOUND.into_response();
        };
        let headers: [(HeaderName, &str); 3] = [
            (header::CONTENT_TYPE, logo.format.media_type()),
            (header::CONTENT_SECURITY_POLICY, LOGO_POLICY),
            (header::CACHE_CONTROL, FOREVER),
        ];
        (headers, Bytes::from_owner(Arc::clone(&logo.bytes))).into_response()
    };
    Router::new().route(&format!("{THEME}/{{file}}"), get(logo))
}

/// Serves the files of a folder, with the compressed forms that the build made.
fn files_in(folder: &Path) -> ServeDir {
    ServeDir::new(folder)
        .append_index_html_on_directories(false)
        .precompressed_br()
        .precompressed_gzip()
}

const FOREVER: &str = "public, max-age=31536000, immutable";
const A_DAY: &str = "public, max-age=86400";
const NEVER: &str = "no-cache";

/// Sets how long a file may be cached. Errors keep the default, which is not to cache.
fn caching(cache_control: &'static str) -> MapResponseLayer<impl Fn(Response) -> Response + Clone> {
    MapResponseLayer::new(move |mut response: Response| {
        if response.status().is_success() || response.status() == StatusCode::NOT_MODIFIED {
            response.headers_mut().insert(
                header::CACHE_CONTROL,
                HeaderValue::from_static(cache_control),
            );
            response
                .headers_mut()
                .insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        }
        response
    })
}
