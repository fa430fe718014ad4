//! What is around the rendered documents: policy and other headers, and the files that they name.

use serde_json::json;

use super::{LINK, TestApp, screens::screens, site};

#[tokio::test]
async fn the_policy_of_each_page_lets_only_its_own_scripts_run() {
    let mut nonces = Vec::new();
    for screen in screens(&json!({})).await {
        let (policy, what) = (screen.policy(), format!("{} as {:?}", screen.path, screen.start));
        let nonce = screen.nonce();
        assert!(nonce.len() >= 16, "{what}: {policy}");
        for part in [
            "default-src 'none'; ".to_owned(),
            format!("script-src 'self' 'nonce-{nonce}' 'wasm-unsafe-eval'; "),
            format!("style-src 'self' 'nonce-{nonce}'; "),
            "connect-src 'self'; ".to_owned(),
            "form-action 'self'; ".to_owned(),
            "base-uri 'none'; ".to_owned(),
            "object-src 'none'; ".to_owned(),
            "frame-ancestors 'none'".to_owned(),
        ] {
            assert!(policy.contains(&part), "{part} at {what}: {policy}");
        }
        assert!(!policy.contains("unsafe-inline") && !policy.contains("'unsafe-eval'"), "{what}: {policy}");
        for script in screen.tags("script") {
            let runs = !script.contains("application/json");
            assert!(!runs || script.contains(&format!("nonce=\"{nonce}\"")), "{script} at {what}");
        }
        for style in screen.tags("style") {
            assert!(style.contains(&format!("nonce=\"{nonce}\"")), "{style} at {what}");
        }
        for forbidden in [" onclick=", " onload=", " onsubmit=", " style=\"", "javascript:"] {
            assert!(!screen.page.text.contains(forbidden), "{forbidden} at {what}");
        }
        nonces.push(nonce.to_owned());
    }
    let count = nonces.len();
    nonces.sort_unstable();
    nonces.dedup();
    assert_eq!(nonces.len(), count, "a nonce is used once");
}

/// Only the pages that host Connect allow its frame, and scripts that write HTML.
#[tokio::test]
async fn only_the_pages_of_connect_may_frame_it() {
    for screen in screens(&json!({})).await {
        let (policy, what) = (screen.policy(), format!("{} as {:?}", screen.path, screen.start));
        if screen.name == "connect" {
            assert!(policy.contains("; frame-src https://connect.pluggy.ai"), "{what}: {policy}");
            assert!(!policy.contains("trusted-types"), "{what}: {policy}");
        } else {
            assert!(!policy.contains("frame-src") && !policy.contains("pluggy"), "{what}: {policy}");
            assert!(policy.contains("require-trusted-types-for 'script'; trusted-types 'none'"), "{what}: {policy}");
        }
    }
}

#[tokio::test]
async fn every_document_has_the_security_headers() {
    for screen in screens(&json!({})).await {
        let what = format!("{} as {:?}", screen.path, screen.start);
        let referrer = if screen.name == "entry" { "no-referrer" } else { "same-origin" };
        for (name, value) in [
            ("cache-control", "no-store"),
            ("referrer-policy", referrer),
            ("x-content-type-options", "nosniff"),
            ("x-frame-options", "DENY"),
            ("cross-origin-resource-policy", "same-origin"),
            (
                "cross-origin-opener-policy",
                if screen.name == "connect" { "same-origin-allow-popups" } else { "same-origin" },
            ),
        ] {
            assert_eq!(screen.page.header_of(name), Some(value), "{name} at {what}");
        }
        let transport = screen.page.header_of("strict-transport-security").unwrap();
        assert_eq!(transport, "max-age=63072000", "{what}: other hosts of the domain are not ours to decide about");
        assert!(screen.page.header_of("permissions-policy").unwrap().contains("camera=()"), "{what}");
        assert_eq!(screen.page.header_of("x-request-id").map(str::len), Some(12), "{what}");
        assert_eq!(screen.page.header_of("server"), None, "{what}");
    }
}

