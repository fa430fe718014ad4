//! Observability: metrics without personal data, readiness, and support codes.

use std::collections::HashSet;

use axum::{
    Router,
    body::Body,
    http::{Request, header::HOST},
};
use serde_json::json;
use tower::ServiceExt;

use crate::{
    http::admin,
    tests::{HOST_NAME, ITEM, JSON, OWN, TestApp, answer::Answer, update},
};

/// The value of one line, by its name and labels.
pub fn value(text: &str, line: &str) -> Option<f64> {
    text.lines()
        .find_map(|found| found.strip_prefix(line)?.strip_prefix(' ')?.parse().ok())
}

/// The metrics as they are scraped.
pub async fn scraped<A>(server: &TestApp<A>) -> String {
    let router = admin::router(server.state.metrics.clone(), server.state.draining.clone());
    let request = Request::get("/metrics").body(Body::empty()).unwrap();
    let seen = Answer::of(router.oneshot(request).await.unwrap()).await;
    assert_eq!(seen.status, 200);
    assert!(
        seen.headers["content-type"]
            .to_str()
            .unwrap()
            .starts_with("application/openmetrics-text; version=1.0.0")
    );
    seen.text
}

/// Bad links must raise no alert. A broken widget API must: its calls have other outcomes.
#[tokio::test]
async fn outcomes_of_calls_tell_a_bad_link_from_a_broken_api() {
    for (token, outcome) in [
        ("demo-inexistente.outcome", "token_not_found"),
        ("demo-malformado.outcome", "unexpected_response"),
        ("demo-sem-resposta.outcome", "connection_reset"),
    ] {
        let mut app = TestApp::on_sandbox().await;
        app.validate(&format!("?token={token}")).await;
        app.post_form(&format!("/?token={token}"), "").await;
        let text = scraped(&app).await;
        let line = format!(
            "vincula_upstream_calls_total{{endpoint=\"validate-token\",outcome=\"{outcome}\"}}"
        );
        assert_eq!(value(&text, &line), Some(2.0), "{token}: {text}");
    }
}

/// The labels come from closed lists: a scanner's paths and methods make no new ones.
#[tokio::test]
async fn user_input_creates_no_metric_labels() {
    let mut scanner = TestApp::on_sandbox().await;
    for path in [
        "/a",
        "/b/529.982.247-25",
        "/error/x",
        "/error/y",
        "/integration/accounts/",
        "/pkg/a.js",
        "/pkg/b.js",
        "/islands/c.js",
        "/sandbox/d",
    ] {
        scanner.get(path).await;
        scanner
            .act(&format!("made_up_{}", path.len()), json!({}))
            .await;
        scanner.ask("PROPFIND", path, &[OWN, JSON], "").await;
    }
    let text = scraped(&scanner).await;
    let label = |line: &str| {
        line.split_once("route=\"")?
            .1
            .split('"')
            .next()
            .map(str::to_owned)
    };
    let requests = text
        .lines()
        .filter(|line| line.starts_with("vincula_requests_total"));
    let routes: HashSet<_> = requests.filter_map(label).collect();
    let expected = [
        "other",
        "/error",
        "/integration/accounts",
        "/pkg",
        "/islands",
        "/api/{action}",
    ]
    .map(str::to_owned);
    assert_eq!(routes, HashSet::from(expected));
    assert!(!text.contains("PROPFIND"));
}

#[tokio::test]
async fn stopping_process_is_alive_but_not_ready() {
    let server = TestApp::on_sandbox().await;
    let own = admin::router(server.state.metrics.clone(), server.state.draining.clone());
    let ask = async |router: &Router, path: &str| {
        let request = Request::get(path).header(HOST, HOST_NAME);
        let request = request.body(Body::empty()).unwrap();
        Answer::of(router.clone().oneshot(request).await.unwrap()).await
    };
    for (drained, status, body) in [(false, 200, "ok"), (true, 503, "draining")] {
        if drained {
            server.state.draining.cancel();
        }
        for router in [&server.router, &own] {
            let ready = ask(router, "/readyz").await;
            assert_eq!((ready.status, ready.text.as_str()), (status, body));
            assert_eq!(ask(router, "/healthz").await.status, 200);
        }
    }
    assert_eq!(
        ask(&server.router, "/metrics").await.status,
        404,
        "the public sees no metrics"
    );
}

/// Calls within a request, a detached call, and a log call in the background.
#[tokio::test]
async fn every_call_carries_the_support_code() {
    let mut app = TestApp::entered(update()).await;
    for (action, lines) in [
        ("accept_consent", &["POST /authorize-customer"][..]),
        ("list_accounts", &["GET /list-accounts"]),
        ("finish_connect", &["PUT /update-link-account", "POST /log"]),
    ] {
        app.upstream.forget();
        let input = json!({ "itemId": ITEM });
        let answer = app.act(action, input).await;
        let code = answer.header_of("x-request-id");
        app.upstream.received_all(lines).await;
        assert_eq!(app.upstream.lines(), lines, "{action}");
        for call in app.upstream.calls() {
            assert_eq!(call.header("x-request-id"), code, "{}", call.line);
        }
    }
}
