//! Requests that the server rejects, and other clients, which that must not harm.

use std::{sync::Arc, time::Duration};

use serde_json::{Value, json};
use tokio::{sync::Notify, time::timeout};
use tower::ServiceExt;
use vincula_testing::{Act, ScriptedApi, profile};

use super::panics::log_of_this_thread;
use crate::{
    routes::is_action,
    tests::{JSON, OWN, TestApp, json_request, requests::acts, update},
    words::{self, CONSENT_VERSION},
};

/// Behind a trusted proxy, only the address that the proxy appends counts. The client of each
/// address has a quota for validations, and another one for its other actions.
#[tokio::test]
async fn limits_token_guesses_whatever_address_is_claimed() {
    let app = TestApp::entered(json!({})).await;
    let mut guesser = app.restarted(&["--trusted-proxies", "127.0.0.1"]);
    let unknown = Act::error(404, "Token not found");
    guesser.upstream.on("validate-token", unknown);
    guesser.upstream.forget();
    let mut statuses = Vec::new();
    let refused = loop {
        let guess = statuses.len();
        let body = json!({ "input": { "query": format!("?token=guess-{guess}") } }).to_string();
        let claimed = format!("203.0.113.{}", guess % 250);
        let headers = [
            OWN,
            JSON,
            ("x-forwarded-for", &format!("{claimed}, 198.51.100.9")),
            ("forwarded", &format!("for={claimed}")),
            ("x-real-ip", &claimed),
        ];
        let answer = guesser
            .ask("POST", "/api/validate_token", &headers, body)
            .await;
        if answer.status == 429 {
            break answer;
        }
        statuses.push(answer.status);
        assert!(statuses.len() < 1_000, "there is a limit");
    };
    assert!(
        statuses.len() >= 120 && statuses.iter().all(|status| *status == 422),
        "{statuses:?}"
    );
    assert_eq!(guesser.upstream.lines().len(), statuses.len());
    assert_eq!(refused.text, "\"no_reply\"");
    assert!(refused.header_of("retry-after").is_some());

    let forwarded = "x-forwarded-for";
    let address = "198.51.100.9".parse().unwrap();
    guesser.headers.insert(forwarded, address);
    let seen = guesser.post_form("/?token=guess", "").await;
    assert_eq!(seen.status, 429);
    seen.assert_shows(&[words::BUSY_TITLE]);
    let page = guesser.get("/integration/widget").await;
    assert_eq!(page.status, 200, "pages have no limit");
    let listed = guesser.act("list_accounts", json!({})).await;
    assert_eq!(listed.status, 200, "other actions have another quota");
    let elsewhere = "192.0.2.9".parse().unwrap();
    guesser.headers.insert(forwarded, elsewhere);
    let validated = guesser.validate("?token=guess").await;
    assert_eq!(validated.status, 422, "another address is not harmed");
}

/// Only what also needs a call fails, and can be repeated.
#[tokio::test]
async fn hanging_widget_api_affects_no_page_and_no_saved_form() {
    let mut app = TestApp::chosen(json!({})).await;
    app.limit_calls(2);
    app.upstream.on("list-accounts", Act::Hang);
    app.upstream.forget();
    let session = app.snapshot().id;
    let input = json!({ "input": { "session": session } });
    let hanging = [(); 2].map(|()| {
        let mut request = json_request("/api/list_accounts", &input);
        app.prepare(&mut request);
        tokio::spawn(app.router.clone().oneshot(request))
    });
    app.upstream.received_all(&["GET /list-accounts"; 2]).await;
    for (path, kind, body) in acts(&session) {
        let answer = app.ask("POST", &path, &[OWN, kind], body).await;
        match &*path {
            "/api/validate_token"
            | "/api/accept_consent"
            | "/api/list_accounts"
            | "/api/list_banks"
            | "/api/open_connect"
            | "/api/cancel_integrations" => {
                assert_eq!(answer.status, 500, "{path}");
                assert_eq!(answer.text, "\"no_reply\"", "{path}");
                assert_eq!(answer.header_of("content-location"), None, "{path}");
            }
            "/api/save_bank_form"
            | "/api/close_connect"
            | "/api/report_connect_error"
            | "/api/report_island" => assert_eq!(answer.status, 200, "{path}"),
            form if !is_action(form) => {
                let page = form.split('?').next().unwrap();
                let to = answer.location().unwrap();
                assert!(
                    to.starts_with(page) && to.ends_with("aviso=sem-resposta"),
                    "{path}: {to}"
                );
            }
            _ => {}
        }
    }
    let mut calls = app.upstream.lines();
    calls.retain(|line| line != "POST /log");
    assert_eq!(calls, ["GET /list-accounts"; 2]);
    assert_eq!(app.get("/integration/accounts").await.status, 200);
    app.upstream.recover("list-accounts");
    for request in hanging {
        request.abort();
        assert!(request.await.unwrap_err().is_cancelled());
    }
    app.done("list_accounts", json!({})).await;
}

