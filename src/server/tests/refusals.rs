//! Requests that the server rejects, and other clients, which that must not harm.

use std::{sync::Arc, time::Duration};

use serde_json::{Value, json};
use tokio::{sync::Notify, time::timeout};
use tower::ServiceExt;
use vincula_domain::words;
use vincula_testing::{Act, ScriptedApi, profile};

use super::panics::log_of_this_thread;
use crate::tests::{JSON, NO_API, OWN, TestApp, answer::Answer, json_request, site::TEXT, update};

/// The address of another client.
const ELSEWHERE: [u8; 4] = [192, 0, 2, 9];

/// The seconds after which a refused client may try again.
#[track_caller]
fn retry_after(answer: &Answer) -> u64 {
    answer.header_of("retry-after").unwrap().parse().unwrap()
}

#[tokio::test(start_paused = true)]
async fn rate_limits_noisy_client_only() {
    let (lines, _guard) = log_of_this_thread();
    let mut noisy = TestApp::on_sandbox().await;
    noisy.open_link("demo-contas.noisy").await;
    let mut seen = noisy.act("nothing", json!({})).await;
    let mut count = 1;
    while seen.status != 429 {
        seen = noisy.act("nothing", json!({})).await;
        count += 1;
    }
    assert!(count > 600, "normal use is below the limit: {count}");
    assert_eq!(seen.text, r#"{"kind":"no_reply"}"#);
    assert!(retry_after(&seen) >= 1);
    noisy.address = Some(ELSEWHERE);
    assert_eq!(
        noisy.act("list_accounts", json!({})).await.status,
        200,
        "another address is not harmed"
    );
    noisy.address = None;
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
    noisy.address = Some(ELSEWHERE);
    while noisy.act("nothing", json!({})).await.status != 429 {}
    assert!(
        lines.take().contains("status=429"),
        "the line of another address"
    );
}

#[tokio::test(start_paused = true)]
async fn limits_pages_of_one_address() {
    let mut noisy = TestApp::on(NO_API, &[]);
    let mut seen = noisy.get("/integration/accounts").await;
    let mut count = 1;
    while seen.status != 429 {
        assert_eq!(seen.status, 303);
        seen = noisy.get("/integration/accounts").await;
        count += 1;
    }
    assert!(count > 1_200, "normal use is below the limit: {count}");
    assert!(retry_after(&seen) >= 1);
    seen.assert_shows(&[words::BUSY_TITLE]);
    assert_eq!(
        noisy.get("/healthz").await.status,
        200,
        "a proxy may check the health through the same address"
    );
    noisy.address = Some(ELSEWHERE);
    assert_eq!(
        noisy.get("/integration/accounts").await.status,
        303,
        "another address is not harmed"
    );
}

#[tokio::test(start_paused = true)]
async fn limits_token_guesses_whatever_address_is_claimed() {
    let mut guesser = TestApp::on_sandbox().await;
    let mut statuses = Vec::new();
    for guess in 0..300 {
        let body = json!({ "input": { "query": format!("?token=guess-{guess}") } }).to_string();
        let claimed = format!("198.51.100.{}", guess % 250);
        let headers = [
            OWN,
            JSON,
            ("x-forwarded-for", &*claimed),
            ("forwarded", &format!("for={claimed}")),
            ("x-real-ip", &claimed),
        ];
        let answer = guesser
            .ask("POST", "/api/validate_token", &headers, body)
            .await;
        statuses.push(answer.status);
        if statuses.last() == Some(&429) {
            break;
        }
    }
    assert_eq!(statuses.pop(), Some(429));
    assert!(
        statuses.len() >= 120 && statuses.iter().all(|status| *status == 502),
        "{statuses:?}"
    );
    let seen = guesser.post_form("/?token=guess", "").await;
    assert_eq!(seen.status, 429);
    seen.assert_shows(&[words::BUSY_TITLE]);
}

#[tokio::test]
async fn write_call_keeps_its_permit_after_disconnect() {
    let app = TestApp::start().await;
    app.upstream.on("authorize-customer", Act::Hang);
    let mut people = Vec::new();
    for link in 0..4 {
        people.push(app.visit(&format!("tok-{link}")).await);
    }
    for orders in 1..=128 {
        let person = &people[orders % people.len()];
        let session = person.snapshot().id;
        let input = json!({ "session": session, "text": &TEXT[..8] });
        let calls = vec!["POST /authorize-customer"; orders];
        leave(&app.upstream, person, "accept_consent", input, &calls).await;
    }
    let person = &mut people[0];
    let seen = person.act("accept_consent", json!({})).await;
    assert_eq!(
        (seen.status, seen.text.as_str()),
        (503, r#"{"kind":"no_reply"}"#)
    );
    assert_eq!(
        person.get("/integration/widget").await.status,
        200,
        "pages need no permit"
    );
}

/// Sends an action and drops its request as soon as the widget API has received these calls.
async fn leave<A>(
    upstream: &ScriptedApi,
    person: &TestApp<A>,
    action: &str,
    input: Value,
    calls: &[&str],
) {
    let mut request = json_request(&format!("/api/{action}"), &json!({ "input": input }));
    person.prepare(&mut request);
    let task = tokio::spawn(person.router.clone().oneshot(request));
    timeout(Duration::from_secs(20), upstream.received_all(calls))
        .await
        .expect("the call is under way");
    task.abort();
    assert!(task.await.unwrap_err().is_cancelled());
}

/// Each changes something upstream, or is followed by a log call.
#[tokio::test]
async fn validation_and_connect_token_outlive_their_request() {
    let app = TestApp::entered(update()).await;
    let session = app.snapshot().id;
    for (action, input, call, data, logs) in [
        (
            "validate_token",
            json!({ "query": "?token=tok" }),
            "validate-token",
            profile(update()),
            0,
        ),
        (
            "open_connect",
            json!({ "session": session }),
            "connect-token",
            json!("token"),
            2,
        ),
    ] {
        app.upstream.forget();
        let is_left = Arc::new(Notify::new());
        app.upstream.on(call, Act::data(&data).after(&is_left));
        let calls = [&*format!("POST /{call}")];
        leave(&app.upstream, &app, action, input, &calls).await;
        is_left.notify_one();
        app.state.upstream.drain().await;
        let lines = app.upstream.lines();
        let count = |line: String| lines.iter().filter(|other| **other == line).count();
        assert_eq!(
            (count(format!("POST /{call}")), count("POST /log".into())),
            (1, logs),
            "{action}"
        );
        let dropped = "outcome=\"dropped\"";
        assert!(
            !app.state.metrics.exposition().contains(dropped),
            "{action}"
        );
    }
}

/// Anybody can report a broken island: all reports together are a few lines of visible characters.
/// What a cut leaves of a document or a token looks like neither, so it is redacted before.
#[tokio::test(start_paused = true)]
async fn limits_reports_of_islands_and_redacts_before_cutting() {
    let (lines, _guard) = log_of_this_thread();
    for secret in [
        "529.982.247-25",
        "token=demo-contas.privado",
        "529\u{200b}982\u{202e}247\u{2028}25",
    ] {
        let mut visitor = TestApp::on_sandbox().await;
        let length = secret.chars().count();
        for before in [1, 199, 200 - length / 2, 201 - length, 4_096 - length / 2] {
            let reason = format!("{}:{secret}:{}", "é".repeat(before - 1), "x".repeat(4_096));
            let input = json!({ "island": "bank\u{200f}-form", "reason": reason });
            visitor
                .post_json("/api/report_island", &json!({ "input": input }))
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
            let input = json!({ "island": "a", "reason": "b" });
            let seen = visitor
                .post_json("/api/report_island", &json!({ "input": input }))
                .await;
            assert_eq!(seen.status, 200, "the page learns nothing of it");
        }
        let told = lines.take().matches("island failed").count();
        assert!((10..30).contains(&told));
    }
}
