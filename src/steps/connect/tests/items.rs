//! The items that Connect reports: the widget API gets them, and the client sees the success screen.

use serde_json::{Value, json};
use tokio::time::Instant;
use vincula_testing::log_of_this_thread;

use super::{assert_is_clean, log_of};
use crate::session::{SuccessCall, Visit};
use crate::tests::{
    Act, ITEM, LINK_ID, TOKEN, TestApp, bank_form, item, navigate, pending, sent_item, update,
};

fn outcome(item: &str) -> Value {
    json!({ "to": "/integration/success", "item": item })
}

/// Submits an item in the background. The session must stay as it is.
async fn submit(app: &mut TestApp, item: Value) -> Value {
    let answer = app.act("submit_item", item).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(answer.header_of("set-cookie"), None, "{answer:?}");
    answer.json()["item"].clone()
}

/// Connect can finish even if it was closed meanwhile.
#[tokio::test]
async fn logs_finished_connect_and_leads_to_success() {
    let mut app = TestApp::opened(json!({})).await;
    app.done("close_connect", json!({})).await;
    assert!(matches!(app.snapshot().visit, Visit::Closed(_)));
    app.drain().await;
    app.upstream.forget();
    assert_eq!(app.finish().await, outcome("accepted"));
    let log = log_of(&app.upstream.calls(), "pluggy-widget-success");
    assert_is_clean(&log, "SUCCESS");
    assert_eq!(log.data_log()["item"]["id"], ITEM);
    assert_eq!(
        app.upstream.lines(),
        ["POST /log"],
        "without a link there is nothing to update"
    );
    let session = app.snapshot();
    assert_eq!(
        session.visit,
        Visit::None,
        "the next bank starts at the form"
    );
    assert_eq!(session.success(), Some(SuccessCall::Due));
    assert_eq!(
        session.client["admin_name"], "Bia Lima",
        "name and CPF stay"
    );
    assert_eq!(
        app.get("/integration/success").await.page(),
        Some("success")
    );
    assert_eq!(
        app.get("/integration/widget").await.location(),
        Some("/integration/select-bank")
    );
}

/// Without a link to update, only the success is logged.
#[tokio::test]
async fn updates_link_before_logging_success() {
    let lines = ["PUT /update-link-account", "POST /log"];
    for (mut app, expected) in [
        (TestApp::entered(update()).await, &lines[..]),
        (TestApp::chosen(json!({ "link_id": LINK_ID })).await, &lines),
        (
            TestApp::entered(json!({ "widget_type": "update", "link_id": null })).await,
            &lines[1..],
        ),
    ] {
        app.upstream.forget();
        app.upstream.on(
            "update-link-account",
            Act::status(200).with("set-cookie", "XSRF-TOKEN=newer"),
        );
        app.finish().await;
        let calls = app.upstream.calls();
        assert_eq!(app.upstream.lines(), expected);
        assert_eq!(app.snapshot().success(), Some(SuccessCall::Due));
        assert_is_clean(&log_of(&calls, "pluggy-widget-success"), "SUCCESS");
        if calls.len() == 2 {
            assert_eq!(calls[0].body, json!({ "link": ITEM }));
            assert_eq!(
                calls[0].header("authorization"),
                Some(&*format!("Bearer {TOKEN}"))
            );
            assert_eq!(calls[1].header("x-xsrf-token"), Some("newer"));
            assert_eq!(app.snapshot().xsrf.as_deref(), Some("newer"));
        }
    }
}

/// The browser may have kept the item under another link of the same client.
#[tokio::test]
async fn updates_only_the_link_that_connect_has_renewed() {
    let mut app = TestApp::entered(update()).await;
    for (renews, updates) in [
        (json!(null), 1),
        (json!(LINK_ID), 1),
        (json!(""), 0),
        (json!("another-link"), 0),
    ] {
        app.upstream.forget();
        let mut kept = sent_item();
        kept["renews"] = renews.clone();
        assert_eq!(submit(&mut app, kept).await, "accepted");
        let lines = app.upstream.lines();
        let count = lines.iter().filter(|line| line.starts_with("PUT")).count();
        assert_eq!(count, updates, "{renews}: {lines:?}");
        assert!(lines.contains(&"POST /log".to_owned()));
    }
}

