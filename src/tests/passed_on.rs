//! Headers that an action forwards to the upstream and to the browser.

use axum::http::HeaderName;
use serde_json::json;

use super::{Act, JSON, OWN, TOKEN_MARK, requests::ready};

/// The upstream gets only those headers that the calls need.
#[tokio::test]
async fn browser_headers_are_not_forwarded_to_upstream() {
    let mut app = ready().await;
    let theirs = [
        "authorization",
        "x-xsrf-token",
        "x-request-id",
        "traceparent",
        "tracestate",
        "user-agent",
    ];
    let headers = [
        &[OWN, JSON, ("x-forwarded-for", "203.0.113.7")],
        &theirs.map(|name| (name, "of-the-attacker"))[..],
    ];
    let body = json!({ "input": { "session": app.snapshot().id } }).to_string();
    let answer = app
        .ask("POST", "/api/list_banks", &headers.concat(), body)
        .await;
    assert_ne!(
        answer.header_of("x-request-id"),
        Some("of-the-attacker"),
        "an id from outside is not trusted"
    );
    let call = app.upstream.only("GET /list-banks");
    let mut names: Vec<_> = call.headers.keys().map(HeaderName::as_str).collect();
    names.sort_unstable();
    assert_eq!(
        names,
        [
            "accept",
            "authorization",
            "host",
            "user-agent",
            "x-request-id"
        ]
    );
    assert_eq!(
        call.header("x-request-id"),
        answer.header_of("x-request-id"),
        "it has the support code"
    );
    assert!(
        !call.text().contains("of-the-attacker") && call.text().contains(TOKEN_MARK),
        "{call:?}"
    );
}

/// The browser gets only those headers that the actions need.
#[tokio::test]
async fn upstream_headers_are_not_forwarded_to_browser() {
    let mut app = ready().await;
    let loud = Act::data(&json!([]))
        .with("set-cookie", "laravel_session=secret")
        .with("location", "https://elsewhere.example")
        .with("x-powered-by", "PHP/5.3")
        .with("server", "nginx")
        .with("access-control-allow-origin", "*")
        .with("refresh", "0;url=https://elsewhere.example");
    app.upstream.on("list-banks", loud);
    let answer = app.act("list_banks", json!({})).await;
    assert_eq!(answer.status, 200);
    for name in [
        "set-cookie",
        "location",
        "x-powered-by",
        "server",
        "access-control-allow-origin",
        "refresh",
    ] {
        assert_eq!(answer.header_of(name), None, "{name}");
    }
}
