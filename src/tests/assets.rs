//! Files, health, and the sandbox's routes, which do not exist with a real widget API.

use std::{fs, path::PathBuf};

use axum::{body::Body, http::Request};
use data_encoding::HEXLOWER;
use ring::digest::{SHA256, digest};
use serde_json::json;
use tower::ServiceExt;

use super::{JSON, OWN, TestApp, bank_form, site};
use crate::{
    config::{BankCodes, SiteFiles},
    server::assets,
};

const FOREVER: &str = "public, max-age=31536000, immutable";
const A_DAY: &str = "public, max-age=86400";

#[tokio::test]
async fn caches_hashed_files_forever_and_others_for_a_day() {
    let mut app = TestApp::start().await;
    for (path, how_long, kind) in [
        (site::CSS, FOREVER, "text/css"),
        ("/pkg/vincula.def456.js", FOREVER, "text/javascript"),
        ("/pkg/vincula.789abc.wasm", FOREVER, "application/wasm"),
        (site::CONSENT_JS, FOREVER, "text/javascript"),
        ("/fonts/inter-pt.57e26714.woff2", FOREVER, "font/woff2"),
        ("/favicon.svg", A_DAY, "image/svg+xml"),
        ("/robots.txt", A_DAY, "text/plain"),
        ("/illustrations/default.svg", A_DAY, "image/svg+xml"),
    ] {
        let file = app.get(path).await;
        assert_eq!(
            (file.status, file.header_of("cache-control")),
            (200, Some(how_long)),
            "{path}"
        );
        assert!(
            file.header_of("content-type").unwrap().starts_with(kind),
            "{path}: {file:?}"
        );
        assert_eq!(file.header_of("set-cookie"), None, "{path}");
        let changed = file.header_of("last-modified").unwrap();
        let again = app
            .ask("GET", path, &[("if-modified-since", changed)], "")
            .await;
        assert_eq!((again.status, again.text.as_str()), (304, ""), "{path}");
        assert_eq!(again.header_of("cache-control"), Some(how_long), "{path}");
    }
}

/// Browsers cache fonts forever, so a changed font needs a new name.
#[test]
fn font_names_contain_hash_of_content() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("public/fonts");
    let mut fonts = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "woff2") {
            let hash = digest(&SHA256, &fs::read(&path).unwrap());
            let digits = &HEXLOWER.encode(hash.as_ref())[..8];
            let name = path.file_name().unwrap().to_str().unwrap();
            assert!(
                name.ends_with(&format!(".{digits}.woff2")),
                "{name}: {digits}"
            );
            fonts += 1;
        }
    }
    assert_eq!(fonts, 1);
}

#[tokio::test]
async fn serves_every_public_file() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("public");
    let site = SiteFiles {
        hash_file: root.join("hash.txt"),
        react: root.clone(),
        root: root.clone(),
        reload_port: None,
    };
    let router = assets::router::<()>(&site);
    let files = fs::read_dir(root)
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().is_file());
    let names: Vec<_> = files
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    assert!(names.iter().any(|name| name == "favicon.svg"), "{names:?}");
    for name in names {
        let request = Request::get(format!("/{name}"))
            .body(Body::empty())
            .unwrap();
        assert_eq!(
            router.clone().oneshot(request).await.unwrap().status(),
            200,
            "{name}"
        );
    }
}

#[tokio::test]
async fn serves_compressed_files_by_accept_encoding() {
    let mut app = TestApp::start().await;
    for (path, plain, what) in [
        (site::CSS, "body{}", "css"),
        ("/favicon.svg", site::ICON, "icon"),
    ] {
        for (accepted, encoding) in [
            ("gzip, deflate, br, zstd", Some("br")),
            ("gzip", Some("gzip")),
            ("zstd", None),
        ] {
            let file = app
                .ask("GET", path, &[("accept-encoding", accepted)], "")
                .await;
            let text = encoding.map_or_else(
                || plain.to_owned(),
                |encoding| format!("{what} as {encoding}"),
            );
            assert_eq!(
                (file.status, file.header_of("content-encoding")),
                (200, encoding),
                "{path}, {accepted}"
            );
            assert_eq!(
                (file.text, file.headers["vary"].to_str().unwrap()),
                (text, "accept-encoding")
            );
        }
    }
}

/// Browsers must not cache the 404 of a replica that still runs the previous version. No path can
/// leave the folders.
#[tokio::test]
async fn missing_files_are_404_and_not_cached() {
    let mut app = TestApp::linked(json!({})).await;
    let long = format!("/pkg/{}.js", "a".repeat(300));
    for path in [
        &long,
        "/pkg/vincula.000000.css",
        "/pkg/vincula.def456.js%00.png",
        "/pkg/",
        "/pkg/../hash.txt",
        "/pkg/%2e%2e/%2e%2e/Cargo.toml",
        "/pkg/..%2f..%2fhash.txt",
        "/fonts/gone.woff2",
        "/islands/..%5c..%5chash.txt",
        "/islands/%252e%252e%252fhash.txt",
        "/illustrations/../../../../../../etc/passwd",
        "/illustrations/%2fetc%2fpasswd",
        "/theme/..%2f..%2fhash.txt",
    ] {
        let file = app.get(path).await;
        assert_eq!(
            (file.status, file.header_of("cache-control")),
            (404, Some("no-store")),
            "{path}: {file:?}"
        );
        assert_eq!(file.header_of("set-cookie"), None, "{path}");
    }
    let range = app
        .ask("GET", site::CSS, &[("range", "bytes=9-")], "")
        .await;
    assert_eq!(
        (range.status, range.header_of("cache-control")),
        (416, Some("no-store"))
    );
}

/// With a real widget API, the sandbox has no routes. Without one, the server has its pages, with
/// the same policy.
#[tokio::test]
async fn serves_sandbox_only_without_widget_api() {
    let pages = [
        "/sandbox",
        "/sandbox/connect",
        "/sandbox/connect.js",
        "/sandbox/connect.css",
        "/sandbox/zoid.js",
    ];
    let mut app = TestApp::linked(json!({})).await;
    for path in pages.into_iter().chain(["/widget-api/list-banks"]) {
        let answer = app.get(path).await;
        assert_eq!(
            (answer.status, answer.page()),
            (404, Some("not-found")),
            "{path}"
        );
    }
    assert_eq!(
        app.ask("POST", "/sandbox/connect/items", &[OWN, JSON], "{}")
            .await
            .status,
        405
    );
    assert_eq!(app.state.connect.bank_codes, BankCodes::Compe);

    let mut app = TestApp::on_sandbox().await;
    assert_eq!(app.state.connect.bank_codes, BankCodes::Connector);
    for path in pages.into_iter().filter(|path| *path != "/sandbox/connect") {
        let answer = app.get(path).await;
        assert_eq!(
            (answer.status, answer.header_of("x-content-type-options")),
            (200, Some("nosniff")),
            "{path}"
        );
    }
    let answer = app.validate("?token=demo-novo").await;
    assert_eq!(
        (answer.status, answer.to()),
        (200, "/integration/widget".to_owned()),
        "{answer:?}"
    );
    app.consent().await;
    app.done("save_bank_form", bank_form()).await;
    let page = app.get("/integration/widget").await;
    assert_eq!(page.page(), Some("connect"));
    assert!(
        page.header_of("content-security-policy")
            .unwrap()
            .ends_with("; frame-src 'self'")
    );
    assert_eq!(
        app.done("open_connect", json!({})).await["url"],
        "/sandbox/connect"
    );
}
