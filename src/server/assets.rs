//! The built files: their hashed names, and how the server serves them.

use std::path::Path;

use axum::{
    Router,
    extract::Request,
    http::{HeaderValue, StatusCode, header},
    middleware::{Next, from_fn},
    response::{IntoResponse, Response},
};
use leptos::config::LeptosOptions;
use tower::util::MapResponseLayer;
use tower_http::services::ServeDir;
use vincula_domain::routes::{ISLANDS, SANDBOX};
use vincula_pages::{Assets, built::WasmModule};

use crate::config::SiteFiles;

/// The folder with cargo-leptos' output.
const PKG: &str = "/pkg";

/// Folders of the site whose names do not change with the content.
const FOLDERS: [&str; 2] = ["/fonts", "/illustrations"];

/// Single files of the site.
const FILES: [&str; 6] =
    ["/favicon.svg", "/icon-192.png", "/apple-touch-icon.png", "/social.png", "/robots.txt", "/site.webmanifest"];

/// Reads the hashed names once.
pub fn find(site: &SiteFiles) -> Assets {
    let hashes = match site.reload_port {
        // Names do not change while cargo-leptos watches.
        Some(_) => String::new(),
        None => std::fs::read_to_string(&site.hash_file).unwrap_or_default(),
    };
    let named = |kind: &str| {
        let hash = hashes.lines().find_map(|line| line.split_once(':').filter(|(name, _)| *name == kind));
        let hashed = hash.map(|(_, hash)| format!("vincula.{}.{kind}", hash.trim()));
        let exists = |name: &String| site.root.join("pkg").join(name).is_file();
        format!("/pkg/{}", hashed.filter(exists).unwrap_or_else(|| format!("vincula.{kind}")))
    };
    let reload =
        site.reload_port.map(|port| LeptosOptions::builder().output_name("vincula").reload_port(port.into()).build());
    Assets { css: named("css"), module: WasmModule { js: named("js"), wasm: named("wasm") }, reload }
}

/// Serves the site's files. Browsers cache those with hashed names for good.
pub fn router<S: Clone + Send + Sync + 'static>(site: &SiteFiles) -> Router<S> {
    let files = files_in(&site.root);
    let hashed = Router::new()
        .nest_service(PKG, files_in(&site.root.join("pkg")))
        .nest_service(ISLANDS, files_in(&site.react.join("islands")))
        .layer(caching(if site.reload_port.is_some() { NEVER } else { FOREVER }));
    let folders = FOLDERS.iter().fold(Router::new(), |router, folder| {
        router.nest_service(folder, files_in(&site.root.join(folder.trim_start_matches('/'))))
    });
    let named = FILES.iter().fold(folders, |router, file| router.route_service(file, files.clone()));
    hashed.merge(named.layer(caching(A_DAY))).layer(from_fn(built_files_only))
}

/// The library that the stand-in for Connect needs, in sandbox mode only.
pub fn sandbox_router(site: &SiteFiles) -> Router {
    Router::new().route_service(&format!("{SANDBOX}/zoid.js"), files_in(&site.react))
}

/// Bytes of a file that are read ahead of its client, twice over. docs/operations.md, "How much memory one replica takes
/// at most".
const CHUNK_BYTES: usize = 16 * 1024;

/// The files of a folder, in the encodings that the build made.
fn files_in(folder: &Path) -> ServeDir {
    ServeDir::new(folder)
        .append_index_html_on_directories(false)
        .precompressed_br()
        .precompressed_gzip()
        .with_buf_chunk_size(CHUNK_BYTES)
}

/// Longest name of a file.
const MAX_NAME_BYTES: usize = 100;

/// Hides what the build cannot have made: other spellings of a name, hidden files, names that the file system rejects
/// with an error, and the compressed forms, which have no address.
async fn built_files_only(request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let is_name = |name: &str| {
        (1..=MAX_NAME_BYTES).contains(&name.len())
            && !name.starts_with('.')
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b))
    };
    if path.ends_with(".br") || path.ends_with(".gz") || !path.split('/').skip(1).all(is_name) {
        return StatusCode::NOT_FOUND.into_response();
    }
    next.run(request).await
}

const FOREVER: &str = "public, max-age=31536000, immutable";
const A_DAY: &str = "public, max-age=86400";
const NEVER: &str = "no-cache";

/// Sets how long a file may be cached; a missing file may not be cached at all.
fn caching(cache_control: &'static str) -> MapResponseLayer<impl Fn(Response) -> Response + Clone> {
    MapResponseLayer::new(move |mut response: Response| {
        if response.status().is_success() || response.status() == StatusCode::NOT_MODIFIED {
            response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static(cache_control));
            response.headers_mut().insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        }
        response
    })
}
