//! The built files: their hashed names, and how they are served.

use std::path::Path;

use axum::{
    Router,
    extract::Request,
    http::{HeaderValue, header},
    middleware::{Next, from_fn},
    response::Response,
};
use leptos::config::LeptosOptions;
use tower_http::services::{ServeDir, ServeFile};

use crate::{
    config::Site,
    islands::WasmModule,
    routes::{ISLANDS, SANDBOX},
};

/// Folders of the site whose names do not change with the content.
const FOLDERS: [&str; 2] = ["fonts", "illustrations"];

/// Single files of the site.
const FILES: [&str; 7] = [
    "favicon.svg",
    "icons.svg",
    "icon-192.png",
    "apple-touch-icon.png",
    "social.png",
    "robots.txt",
    "site.webmanifest",
];

/// Addresses of the style sheet and of the module with the Leptos islands.
#[derive(Debug, Clone)]
pub struct Assets {
    pub css: String,
    /// The Leptos islands, with what the bridge does for every page.
    pub module: WasmModule,
    /// Set while `cargo leptos watch` runs: pages reload by themselves.
    pub reload: Option<LeptosOptions>,
}

impl Assets {
    /// Reads the hashed names once.
    pub fn find(site: &Site) -> Self {
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
        let reload = site
            .reload_port
            .map(|port| LeptosOptions::builder().output_name("vincula").reload_port(port.into()).build());
        Self { css: named("css"), module: WasmModule { js: named("js"), wasm: named("wasm") }, reload }
    }
}

/// The site's files. Those with hashed names are kept by browsers for good.
pub fn router<S: Clone + Send + Sync + 'static>(site: &Site) -> Router<S> {
    let hashed = site.reload_port.is_none();
    let served = |folder: &Path| ServeDir::new(folder).precompressed_br().precompressed_gzip();
    let built = |folder: &str| served(&site.root.join(folder));
    let forever = Router::new()
        .nest_service("/pkg", built("pkg"))
        .nest_service(ISLANDS, served(&site.react.join("islands")))
        .layer(from_fn(move |request, next| keep(if hashed { FOREVER } else { NEVER }, request, next)));
    let files = FILES.iter().fold(Router::new(), |router, name| {
        let file = ServeFile::new(site.root.join(name)).precompressed_br().precompressed_gzip();
        router.route_service(&format!("/{name}"), file)
    });
    let named = FOLDERS
        .iter()
        .fold(files, |router, name| router.nest_service(&format!("/{name}"), built(name)))
        .layer(from_fn(|request, next| keep(A_DAY, request, next)));
    forever.merge(named)
}

/// The stand-in's script and style, in sandbox mode only.
pub fn sandbox_router(site: &Site) -> Router {
    let file = |name: &str| ServeFile::new(site.react.join("sandbox").join(name));
    Router::new()
        .route_service(&format!("{SANDBOX}/connect.js"), file("connect.js"))
        .route_service(&format!("{SANDBOX}/connect.css"), file("connect.css"))
}

const FOREVER: &str = "public, max-age=31536000, immutable";
const A_DAY: &str = "public, max-age=86400";
const NEVER: &str = "no-cache";

/// Says how long a file may be kept; what is not there may not be kept at all.
async fn keep(how_long: &'static str, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    if response.status().is_success() || response.status() == axum::http::StatusCode::NOT_MODIFIED {
        response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static(how_long));
        response.headers_mut().insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    }
    response
}
