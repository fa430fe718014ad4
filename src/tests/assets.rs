//! Files, health, and the sandbox's routes, which do not exist with a real widget API.

use std::{fs, path::PathBuf};

use axum::{body::Body, http::Request};
use clap::Parser;
use serde_json::json;
use tower::ServiceExt;
use vincula_sandbox::{Sandbox, SandboxOptions};

use super::{TestApp, same_origin, site};
use crate::{
    config::SiteFiles,
    server::{assets, router},
    state::AppState,
};

const FOREVER: &str = "public, max-age=31536000, immutable";
const A_DAY: &str = "public, max-age=86400";

#[tokio::test]
async fn files_with_hashed_names_are_kept_for_good_and_others_for_a_day() {
    let mut app = TestApp::start().await;
    for (path, how_long, kind) in [
        (site::CSS, FOREVER, "text/css"),
        ("/pkg/vincula.def456.js", FOREVER, "text/javascript"),
        ("/pkg/vincula.789abc.wasm", FOREVER, "application/wasm"),
        (site::CONSENT_JS, FOREVER, "text/javascript"),
        ("/favicon.svg", A_DAY, "image/svg+xml"),
        ("/robots.txt", A_DAY, "text/plain"),
        ("/illustrations/default.svg", A_DAY, "image/svg+xml"),
    ] {
        let file = app.get(path).await;
        assert_eq!((file.status, file.header_of("cache-control")), (200, Some(how_long)), "{path}");
        assert!(file.header_of("content-type").unwrap().starts_with(kind), "{path}: {file:?}");
        assert_eq!(file.header_of("x-content-type-options"), Some("nosniff"), "{path}");
        assert_eq!(file.header_of("set-cookie"), None, "{path}");
    }
}

#[tokio::test]
async fn every_file_of_public_can_be_had() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("public");
    let site =
        SiteFiles { hash_file: root.join("hash.txt"), react: root.clone(), root: root.clone(), reload_port: None };
    let router = assets::router::<()>(&site);
    let files = fs::read_dir(root).unwrap().map(|entry| entry.unwrap()).filter(|entry| entry.path().is_file());
    let names: Vec<_> = files.map(|entry| entry.file_name().into_string().unwrap()).collect();
    assert!(names.iter().any(|name| name == "favicon.svg"), "{names:?}");
    for name in names {
        let request = Request::get(format!("/{name}")).body(Body::empty()).unwrap();
        assert_eq!(router.clone().oneshot(request).await.unwrap().status(), 200, "{name}");
    }
}

#[tokio::test]
async fn files_come_packed_as_the_browser_asks() {
    let mut app = TestApp::start().await;
    for (path, plain, what) in [(site::CSS, "body{}", "css"), ("/favicon.svg", site::ICON, "icon")] {
        for (accepted, encoding) in [
            ("gzip, deflate, br, zstd", Some("br")),
            ("gzip, deflate", Some("gzip")),
            ("br;q=0, gzip", Some("gzip")),
            ("br;q=0", None),
            ("zstd", None),
            ("identity", None),
        ] {
            let file = app.send(asked(path, "accept-encoding", accepted)).await;
            let text = encoding.map_or_else(|| plain.to_owned(), |encoding| format!("{what} as {encoding}"));
            assert_eq!((file.status, file.header_of("content-encoding")), (200, encoding), "{path}, {accepted}");
            assert_eq!((file.text, file.headers["vary"].to_str().unwrap()), (text, "accept-encoding"));
        }
    }
}

#[tokio::test]
async fn a_file_that_the_browser_has_is_not_sent_again() {
    let mut app = TestApp::start().await;
    for (path, how_long) in
        [(site::CSS, FOREVER), ("/favicon.svg", A_DAY), ("/robots.txt", A_DAY), ("/illustrations/default.svg", A_DAY)]
    {
        let changed = app.get(path).await.header_of("last-modified").unwrap().to_owned();
        let again = app.send(asked(path, "if-modified-since", &changed)).await;
        assert_eq!((again.status, again.text.as_str()), (304, ""), "{path}");
        assert_eq!(again.header_of("cache-control"), Some(how_long), "{path}");
        let older = app.send(asked(path, "if-modified-since", "Sat, 01 Jan 2000 00:00:00 GMT")).await;
        assert_eq!(older.status, 200, "{path}");
    }
}

#[tokio::test]
async fn heads_and_parts_of_a_file_do_no_harm() {
    let mut app = TestApp::start().await;
    let head = app.send(Request::head(site::CSS).body(Body::empty()).unwrap()).await;
    assert_eq!((head.status, head.header_of("content-length"), head.text.as_str()), (200, Some("6"), ""));
    let part = app.send(asked(site::CSS, "range", "bytes=0-3")).await;
    assert_eq!((part.status, part.header_of("content-range")), (206, Some("bytes 0-3/6")));
    assert_eq!(part.text, "body");
    for range in ["bytes=9-", "bytes=0-1,3-4", "bytes=-"] {
        let none = app.send(asked(site::CSS, "range", range)).await;
        assert_eq!((none.status, none.header_of("cache-control")), (416, Some("no-store")), "{range}");
    }
    let page = app.send(asked("/?token=x", "range", "bytes=0-3")).await;
    assert_eq!((page.status, page.header_of("content-range")), (200, None), "pages come whole");
}

