//! The built files: their hashed names, and how the server serves them.

use axum::{
    Router,
    extract::Request,
    http::{HeaderValue, header},
    middleware::{Next, from_fn},
    response::Response,
};
use leptos::config::LeptosOptions;
use vincula_domain::routes::{ISLANDS, SANDBOX};
use vincula_pages::{Assets, bundle::WasmModule};

use super::files::Files;
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
    let reloads = site.reload_port.is_some();
    let folders = [(String::new(), site.root.clone()), (ISLANDS.to_owned(), site.react.join("islands"))];
    let files = if reloads { Files::from_disk(folders.into()) } else { Files::in_memory(&folders) };
    let forever = [PKG, ISLANDS]
        .iter()
        .fold(Router::new(), |router, folder| router.nest_service(folder, files.service()))
        .layer(from_fn(move |request, next| keep(if reloads { NEVER } else { FOREVER }, request, next)));
    let named = FOLDERS.iter().fold(Router::new(), |router, folder| router.nest_service(folder, files.service()));
    let named = FILES.iter().fold(named, |router, file| router.route_service(file, files.service()));
    forever.merge(named.layer(from_fn(|request, next| keep(A_DAY, request, next))))
}

/// The library that the stand-in for Connect needs, in sandbox mode only.
pub fn sandbox_router(site: &SiteFiles) -> Router {
    let files = Files::in_memory(&[(SANDBOX.to_owned(), site.react.join("sandbox"))]);
    Router::new().route_service(&format!("{SANDBOX}/zoid.js"), files.service())
}

const FOREVER: &str = "public, max-age=31536000, immutable";
const A_DAY: &str = "public, max-age=86400";
const NEVER: &str = "no-cache";

/// Sets how long a file may be cached; a missing file may not be cached at all.
async fn keep(how_long: &'static str, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    if response.status().is_success() || response.status() == axum::http::StatusCode::NOT_MODIFIED {
        response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static(how_long));
        response.headers_mut().insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    }
    response
}
