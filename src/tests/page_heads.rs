//! Headers of responses, and the files that documents reference.

use serde_json::json;

use super::{JSON, OWN, TestApp, screens::screens, site};

/// The headers of every response.
fn security_headers() -> [(&'static str, &'static str); 5] {
    [
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
        ("cross-origin-resource-policy", "same-origin"),
        // HSTS must not cover other hosts of the domain.
        ("strict-transport-security", "max-age=63072000"),
        (
            "permissions-policy",
            "accelerometer=(), autoplay=(), camera=(), display-capture=(), encrypted-media=(), geolocation=(), gyroscope=(), \
             magnetometer=(), microphone=(), midi=(), payment=(), publickey-credentials-get=(), usb=(), xr-spatial-tracking=()",
        ),
    ]
}

/// Only a page's own scripts run. The pages that host Connect allow its frame, and scripts that
/// write HTML.
#[tokio::test]
async fn every_document_has_policy_and_security_headers() {
    let mut nonces = Vec::new();
    for screen in screens(&json!({})).await {
        let (page, what) = (&screen.page, screen.what());
        let (nonce, hosts_connect) = (page.nonce(), matches!(screen.name, "connect" | "update"));
        assert!(nonce.len() >= 22, "{what}: {nonce}");
        let last = if hosts_connect {
            "frame-src https://connect.pluggy.ai"
        } else {
            "require-trusted-types-for 'script'; trusted-types 'none'"
        };
        let policy = format!(
            "default-src 'none'; script-src 'self' 'nonce-{nonce}' 'wasm-unsafe-eval'; style-src 'self' 'nonce-{nonce}'; \
             img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; \
             base-uri 'none'; object-src 'none'; frame-ancestors 'none'; {last}"
        );
        let referrer = if screen.name == "entry" {
            "strict-origin"
        } else {
            "same-origin"
        };
        let opener = if hosts_connect {
            "same-origin-allow-popups"
        } else {
            "same-origin"
        };
        for (name, value) in security_headers().into_iter().chain([
            ("content-security-policy", &*policy),
            ("cache-control", "no-store"),
            ("referrer-policy", referrer),
            ("cross-origin-opener-policy", opener),
        ]) {
            assert_eq!(page.header_of(name), Some(value), "{name} at {what}");
        }
        assert_eq!(
            (
                page.header_of("x-request-id").map(str::len),
                page.header_of("server")
            ),
            (Some(12), None),
            "{what}"
        );
        for tag in screen
            .tags("script")
            .into_iter()
            .chain(screen.tags("style"))
        {
            let runs = !tag.contains("application/json");
            assert!(
                !runs || tag.contains(&format!("nonce=\"{nonce}\"")),
                "{tag} at {what}"
            );
        }
        page.assert_lacks(&[
            " onclick=",
            " onload=",
            " onsubmit=",
            " style=\"",
            "javascript:",
            "<base",
            "<iframe",
            "<object",
        ]);
        nonces.push(nonce.to_owned());
    }
    let count = nonces.len();
    nonces.sort_unstable();
    nonces.dedup();
    assert_eq!(nonces.len(), count, "a nonce is used once");
}

#[tokio::test]
async fn other_responses_have_security_headers() {
    let mut app = TestApp::consented(json!({})).await;
    let forever = "public, max-age=31536000, immutable";
    let report = json!({ "input": { "island": "consent", "reason": "x" } }).to_string();
    for (method, path, headers, body, status, kept) in [
        ("GET", "/healthz", &[][..], "", 200, "no-store"),
        ("GET", "/readyz", &[], "", 200, "no-store"),
        ("GET", "/robots.txt", &[], "", 200, "public, max-age=86400"),
        ("GET", site::CSS, &[], "", 200, forever),
        ("HEAD", site::CSS, &[], "", 200, forever),
        ("GET", "/pkg/nothing.css", &[], "", 404, "no-store"),
        ("GET", "/", &[], "", 303, "no-store"),
        ("GET", "/api/list_accounts", &[], "", 405, "no-store"),
        (
            "DELETE",
            "/integration/accounts",
            &[OWN],
            "",
            405,
            "no-store",
        ),
        ("DELETE", site::CSS, &[], "", 405, "no-store"),
        ("POST", "/api/nothing", &[OWN, JSON], "{}", 404, "no-store"),
        (
            "POST",
            "/api/list_banks",
            &[OWN, JSON],
            "{}",
            400,
            "no-store",
        ),
        ("POST", "/api/list_banks", &[JSON], "{}", 403, "no-store"),
        ("POST", "/api/list_banks", &[OWN], "{}", 415, "no-store"),
        (
            "POST",
            "/api/report_island",
            &[OWN, JSON],
            &report,
            200,
            "no-store",
        ),
        ("POST", "/cancel/confirm", &[OWN], "", 303, "no-store"),
        ("POST", "/cancel/confirm", &[], "", 403, "no-store"),
    ] {
        let answer = app.ask(method, path, headers, body.to_owned()).await;
        let what = format!("{method} {path} with {headers:?}");
        assert_eq!(
            (answer.status, answer.header_of("cache-control")),
            (status, Some(kept)),
            "{what}"
        );
        for (name, value) in security_headers() {
            assert_eq!(answer.header_of(name), Some(value), "{name} of {what}");
        }
        let policy = answer.header_of("content-security-policy").unwrap();
        assert!(
            policy.starts_with("default-src 'none'; ") && policy.contains("frame-ancestors 'none'"),
            "{what}: {policy}"
        );
        assert_eq!(
            answer.header_of("x-request-id").map(str::len),
            Some(12),
            "{what}"
        );
        for name in ["server", "x-powered-by", "access-control-allow-origin"] {
            assert_eq!(answer.header_of(name), None, "{name} of {what}");
        }
    }
}

