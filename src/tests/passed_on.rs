//! What an action passes on: to the upstream, and back to the browser.

use axum::{
    body::Body,
    http::{Method, header::CONTENT_TYPE},
};
use serde_json::json;

use super::{TOKEN_MARK, TestApp, requests::ready, same_origin};

/// The upstream gets only those headers that the calls need.
#[tokio::test]
async fn headers_of_the_browser_stay_here() {
    let mut app = ready().await;
    let request = same_origin(Method::POST, "/api/list_banks")
        .header(CONTENT_TYPE, "application/json")
        .header("authorization", "Bearer of-the-attacker")
        .header("x-xsrf-token", "of-the-attacker")
        .header("x-forwarded-for", "203.0.113.7")
        .header("x-request-id", "of-the-attacker")
        .header("traceparent", "of-the-attacker")
        .header("tracestate", "of-the-attacker")
        .header("user-agent", "of-the-attacker");
    let body = json!({ "input": { "session": app.snapshot().id } }).to_string();
    let answer = app.send(request.body(Body::from(body)).unwrap()).await;
    assert_ne!(answer.header_of("x-request-id"), Some("of-the-attacker"), "an id from outside is not trusted");
    let call = app.upstream.only("GET /list-banks");
    let mut names: Vec<_> = call.headers.keys().map(String::as_str).collect();
    names.sort_unstable();
    assert_eq!(names, ["accept", "authorization", "host", "traceparent", "user-agent", "x-request-id"]);
    assert_eq!(call.header("x-request-id"), answer.header_of("x-request-id"), "the support code is there, too");
    assert!(!call.everything().contains("of-the-attacker") && call.everything().contains(TOKEN_MARK), "{call:?}");
}

/// The browser gets only those headers that the actions need.
#[tokio::test]
async fn headers_of_the_upstream_stay_there() {
    let mut app = ready().await;
    let loud = super::scripted::Act::data(&json!([]))
        .with("set-cookie: laravel_session=secret")
        .with("location: https://elsewhere.example")
        .with("x-powered-by: PHP/5.3")
        .with("server: nginx")
        .with("access-control-allow-origin: *")
        .with("refresh: 0;url=https://elsewhere.example");
    app.upstream.on("list-banks", loud);
    let answer = app.act("list_banks", json!({})).await;
    assert_eq!(answer.status, 200);
    for name in ["set-cookie", "location", "x-powered-by", "server", "access-control-allow-origin", "refresh"] {
        assert_eq!(answer.header_of(name), None, "{name}");
    }
}

/// A path or host in session data or typed text does not change the target of a call.
#[tokio::test]
async fn what_is_typed_cannot_change_the_call() {
    let mut app = TestApp::entered(json!({
        "customer_id": "../validate-token?x=1#y", "link_id": "//evil.example/", "client_uuid": "a\r\nx: y",
    }))
    .await;
    app.upstream.forget();
    app.done("accept_consent", json!({})).await;
    app.done("save_bank_form", json!({ "bank": "../../x?y", "name": "a/../b", "cpf": "11144477735" })).await;
    app.done("open_connect", json!({})).await;
    app.done("cancel_integrations", json!({})).await;
    for line in app.upstream.lines() {
        let known = ["POST /authorize-customer", "POST /connect-token", "POST /log", "POST /cancel-integrations"];
        assert!(known.contains(&line.as_str()), "{line}");
    }
}

/// Responses of actions are JSON that nobody may cache, sniff, or read from another site.
#[tokio::test]
async fn answers_of_actions_are_private_json() {
    let mut app = ready().await;
    for (action, input) in
        [("list_accounts", json!({})), ("save_bank_form", json!({ "bank": "", "name": "", "cpf": "" }))]
    {
        let answer = app.act(action, input).await;
        for (name, value) in [
            ("content-type", "application/json"),
            ("cache-control", "no-store"),
            ("x-content-type-options", "nosniff"),
            ("cross-origin-resource-policy", "same-origin"),
            (
                "content-security-policy",
                "default-src 'none'; style-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            ),
        ] {
            assert_eq!(answer.header_of(name), Some(value), "{action}: {name}");
        }
        assert_eq!(answer.header_of("access-control-allow-origin"), None);
    }
}