/// The client goes on, and the browser submits the item until the widget API has it.
#[tokio::test]
async fn item_is_kept_until_its_log_is_accepted() {
    let failed =
        |status: u16| json!({ "data": null, "meta": { "status": status, "message": "busy" } });
    for act in [
        Act::Reset,
        Act::Cut,
        Act::error(503, "busy"),
        Act::error(408, "slow"),
        Act::error(429, "busy"),
        Act::text(502, "text/html", "<h1>Bad Gateway</h1>"),
        Act::text(200, "text/html", "<h1>Bem-vindo</h1>"),
        Act::json(200, &failed(500)),
    ] {
        let mut app = TestApp::opened(json!({})).await;
        app.drain().await;
        app.upstream.on("log", act.clone());
        assert_eq!(app.finish().await, outcome("kept"), "{act:?}");
        assert_eq!(
            app.get("/integration/success").await.page(),
            Some("success"),
            "{act:?}"
        );
        assert_eq!(submit(&mut app, sent_item()).await, "kept", "{act:?}");
        app.upstream.recover("log");
        app.upstream.forget();
        assert_eq!(submit(&mut app, sent_item()).await, "accepted");
        app.upstream.only("POST /log");
    }
}

/// The client waits 10 s at most. The call that was given up has its line.
#[tokio::test(start_paused = true)]
async fn hanging_log_is_waited_for_ten_seconds() {
    let (lines, _guard) = log_of_this_thread();
    let mut app = TestApp::opened(update()).await;
    app.drain().await;
    app.upstream.on("log", Act::Hang);
    let begun = Instant::now();
    assert_eq!(app.finish().await, outcome("kept"));
    assert_eq!(begun.elapsed().as_secs(), 10);
    let log = lines.take();
    let timed_out = |line: &str| line.contains("call=\"log\"") && line.contains("timed_out");
    assert_eq!(
        log.lines().filter(|line| timed_out(line)).count(),
        1,
        "{log}"
    );
}

/// Everything that the client does while a submission is under way stays. The submission has the
/// session of its start, and the browser gets its answer last.
#[tokio::test]
async fn late_submission_undoes_nothing() {
    for kept in [sent_item(), pending()] {
        for (action, input) in [
            ("cancel_integrations", json!({})),
            ("accept_consent", json!({})),
            ("save_bank_form", bank_form()),
            ("open_connect", json!({})),
            ("confirm_success", json!({})),
            (
                "validate_token",
                json!({ "query": &crate::tests::LINK[1..] }),
            ),
        ] {
            for act in [
                Act::status(200).with("set-cookie", "XSRF-TOKEN=new"),
                Act::error(503, "busy"),
                Act::error(401, "Expired token"),
            ] {
                let mut app = match action {
                    "accept_consent" => TestApp::entered(json!({})).await,
                    "confirm_success" => TestApp::linked(json!({})).await,
                    _ => TestApp::chosen(json!({})).await,
                };
                let at_start = app.jar.clone();
                app.done(action, input.clone()).await;
                app.drain().await;
                let after = app.snapshot();
                let newest = std::mem::replace(&mut app.jar, at_start);
                app.upstream.on("log", act);
                let late = app.act("submit_item", kept.clone()).await;
                if late.header_of("set-cookie").is_none() {
                    app.jar = newest;
                }
                assert_eq!(app.snapshot(), after, "{action}: {late:?}");
            }
        }
    }
}

/// Nobody has authorized the firm in this session, whatever the browser says of its past.
#[tokio::test]
async fn item_without_consent_is_logged_and_nothing_else() {
    for changes in [json!({}), json!({ "widget_type": "cancel" })] {
        for (kept, log) in [
            (item(ITEM), "pluggy-widget-success"),
            (sent_item(), "pluggy-widget-success"),
            (pending(), "pluggy-widget-error"),
        ] {
            for action in ["finish_connect", "submit_item"] {
                let mut app = TestApp::entered(changes.clone()).await;
                app.upstream.forget();
                let answer = app.act(action, kept.clone()).await;
                assert_eq!(answer.header_of("set-cookie"), None, "{action}");
                assert_eq!(answer.json()["item"], "accepted", "{action}");
                assert!(answer.json()["to"].is_null(), "{action}");
                assert_eq!(app.upstream.only("POST /log").body["type"], log);
                app.upstream.forget();
                app.get("/integration/success").await;
                let refused = app.act("confirm_success", json!({})).await;
                assert_eq!(refused.status, 422, "{action}");
                assert_eq!(app.upstream.lines(), [""; 0], "{action}");
            }
        }
    }
}

/// A renewal whose update was accepted, but not its log: one log more, and no second login.
#[tokio::test]
async fn renewal_succeeds_when_it_is_submitted_again() {
    let mut app = TestApp::opened(update()).await;
    app.drain().await;
    app.upstream.forget();
    app.upstream.on("log", Act::error(503, "busy"));
    assert_eq!(app.finish().await, outcome("kept"));
    app.upstream.recover("log");
    app.upstream
        .on("update-link-account", Act::error(409, "unchanged"));
    assert_eq!(submit(&mut app, sent_item()).await, "accepted");
    let lines = app.upstream.lines();
    let count = |line: &str| lines.iter().filter(|call| *call == line).count();
    assert_eq!(count("PUT /update-link-account"), 2, "{lines:?}");
    assert_eq!(count("POST /log"), 2, "one failed, one accepted: {lines:?}");
    assert_eq!(app.snapshot().success(), Some(SuccessCall::Due));
}