fn asked(path: &str, header: &str, value: &str) -> Request<Body> {
    Request::get(path).header(header, value).body(Body::empty()).unwrap()
}

/// Browsers must not cache the 404 of a replica that still runs the version before.
#[tokio::test]
async fn files_that_are_not_there_are_not_kept() {
    let mut app = TestApp::linked(json!({})).await;
    let long =
        ["/pkg", "/islands", "/fonts", "/illustrations"].map(|folder| format!("{folder}/{}.js", "a".repeat(300)));
    for path in long.iter().map(String::as_str).chain([
        "/pkg/vincula.000000.css",
        "/pkg/vincula.abc123.css.br",
        "/pkg/vincula.abc123%2ecss",
        "/pkg/.",
        "/pkg/./vincula.abc123.css",
        "/pkg//vincula.abc123.css",
        "/fonts/.",
        "/islands/%2e",
        "/islands/%00",
        "/illustrations",
        "/pkg/",
        "/pkg/%2e%2e/%2e%2e/Cargo.toml",
        "/pkg/..%2f..%2fhash.txt",
        "/islands/gone.js",
        "/islands/../hash.txt",
        "/illustrations/gone.svg",
        "/fonts/gone.woff2",
        "/apple-touch-icon.png",
    ]) {
        let file = app.get(path).await;
        assert_eq!((file.status, file.header_of("cache-control")), (404, Some("no-store")), "{path}: {file:?}");
        assert_eq!(file.header_of("set-cookie"), None, "{path}");
    }
}

#[tokio::test]
async fn health_is_told_to_anybody_and_not_kept() {
    let mut app = TestApp::start().await;
    app.upstream.close().await;
    for path in ["/healthz", "/readyz"] {
        let answer = app.get(path).await;
        assert_eq!((answer.status, answer.text.as_str()), (200, "ok"), "{path}");
        assert_eq!(answer.header_of("cache-control"), Some("no-store"), "{path}");
    }
}

/// With a real widget API nothing of the sandbox can be reached.
#[tokio::test]
async fn the_sandbox_is_not_there_with_a_real_widget_api() {
    let mut app = TestApp::linked(json!({})).await;
    for path in ["/sandbox", "/sandbox/connect", "/sandbox/connect.js", "/sandbox/zoid.js", "/widget-api/list-banks"] {
        let answer = app.get(path).await;
        assert_eq!((answer.status, answer.page()), (404, Some("not-found")), "{path}");
    }
    let request =
        same_origin(axum::http::Method::POST, "/sandbox/connect/items").header("content-type", "application/json");
    let answer = app.send(request.body(Body::from("{}")).unwrap()).await;
    assert!(matches!(answer.status, 404 | 405), "{answer:?}");
}

/// Without one, the server has the sandbox's pages, with the same policy.
#[tokio::test]
async fn the_sandbox_is_there_without_a_widget_api() {
    let sandbox = Sandbox::start(SandboxOptions::default()).await.unwrap();
    let config = crate::config::Config::try_parse_from(["vincula"]).unwrap().check().unwrap();
    let site = site::site();
    let state = AppState::new(&config, &site, Some(&sandbox)).unwrap();
    let codec = state.codec.clone();
    let upstream = super::scripted::Scripted::start().await;
    let mut app = TestApp {
        router: router(state.clone(), &site, Some(&sandbox)),
        codec,
        upstream,
        state,
        cookie: None,
        network: None,
    };
    for path in ["/sandbox", "/sandbox/connect.js", "/sandbox/connect.css", "/sandbox/zoid.js"] {
        let answer = app.send(Request::get(path).body(Body::empty()).unwrap()).await;
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
        assert_eq!(answer.header_of("x-content-type-options"), Some("nosniff"), "{path}");
    }
    let answer = app.validate("?token=demo-novo").await;
    assert_eq!((answer.status, answer.json()), (200, json!({ "to": "/integration/widget?validado=1" })), "{answer:?}");
    app.done("accept_consent", json!({})).await;
    app.done("save_bank_form", super::bank_form()).await;
    let page = app.get("/integration/widget").await;
    assert_eq!(page.page(), Some("connect"));
    assert!(page.header_of("content-security-policy").unwrap().ends_with("; frame-src 'self'"));
    assert_eq!(app.done("open_connect", json!({})).await["url"], "/sandbox/connect");
    assert_eq!(app.upstream.lines(), [""; 0]);
}