/// The page's module is a file and comes before Leptos' script. Scripts that must not wait for a
/// file are inline.
#[tokio::test]
async fn page_module_is_first_except_on_entry() {
    for screen in screens(&json!({})).await {
        let (page, what) = (&screen.page, screen.what());
        let is_entry = screen.name == "entry";
        let scripts = screen.tags("script");
        let modules: Vec<_> = scripts
            .iter()
            .filter(|tag| tag.contains("type=\"module\""))
            .collect();
        let src = format!("src=\"{}\"", site::PAGE_JS);
        let is_page: Vec<_> = modules.iter().map(|tag| tag.contains(&src)).collect();
        let has_islands = screen.has_islands();
        let expected: &[bool] = match (is_entry, has_islands) {
            (true, _) => &[],
            (false, false) => &[true],
            (false, true) => &[true, false],
        };
        assert_eq!(is_page, expected, "{what}: {modules:?}");
        let inline = ["entry();", "missing();"]
            .map(|source| page.text.contains(&format!(">{source}</script>")));
        assert_eq!(inline, [is_entry, has_islands], "{what}");
        page.assert_shows(&["try{CSSLayerBlockRule;"]);
    }
}

/// The hashed names of a screen's files and of those that the next step loads.
#[tokio::test]
async fn every_document_names_files_of_its_and_next_step() {
    const LEPTOS: [&str; 2] = ["/pkg/vincula.def456.js", "/pkg/vincula.789abc.wasm"];
    for screen in screens(&json!({})).await {
        let (page, what) = (&screen.page, screen.what());
        page.assert_shows(&[&format!("href=\"{}\"", site::CSS)]);
        page.assert_lacks(&["/pkg/vincula.css"]);
        let links = screen.tags("link");
        let loads = |kind: &str, file: &str| {
            links
                .iter()
                .any(|link| link.contains(kind) && link.contains(&format!("href=\"{file}\"")))
        };
        let has_islands = screen.has_islands();
        let hydrates = page
            .text
            .contains(r#"("", "pkg", "vincula.def456", "vincula.789abc", false)"#);
        assert_eq!(
            (hydrates, !screen.tags("leptos-island").is_empty()),
            (has_islands, has_islands),
            "{what}"
        );
        let [js, wasm] = LEPTOS;
        assert_eq!(
            (loads("modulepreload", js), loads("\"fetch\"", wasm)),
            (has_islands, has_islands),
            "{what}"
        );
        for (kind, file, loaded) in [
            (
                "modulepreload",
                "/islands/chunk-REACT.js",
                matches!(screen.name, "consent" | "bank-form"),
            ),
            (
                "modulepreload",
                "/islands/pluggy-H4SH.js",
                matches!(screen.name, "connect" | "update"),
            ),
            (
                "\"font\"",
                "/fonts/inter-pt.57e26714.woff2",
                screen.name != "entry",
            ),
        ] {
            assert_eq!(loads(kind, file), loaded, "{file} at {what}");
        }
        let (next, connection) = match screen.name {
            "connect" | "update" => (None, Some("preconnect")),
            "accounts" => (
                Some("/islands/bank-form-H4SH.js /islands/chunk-REACT.js"),
                None,
            ),
            "bank-form" => (
                Some("/islands/connect-H4SH.js /islands/pluggy-H4SH.js"),
                Some("dns-prefetch"),
            ),
            _ => (None, None),
        };
        let named = page
            .text
            .split_once("data-next=\"")
            .map(|(_, rest)| rest.split('"').next().unwrap());
        assert_eq!(named, next, "{what}");
        let to_connect: Vec<_> = links
            .iter()
            .filter(|link| link.contains("https://connect.pluggy.ai"))
            .collect();
        assert_eq!(
            to_connect.len(),
            connection.iter().count(),
            "{what}: {to_connect:?}"
        );
        assert!(
            to_connect
                .iter()
                .all(|link| link.contains(connection.unwrap())),
            "{to_connect:?}"
        );
    }
}