/// The server was killed between the update and the log, so the browser sends the item again.
#[tokio::test]
async fn unchanged_update_counts_as_accepted_only_if_it_was_sent_before() {
    let unchanged = Act::error(409, "unchanged");
    let mut app = TestApp::opened(update()).await;
    app.upstream.on("update-link-account", unchanged);
    app.act("finish_connect", item(ITEM))
        .await
        .assert_failure(422, &navigate("/error/link-not-updated"));
    assert_eq!(app.snapshot().linking, None);
    assert_eq!(
        app.done("finish_connect", sent_item()).await,
        outcome("accepted")
    );
}

/// The browser forgets the item by the answer, an operator can read which one it was, and the client
/// goes on to the success screen as after any log.
#[tokio::test]
async fn refused_log_is_final() {
    let (lines, _guard) = log_of_this_thread();
    let mut app = TestApp::opened(json!({})).await;
    app.drain().await;
    lines.take();
    app.upstream.on("log", Act::error(401, "Expired token"));
    assert_eq!(app.finish().await, outcome("refused"));
    let log = lines.take();
    let named = |line: &&str| {
        ["WARN", ITEM, "tell the firm"]
            .iter()
            .all(|part| line.contains(part))
    };
    assert_eq!(log.lines().filter(named).count(), 1, "{log}");
    assert!(!log.contains(TOKEN), "{log}");
    assert_eq!(
        app.get("/integration/success").await.page(),
        Some("success")
    );
    assert_eq!(submit(&mut app, sent_item()).await, "refused");
}

#[tokio::test]
async fn rejects_invalid_item_id() {
    let mut app = TestApp::chosen(json!({ "link_id": LINK_ID })).await;
    app.upstream.forget();
    let before = app.snapshot();
    for id in [
        "",
        " ",
        "../log",
        "a/b",
        "a?b",
        "é",
        "a\nb",
        &"a".repeat(129),
    ] {
        for action in ["finish_connect", "submit_item"] {
            let answer = app.act(action, item(id)).await;
            answer.assert_failure(422, &navigate("/error/token-invalid"));
            assert_eq!(app.snapshot(), before, "{id:?}");
        }
    }
    assert_eq!(app.upstream.lines(), [""; 0]);
}

/// The browser forgets an item whose update fails with 410 or 422, and keeps it after any other
/// status.
#[tokio::test]
async fn failed_update_is_a_refusal_only_if_retries_cannot_succeed() {
    for (act, status, submitted) in [
        (Act::error(404, "Item not found"), 422, "refused"),
        (Act::error(401, "Expired token"), 410, "refused"),
        (Act::error(422, "no"), 422, "refused"),
        (Act::error(500, "busy"), 500, "kept"),
        (Act::error(429, "busy"), 500, "kept"),
        (
            Act::text(502, "text/html", "<h1>Bad Gateway</h1>"),
            500,
            "kept",
        ),
        (
            Act::text(200, "text/html", "<h1>Bem-vindo</h1>"),
            500,
            "kept",
        ),
        (Act::Reset, 500, "kept"),
    ] {
        let mut app = TestApp::entered(update()).await;
        app.upstream.on("update-link-account", act.clone());
        let failure = app.act("finish_connect", item(ITEM)).await;
        assert_eq!(failure.status, status, "{act:?}: {failure:?}");
        assert_eq!(submit(&mut app, sent_item()).await, submitted, "{act:?}");
        assert_eq!(app.snapshot().linking, None, "{act:?}");
    }
}

/// Recorded at once, without a call: the client goes on in Connect, and nobody waits for the log.
#[tokio::test]
async fn pending_approval_is_recorded_before_it_is_logged() {
    let mut app = TestApp::opened(json!({})).await;
    app.drain().await;
    app.upstream.forget();
    app.await_approval().await;
    assert_eq!(app.upstream.lines(), [""; 0]);
    assert_eq!(app.snapshot().success(), Some(SuccessCall::NotDue));
    for (act, item) in [
        (Act::error(503, "busy"), "kept"),
        (Act::Reset, "kept"),
        (Act::data(&json!(null)), "accepted"),
        (Act::error(401, "Expired token"), "refused"),
    ] {
        app.upstream.forget();
        app.upstream.on("log", act.clone());
        assert_eq!(submit(&mut app, pending()).await, item, "{act:?}");
        let log = log_of(&app.upstream.calls(), "pluggy-widget-error");
        assert_is_clean(&log, "ERROR");
        let data = json!({ "message": "USER_AUTHORIZATION_PENDING", "item": { "id": ITEM } });
        assert_eq!(log.data_log(), data);
    }
}