/// No page waits for these calls.
#[tokio::test]
async fn hanging_log_calls_stop_no_other_call() {
    let mut app = TestApp::entered(json!({})).await;
    app.limit_calls(2);
    app.upstream.on("log", Act::Hang);
    for _ in 0..3 {
        let error = json!({ "message": "closed" });
        app.done("report_connect_error", error).await;
    }
    app.upstream.received_all(&["POST /log"; 3]).await;
    app.done("list_accounts", json!({})).await;
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

/// A client who leaves does not end the call.
#[tokio::test]
async fn calls_of_clients_who_left_count() {
    let mut app = TestApp::entered(json!({})).await;
    app.limit_calls(2);
    let input = json!({ "session": app.snapshot().id, "version": CONSENT_VERSION });
    app.upstream.forget();
    let is_over = Arc::new(Notify::new());
    let late = Act::status(200).after(&is_over);
    app.upstream.on("authorize-customer", late);
    for count in [1, 2] {
        let calls = vec!["POST /authorize-customer"; count];
        leave(&app.upstream, &app, "accept_consent", input.clone(), &calls).await;
    }
    let rejected = timeout(
        Duration::from_secs(20),
        app.act("accept_consent", json!({})),
    );
    let rejected = rejected.await.expect("does not wait");
    assert_eq!((rejected.status, rejected.json()), (500, json!("no_reply")));
    assert_eq!(app.get("/integration/widget").await.status, 200);
    app.upstream.recover("authorize-customer");
    is_over.notify_waiters();
    app.drain().await;
    app.consent().await;
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

/// The client closes the page right after the cancellation, which then fails: the operator finds
/// both lines by the support code.
#[tokio::test]
async fn failure_after_client_has_left_is_logged_with_its_request() {
    let (lines, _guard) = log_of_this_thread();
    let app = TestApp::entered(json!({})).await;
    let session = app.snapshot().id;
    for (action, input, call) in [
        (
            "accept_consent",
            json!({ "session": session, "version": CONSENT_VERSION }),
            "authorize-customer",
        ),
        (
            "cancel_integrations",
            json!({ "session": session }),
            "cancel-integrations",
        ),
        (
            "validate_token",
            json!({ "query": "?token=tok" }),
            "validate-token",
        ),
    ] {
        let is_left = Arc::new(Notify::new());
        app.upstream.on(call, Act::status(500).after(&is_left));
        app.upstream.forget();
        lines.take();
        let calls = [&*format!("POST /{call}")];
        leave(&app.upstream, &app, action, input, &calls).await;
        let id = app.upstream.only(calls[0]);
        let id = id.header("x-request-id").unwrap();
        is_left.notify_one();
        let failed = async {
            loop {
                let log = lines.so_far();
                if log.contains("upstream call failed") {
                    return log;
                }
                tokio::task::yield_now().await;
            }
        };
        let log = timeout(Duration::from_secs(20), failed).await.unwrap();
        for (message, route) in [
            (
                "request dropped before its response",
                format!("/api/{action}"),
            ),
            ("upstream call failed", call.to_owned()),
        ] {
            let found: Vec<_> = log.lines().filter(|line| line.contains(message)).collect();
            assert_eq!(found.len(), 1, "{action}: {log}");
            assert!(found[0].contains(&route) && found[0].contains(id), "{log}");
        }
    }
}

/// A refusal is a valid response to a request, and no fault that an operator could mend.
#[tokio::test]
async fn refusals_are_no_warnings() {
    let (lines, _guard) = log_of_this_thread();
    let mut app = TestApp::start().await;
    for (act, line) in [
        (Act::error(401, "Expired token"), "INFO"),
        (Act::error(404, "no such token"), "INFO"),
        (Act::error(422, "no"), "INFO"),
        (Act::error(429, "Too Many Attempts."), "WARN"),
        (Act::error(500, "Whoops"), "WARN"),
    ] {
        app.upstream.on("validate-token", act);
        lines.take();
        app.validate("?token=tok").await;
        let log = lines.take();
        let told: Vec<_> = log
            .lines()
            .filter(|line| line.contains("validate-token"))
            .collect();
        assert_eq!(told.len(), 1, "{log}");
        assert!(told[0].contains(line), "{line}: {log}");
    }
}

/// Anybody can report a broken island: a report is a line of visible characters. What a cut leaves
/// of a document or a token looks like neither, so it is redacted before.
#[tokio::test]
async fn redacts_reports_of_islands_before_cutting() {
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
    }
}
