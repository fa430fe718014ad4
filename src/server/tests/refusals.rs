//! Requests that the server rejects, and other clients, which that must not harm.

use axum::{body::Body, http::header};
use serde_json::json;
use vincula_domain::words;
use wiremock::{
    Mock, MockServer, ResponseTemplate,
    matchers::{method, path},
};

use super::{panics::log_of_this_thread, privacy::text, *};

/// A refusal is cheap, and so must be its trace: the metrics count each.
#[tokio::test]
async fn rate_limits_noisy_client_only() {
    let (lines, _guard) = log_of_this_thread();
    let server = TestServer::on_the_sandbox().await;
    let mut noisy = server.entered("demo-contas.noisy").await;
    let mut seen = noisy.act("nothing", json!({})).await;
    let mut count = 1;
    while seen.status != 429 {
        seen = noisy.act("nothing", json!({})).await;
        count += 1;
    }
    assert!(count > 600, "normal use is below the limit: {count}");
    assert_eq!(seen.body, r#"{"kind":"no_reply"}"#);
    assert!(
        seen.headers[header::RETRY_AFTER]
            .to_str()
            .unwrap()
            .parse::<u64>()
            .unwrap()
            >= 1
    );
    assert_eq!(
        sent_from([192, 0, 2, 9], &server, &noisy, "list_accounts").await,
        200,
        "another address is not harmed"
    );
    assert_eq!(
        noisy.get("/integration/accounts").await.status,
        200,
        "pages have a limit of their own"
    );

    let mut refused = 1;
    for _ in 0..200 {
        refused += u32::from(noisy.act("nothing", json!({})).await.status == 429);
    }
    let log = lines.take();
    let told = log
        .lines()
        .filter(|line| line.contains("INFO") && line.contains("status=429"))
        .count();
    assert!((20..30).contains(&told), "{told} lines of {refused}");
    let counted = format!("vincula_refusals_total{{limit=\"actions_of_address\"}} {refused}\n");
    assert!(server.state.metrics.exposition().contains(&counted));
    while sent_from([192, 0, 2, 9], &server, &noisy, "nothing").await != 429 {}
    assert!(
        lines.take().contains("status=429"),
        "the line of another address"
    );
}

#[tokio::test]
async fn limits_pages_of_one_address() {
    let server = TestServer::on("http://127.0.0.1:9");
    let mut noisy = server.visitor();
    let mut seen = noisy.get("/integration/accounts").await;
    let mut count = 1;
    while seen.status != 429 {
        assert_eq!(seen.status, 303);
        seen = noisy.get("/integration/accounts").await;
        count += 1;
    }
    assert!(count > 1_200, "normal use is below the limit: {count}");
    assert!(
        seen.headers[header::RETRY_AFTER]
            .to_str()
            .unwrap()
            .parse::<u64>()
            .unwrap()
            >= 1
    );
    assert!(seen.body.contains(words::BUSY_TITLE), "{}", seen.body);
    let counted = "vincula_refusals_total{limit=\"pages_of_address\"} 1\n";
    assert!(server.state.metrics.exposition().contains(counted));
    assert_eq!(
        noisy.get("/healthz").await.status,
        200,
        "a proxy may check the health through the same address"
    );
    let mut request = noisy
        .request("GET", "/integration/accounts")
        .body(Body::empty())
        .unwrap();
    request
        .extensions_mut()
        .insert(ConnectInfo(SocketAddr::from(([192, 0, 2, 9], 40_000))));
    let other = server.router.clone().oneshot(request).await.unwrap();
    assert_eq!(other.status(), 303, "another address is not harmed");
}

#[tokio::test]
async fn guessing_tokens_is_hopeless_whatever_the_guesser_claims_to_be() {
    let server = TestServer::on_the_sandbox().await;
    let mut guesser = server.visitor();
    let mut statuses = Vec::new();
    for guess in 0..300 {
        let body = json!({ "input": { "query": format!("?token=guess-{guess}") } }).to_string();
        let request = guesser
            .request("POST", "/api/validate_token")
            .header("x-forwarded-for", format!("198.51.100.{}", guess % 250))
            .header("forwarded", format!("for=198.51.100.{}", guess % 250))
            .header("x-real-ip", format!("198.51.100.{}", guess % 250))
            .body(body.into())
            .unwrap();
        statuses.push(guesser.send(request).await.status);
        if statuses.last() == Some(&429) {
            break;
        }
    }
    assert_eq!(statuses.pop(), Some(429));
    assert!(
        statuses.len() >= 120 && statuses.iter().all(|status| *status == 502),
        "{statuses:?}"
    );
    let seen = loop {
        let native = guesser
            .request("POST", "/?token=guess")
            .body(Body::empty())
            .unwrap();
        let seen = guesser.send(native).await;
        // On a slow machine the quota has one more by now.
        if seen.status != 303 {
            break seen;
        }
    };
    assert_eq!(seen.status, 429);
    assert!(
        seen.body.contains(vincula_domain::words::BUSY_TITLE),
        "{}",
        seen.body
    );
}

#[tokio::test]
async fn write_call_keeps_its_permit_after_disconnect() {
    let upstream = MockServer::start().await;
    let data = json!({ "data": { "customer_id": 1, "widget_type": "new" }, "meta": {} });
    let answers = ResponseTemplate::new(200).set_body_json(data);
    Mock::given(method("POST"))
        .and(path("/validate-token"))
        .respond_with(answers)
        .mount(&upstream)
        .await;
    let hangs = ResponseTemplate::new(200).set_delay(Duration::from_secs(3_600));
    Mock::given(method("POST"))
        .and(path("/authorize-customer"))
        .respond_with(hangs)
        .mount(&upstream)
        .await;
    let server = TestServer::on(&upstream.uri());
    let mut people = Vec::new();
    for link in 0..4 {
        people.push(server.entered(&format!("tok-{link}")).await);
    }
    for orders in 1..=128 {
        let person = &people[orders % people.len()];
        let input = json!({ "input": { "session": person.session, "text": text() } }).to_string();
        let request = person
            .request("POST", "/api/accept_consent")
            .body(Body::from(input))
            .unwrap();
        leave(&server, from_address(request), orders).await;
    }
    let person = &mut people[0];
    let seen = person
        .step("accept_consent", json!({ "text": text() }))
        .await;
    assert_eq!(
        (seen.status, seen.body.as_str()),
        (503, r#"{"kind":"no_reply"}"#)
    );
    assert_eq!(
        person.get("/integration/widget").await.status,
        200,
        "pages need no permit"
    );
}

fn from_address(mut request: Request<Body>) -> Request<Body> {
    request
        .extensions_mut()
        .insert(ConnectInfo(SocketAddr::from((ADDRESS, 40_000))));
    request
}

/// Drops a request as soon as `calls` run in the background.
async fn leave(server: &TestServer, request: Request<Body>, calls: usize) {
    let task = tokio::spawn(server.router.clone().oneshot(request));
    let called = async {
        while server.upstream.running_tasks() < calls {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), called)
        .await
        .expect("the call is in the background");
    task.abort();
    assert!(task.await.unwrap_err().is_cancelled());
}

/// Each changes something upstream, or is followed by a log call.
#[tokio::test]
async fn validation_and_connect_token_outlive_their_request() {
    let upstream = MockServer::start().await;
    let data = json!({ "data": { "customer_id": 1, "widget_type": "update", "link_id": "b" }, "meta": {} });
    let slow = |body: &Value| {
        ResponseTemplate::new(200)
            .set_body_json(body)
            .set_delay(Duration::from_millis(300))
    };
    Mock::given(path("/validate-token"))
        .respond_with(slow(&data))
        .mount(&upstream)
        .await;
    Mock::given(path("/connect-token"))
        .respond_with(slow(&json!({ "data": "token" })))
        .mount(&upstream)
        .await;
    Mock::given(path("/log"))
        .respond_with(ResponseTemplate::new(200))
        .mount(&upstream)
        .await;
    let server = TestServer::on(&upstream.uri());
    let person = server.entered("tok").await;
    let asked = async |path: &str| {
        let requests = upstream.received_requests().await.unwrap();
        requests
            .iter()
            .filter(|request| request.url.path() == path)
            .count()
    };
    let validate = json!({ "input": { "query": "?token=tok" } }).to_string();
    let open = json!({ "input": { "session": person.session } }).to_string();
    for (action, input, call, logs) in [
        ("validate_token", validate, "/validate-token", 0),
        ("open_connect", open, "/connect-token", 2),
    ] {
        let before = asked(call).await;
        let request = person
            .request("POST", &format!("/api/{action}"))
            .body(Body::from(input))
            .unwrap();
        leave(&server, from_address(request), 1).await;
        while server.upstream.running_tasks() > 0 {
            tokio::task::yield_now().await;
        }
        assert_eq!(
            (asked(call).await - before, asked("/log").await),
            (1, logs),
            "{action}"
        );
    }
}

/// Anybody can report a broken island: all reports together are a few lines of visible characters.
/// What a cut leaves of a document or a token looks like neither, so it is redacted before.
#[tokio::test]
async fn reports_of_islands_are_few_lines_and_redacted_before_they_are_cut() {
    let (lines, _guard) = log_of_this_thread();
    for secret in [
        "529.982.247-25",
        "token=demo-contas.privado",
        "529\u{200b}982\u{202e}247\u{2028}25",
    ] {
        let server = TestServer::on_the_sandbox().await;
        let mut visitor = server.visitor();
        let length = secret.chars().count();
        for before in [1, 199, 200 - length / 2, 201 - length, 4_096 - length / 2] {
            let reason = format!("{}:{secret}:{}", "é".repeat(before - 1), "x".repeat(4_096));
            visitor
                .act(
                    "report_island",
                    json!({ "island": "bank\u{200f}-form", "reason": reason }),
                )
                .await;
            let log = lines.take();
            let (_, reason) = log
                .split_once("island=\"bank-form\"")
                .unwrap()
                .1
                .split_once("reason=\"")
                .unwrap();
            let (reason, _) = reason.split_once('"').unwrap();
            assert!(
                !reason.contains(['5', '\u{202e}']) && !reason.contains("demo"),
                "{before}: {reason}"
            );
            assert_eq!(
                reason.contains("[redacted]"),
                before == 1 || before == 201 - length,
                "{before}: {reason}"
            );
            assert!(reason.chars().count() <= 200, "{reason}");
        }
        for _ in 0..200 {
            let seen = visitor
                .act("report_island", json!({ "island": "a", "reason": "b" }))
                .await;
            assert_eq!(seen.status, 200, "the page learns nothing of it");
        }
        let told = lines.take().matches("island failed").count();
        assert!((10..30).contains(&told));
        let counted = format!(
            "vincula_refusals_total{{limit=\"reports\"}} {}\n",
            200 - told
        );
        assert!(
            server.state.metrics.exposition().contains(&counted),
            "{told}"
        );
    }
}

#[tokio::test]
async fn documents_name_the_operators_collector_of_violations_if_there_is_one() {
    let plain = TestServer::on("http://127.0.0.1:9");
    let page = plain.visitor().get("/?token=a").await;
    assert!(!page.headers.contains_key("reporting-endpoints"));
    assert!(
        !page.headers[header::CONTENT_SECURITY_POLICY]
            .to_str()
            .unwrap()
            .contains("report")
    );
    let uri = "https://reports.example/csp";
    let server = TestServer::with("http://127.0.0.1:9", &["--csp-report-uri", uri]);
    let page = server.visitor().get("/?token=a").await;
    assert_eq!(
        page.headers["reporting-endpoints"],
        format!("csp=\"{uri}\"")
    );
    let policy = page.headers[header::CONTENT_SECURITY_POLICY]
        .to_str()
        .unwrap();
    assert!(
        policy.contains(&format!("; report-uri {uri}; report-to csp;")),
        "{policy}"
    );
    assert!(
        !server
            .visitor()
            .get("/healthz")
            .await
            .headers
            .contains_key("reporting-endpoints"),
        "for documents only"
    );
}

/// The status of an action of the visitor's session from another address.
async fn sent_from(address: [u8; 4], server: &TestServer, visitor: &Visitor, action: &str) -> u16 {
    let input = json!({ "input": { "session": visitor.session } }).to_string();
    let mut request = visitor
        .request("POST", &format!("/api/{action}"))
        .body(Body::from(input))
        .unwrap();
    request
        .extensions_mut()
        .insert(ConnectInfo(SocketAddr::from((address, 40_000))));
    server
        .router
        .clone()
        .oneshot(request)
        .await
        .unwrap()
        .status()
        .as_u16()
}
