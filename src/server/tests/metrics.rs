//! Observability: metrics without personal data, readiness, and the trace.

use std::collections::HashSet;

use axum::{body::Body, http::Request};
use strum::IntoEnumIterator;
use wiremock::{Mock, MockServer, ResponseTemplate, matchers::any};

use super::{privacy::text, *};
use crate::{http::admin, telemetry::Cause};

/// The value of one line, by its name and labels.
pub fn value(text: &str, line: &str) -> Option<f64> {
    text.lines()
        .find_map(|found| found.strip_prefix(line)?.strip_prefix(' ')?.parse().ok())
}

pub async fn scraped(server: &TestServer) -> String {
    let router = admin::router(server.state.metrics.clone(), server.state.draining.clone());
    let request = Request::get("/metrics").body(Body::empty()).unwrap();
    let seen = Seen::of(router.oneshot(request).await.unwrap()).await;
    assert_eq!(seen.status, 200);
    assert!(
        seen.headers["content-type"]
            .to_str()
            .unwrap()
            .starts_with("application/openmetrics-text; version=1.0.0")
    );
    seen.body
}

/// Bad links must raise no alert, with JavaScript or without. A broken widget API must.
#[tokio::test]
async fn counts_cause_of_failure_independently_of_status() {
    for (token, cause) in [
        ("demo-inexistente.causes", "refused"),
        ("demo-malformado.causes", "failed"),
        ("demo-sem-resposta.causes", "failed"),
        ("a%00b", "client"),
    ] {
        let server = TestServer::on_the_sandbox().await;
        let mut visitor = server.visitor();
        visitor
            .act(
                "validate_token",
                json!({ "query": format!("?token={token}") }),
            )
            .await;
        let form = visitor
            .request("POST", &format!("/?token={token}"))
            .body(Body::empty())
            .unwrap();
        visitor.send(form).await;
        let text = scraped(&server).await;
        let causes: HashSet<_> = text
            .lines()
            .filter(|line| line.starts_with("vincula_requests_total{"))
            .filter_map(|line| line.split_once("cause=\"")?.1.split('"').next())
            .collect();
        assert_eq!(causes, HashSet::from([cause]), "{token}: {text}");
    }
}

/// The labels come from closed lists: a scanner's paths and methods make no new ones.
#[tokio::test]
async fn user_input_creates_no_metric_labels() {
    let server = TestServer::on_the_sandbox().await;
    let mut scanner = server.visitor();
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
        let strange = scanner
            .request("PROPFIND", path)
            .body(Body::empty())
            .unwrap();
        scanner.send(strange).await;
    }
    let text = scraped(&server).await;
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
    let causes: HashSet<_> = text
        .lines()
        .filter_map(|line| line.split_once("cause=\"")?.1.split('"').next())
        .collect();
    assert!(
        causes.is_subset(&Cause::iter().map(<&str>::from).collect()),
        "{causes:?}"
    );
    assert!(!text.contains("PROPFIND"));
}

#[tokio::test]
async fn stopping_process_is_alive_but_not_ready() {
    let server = TestServer::on_the_sandbox().await;
    let own = admin::router(server.state.metrics.clone(), server.state.draining.clone());
    let ask = async |router: &Router, path: &str| {
        let request = Request::get(path).body(Body::empty()).unwrap();
        Seen::of(router.clone().oneshot(request).await.unwrap()).await
    };
    for (drained, status, body) in [(false, 200, "ok"), (true, 503, "draining")] {
        if drained {
            server.state.draining.cancel();
        }
        for router in [&server.router, &own] {
            let ready = ask(router, "/readyz").await;
            assert_eq!((ready.status, ready.body.as_str()), (status, body));
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
async fn every_call_carries_trace_and_support_code() {
    const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
    let upstream = MockServer::start().await;
    let data =
        json!({ "customer_id": 1, "widget_type": "update", "client_name": "A", "link_id": "b" });
    let answer = json!({ "data": data, "meta": { "status": 200 } });
    Mock::given(any())
        .respond_with(ResponseTemplate::new(200).set_body_json(answer))
        .mount(&upstream)
        .await;
    let server = TestServer::on(&upstream.uri());
    let mut visitor = server.entered("t").await;
    for action in ["accept_consent", "list_accounts", "finish_connect"] {
        let input = json!({ "input": { "session": visitor.session, "text": text(), "itemId": "0c9d7a54-3f0e-4a8b-8d6f-6f1c2b3a4d05" } });
        let before = upstream.received_requests().await.unwrap().len();
        let request = visitor.request("POST", &format!("/api/{action}"));
        let request = request.header("traceparent", format!("00-{TRACE}-00f067aa0ba902b7-01"));
        let seen = visitor
            .send(request.body(input.to_string().into()).unwrap())
            .await;
        let code = seen.headers["x-request-id"].to_str().unwrap().to_owned();
        let mut calls = upstream
            .received_requests()
            .await
            .unwrap()
            .split_off(before);
        while action == "finish_connect" && calls.len() < 2 {
            tokio::task::yield_now().await;
            calls = upstream
                .received_requests()
                .await
                .unwrap()
                .split_off(before);
        }
        assert!(!calls.is_empty(), "{action}: {}", seen.body);
        for call in calls {
            let passed_on = call.headers["traceparent"].to_str().unwrap().to_owned();
            assert!(
                passed_on.starts_with(&format!("00-{TRACE}-")) && passed_on.ends_with("-01"),
                "{passed_on}"
            );
            assert_eq!(
                call.headers["x-request-id"].to_str().unwrap(),
                code,
                "{action}: {}",
                call.url.path()
            );
        }
    }
}