#[tokio::test]
async fn frame_ancestors_are_a_setting_of_every_document() {
    let app = TestApp::start().await;
    let mut app = TestApp::with_upstream(app.upstream, &["--frame-ancestors", "'self' https://portal.example.com"]);
    for path in [LINK, "/error/token-expired", "/healthz"] {
        let answer = app.get(path).await;
        let policy = answer.header_of("content-security-policy").unwrap();
        assert!(policy.contains("frame-ancestors 'self' https://portal.example.com"), "{path}: {policy}");
        assert_eq!(answer.header_of("x-frame-options"), None, "{path}");
    }
}

#[tokio::test]
async fn every_document_loads_the_built_files_by_their_hashed_names() {
    for screen in screens(&json!({})).await {
        assert!(screen.page.text.contains(&format!("href=\"{}\"", site::CSS)), "{}", screen.path);
        assert!(!screen.page.text.contains("/pkg/vincula.css"), "{}", screen.path);
        let loads = |kind: &str, file: &str| {
            let href = format!("href=\"{file}\"");
            screen.tags("link").iter().any(|link| link.contains(kind) && link.contains(&href))
        };
        let hydrates = |file: &str| screen.tags("body").iter().any(|body| body.contains(&format!("=\"{file}\"")));
        let leptos = matches!(screen.name, "accounts" | "cancel-confirm" | "success");
        let bridge = matches!(screen.name, "consent" | "bank-form" | "connect");
        for (js, wasm, loaded) in [
            ("/pkg/vincula.def456.js", "/pkg/vincula.789abc.wasm", leptos),
            (site::BRIDGE_JS, "/islands/bridge-H4SH.wasm", bridge),
        ] {
            assert_eq!((hydrates(js), hydrates(wasm)), (loaded, loaded), "{}", screen.path);
            assert_eq!((loads("modulepreload", js), loads("\"fetch\"", wasm)), (loaded, loaded), "{}", screen.path);
        }
        let react = matches!(screen.name, "consent" | "bank-form");
        assert_eq!(loads("modulepreload", "/islands/chunk-REACT.js"), react, "{}", screen.path);
        let connect = screen.name == "connect";
        assert_eq!(loads("modulepreload", "/islands/pluggy-H4SH.js"), connect, "{}", screen.path);
        assert_eq!(loads("\"font\"", "/fonts/inter-pt.woff2"), screen.name != "entry", "{}", screen.path);
    }
}

/// A page prefetches the files that the next step loads, by the same names.
#[tokio::test]
async fn each_step_names_the_files_of_the_next() {
    let leptos = "/pkg/vincula.def456.js /pkg/vincula.789abc.wasm";
    let form = "/islands/bridge-H4SH.js /islands/bridge-H4SH.wasm /islands/bank-form-H4SH.js /islands/chunk-REACT.js";
    for screen in screens(&json!({})).await {
        let next = match screen.name {
            "consent" | "connect" => Some(leptos),
            "accounts" => Some(form),
            "bank-form" => Some("/islands/connect-H4SH.js /islands/pluggy-H4SH.js"),
            _ => None,
        };
        let named = screen.page.text.split_once("data-next=\"").map(|(_, rest)| rest.split('"').next().unwrap());
        assert_eq!(named, next, "{}", screen.path);
        let connection = match screen.name {
            "connect" => Some("preconnect"),
            "bank-form" => Some("dns-prefetch"),
            _ => None,
        };
        let links = screen.tags("link");
        let to_connect: Vec<_> = links.iter().filter(|link| link.contains("https://connect.pluggy.ai")).collect();
        assert_eq!(to_connect.len(), connection.iter().count(), "{}: {to_connect:?}", screen.path);
        assert!(to_connect.iter().all(|link| link.contains(connection.unwrap())), "{to_connect:?}");
        let speculates = screen.page.text.contains("speculationrules");
        assert_eq!(speculates, screen.name == "accounts", "{}", screen.path);
    }
}
