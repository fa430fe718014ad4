//! The success of Connect: the widget API gets the item, and the client sees the success screen.

use serde_json::{Value, json};
use tokio::time::Instant;
use vincula_testing::log_of_this_thread;

use super::{
    Act, ITEM, LINK_ID, TOKEN, TestApp, bank_form,
    connect::{assert_is_clean, log_of},
    navigate, update,
};
use crate::session::Stage;

const REFUSED: &str = "o sistema do escritório não a aceitou";

fn outcome(item: &str) -> Value {
    json!({ "to": "/integration/success", "item": item })
}

/// Submits the item again, as a tab does that has kept it.
async fn submit_again(app: &mut TestApp) -> Value {
    let again = json!({ "itemId": ITEM, "again": true });
    app.done("finish_connect", again).await
}

/// Connect can finish even if it was closed meanwhile.
#[tokio::test]
async fn logs_finished_connect_and_leads_to_success() {
    let mut app = TestApp::opened(json!({})).await;
    app.done("close_connect", json!({})).await;
    assert!(matches!(app.snapshot().stage, Stage::Consented(_)));
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
        session.stage.bank(),
        None,
        "the next bank starts at the form"
    );
    assert!(session.stage.consent().is_some() && session.progress.linked);
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
        assert!(app.snapshot().progress.linked);
        assert_is_clean(&log_of(&calls, "pluggy-widget-success"), "SUCCESS");
        if calls.len() == 2 {
            assert_eq!(calls[0].body, json!({ "link": ITEM }));
            assert_eq!(
                calls[0].header("authorization"),
                Some(&*format!("Bearer {TOKEN}"))
            );
            assert_eq!(calls[1].header("x-xsrf-token"), Some("newer"));
        }
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
        // A further failure changes no session, so that it cannot undo what the client does.
        let again = json!({ "itemId": ITEM, "again": true });
        let answer = app.act("finish_connect", again).await;
        assert_eq!(answer.json(), outcome("kept"), "{act:?}");
        assert_eq!(answer.header_of("set-cookie"), None, "{act:?}");
        app.upstream.recover("log");
        app.upstream.forget();
        assert_eq!(submit_again(&mut app).await, outcome("accepted"));
        app.upstream.only("POST /log");
        assert_eq!(
            submit_again(&mut app).await,
            outcome("accepted"),
            "the response was lost"
        );
        app.upstream.only("POST /log");
        let metrics = app.state.metrics.exposition();
        assert!(
            metrics.contains("vincula_journey_steps_total{step=\"linked\"} 1\n"),
            "{metrics}"
        );
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

/// The renewal's sequence, also if the response was lost after the update: one update, one log.
#[tokio::test]
async fn accepted_update_is_not_repeated() {
    let unchanged = Act::error(409, "unchanged");
    for is_answered in [true, false] {
        let mut app = TestApp::opened(update()).await;
        app.drain().await;
        app.upstream.forget();
        app.upstream.on("log", Act::error(503, "busy"));
        let before = app.jar.clone();
        assert_eq!(app.finish().await, outcome("kept"));
        if !is_answered {
            // As after `kill -9`: the browser has no newer cookie.
            app.jar = before;
            app.upstream.on("update-link-account", unchanged.clone());
        }
        app.upstream.recover("log");
        assert_eq!(submit_again(&mut app).await, outcome("accepted"));
        let calls = app.upstream.lines();
        let count = |line: &str| calls.iter().filter(|call| *call == line).count();
        let updates = if is_answered { 1 } else { 2 };
        assert_eq!(count("PUT /update-link-account"), updates, "{calls:?}");
        assert_eq!(count("POST /log"), 2, "one failed, one accepted: {calls:?}");
        assert!(app.snapshot().progress.linked);
    }
    let mut app = TestApp::opened(update()).await;
    app.upstream.on("update-link-account", unchanged);
    app.act("finish_connect", json!({ "itemId": ITEM }))
        .await
        .assert_failure(422, &navigate("/error/link-not-updated"));
}

/// Only an update without changes counts as accepted before.
#[tokio::test]
async fn repeated_update_that_fails_is_not_accepted() {
    for act in [Act::error(404, "Item not found"), Act::error(500, "broken")] {
        let mut app = TestApp::entered(update()).await;
        app.upstream.forget();
        app.upstream.on("update-link-account", act.clone());
        let again = json!({ "itemId": ITEM, "again": true });
        let failure = app.act("finish_connect", again).await;
        assert_eq!(failure.json()["kind"], "navigate", "{act:?}");
        app.upstream.only("PUT /update-link-account");
    }
}

/// The browser forgets the item, an operator can read which one it was, and the screens say that
/// the firm must be told.
#[tokio::test]
async fn refused_log_is_final() {
    let (lines, _guard) = log_of_this_thread();
    let mut app = TestApp::opened(json!({})).await;
    app.drain().await;
    lines.take();
    app.upstream.forget();
    app.upstream.on("log", Act::error(401, "Expired token"));
    assert_eq!(app.finish().await, outcome("refused"));
    let log = lines.take();
    let named = |line: &&str| {
        ["WARN", "call=\"log\"", ITEM, "tell the firm"]
            .iter()
            .all(|part| line.contains(part))
    };
    assert_eq!(log.lines().filter(named).count(), 1, "{log}");
    assert!(!log.contains(TOKEN), "{log}");
    submit_again(&mut app).await;
    app.upstream.only("POST /log");
    for path in ["/integration/success", "/integration/accounts"] {
        let page = app.get(path).await;
        assert!(page.shown().contains(REFUSED), "{path}");
    }
    app.upstream.recover("log");
    app.link_another(bank_form(), "another-item").await;
    let page = app.get("/integration/success").await;
    assert!(!page.shown().contains(REFUSED));
}

/// A new session of the same link, in the browser that has kept the item.
#[tokio::test]
async fn kept_item_needs_no_consent_of_a_later_session() {
    let mut app = TestApp::entered(json!({})).await;
    app.upstream.forget();
    app.act("finish_connect", json!({ "itemId": ITEM }))
        .await
        .assert_failure(422, &navigate("/integration/widget"));
    assert_eq!(app.upstream.lines(), [""; 0]);
    assert_eq!(submit_again(&mut app).await, outcome("accepted"));
    app.upstream.only("POST /log");
    assert_eq!(app.snapshot().stage, Stage::Arrived);
}

/// The same request, with the newer cookie, in another process.
#[tokio::test]
async fn another_process_does_not_repeat_reported_item() {
    let mut app = TestApp::chosen(json!({ "link_id": LINK_ID })).await;
    app.finish().await;
    app.upstream.forget();
    let mut app = app.restarted(&[]);
    assert_eq!(app.finish().await, outcome("accepted"));
    assert_eq!(app.upstream.lines(), [""; 0]);
    app.link_another(bank_form(), ITEM).await;
    app.upstream.only("PUT /update-link-account");
}

#[tokio::test]
async fn rejects_invalid_item_id() {
    let mut app = TestApp::chosen(json!({ "link_id": LINK_ID })).await;
    app.upstream.forget();
    let before = app.snapshot();
    for item in [
        "",
        " ",
        "../log",
        "a/b",
        "a?b",
        "é",
        "a\nb",
        &"a".repeat(129),
    ] {
        let answer = app.act("finish_connect", json!({ "itemId": item })).await;
        answer.assert_failure(422, &navigate("/error/token-invalid"));
        assert_eq!(app.snapshot(), before, "{item:?}");
    }
    assert_eq!(app.upstream.lines(), [""; 0]);
}

/// The bank account is linked, so the browser keeps the item until the server accepts it or refuses
/// it permanently.
#[tokio::test]
async fn refuses_item_permanently_only_if_retries_cannot_succeed() {
    for (act, is_refused) in [
        (Act::error(404, "Item not found"), true),
        (Act::error(409, "unchanged"), true),
        (Act::error(422, "no"), true),
        (Act::error(500, "busy"), false),
        (Act::error(503, "busy"), false),
        (Act::error(429, "busy"), false),
        (Act::text(502, "text/html", "<h1>Bad Gateway</h1>"), false),
        (Act::text(200, "text/html", "<h1>Bem-vindo</h1>"), false),
        (Act::Reset, false),
    ] {
        let mut app = TestApp::entered(update()).await;
        app.upstream.on("update-link-account", act.clone());
        let failure = app.act("finish_connect", json!({ "itemId": ITEM })).await;
        assert_eq!(
            failure.json()["itemRefused"] == json!(true),
            is_refused,
            "{act:?}: {failure:?}"
        );
        app.upstream.recover("update-link-account");
        app.finish().await;
    }
    for (mut app, item, is_refused) in [
        (TestApp::entered(update()).await, "../log", true),
        // A new session accepts the item after the consent.
        (TestApp::entered(json!({})).await, ITEM, false),
    ] {
        let failure = app.act("finish_connect", json!({ "itemId": item })).await;
        assert_eq!(
            failure.json()["itemRefused"] == json!(true),
            is_refused,
            "{failure:?}"
        );
    }
}

/// An account that waits for another person's approval is an item as well: Connect names it in an
/// error.
#[tokio::test]
async fn pending_approval_is_kept_until_its_log_is_accepted() {
    let pending = json!({ "message": "PENDING", "itemId": ITEM, "pending": true });
    let mut app = TestApp::opened(json!({})).await;
    app.drain().await;
    for (act, item) in [
        (Act::error(503, "busy"), "kept"),
        (Act::Reset, "kept"),
        (Act::data(&json!(null)), "accepted"),
        (Act::error(401, "Expired token"), "refused"),
    ] {
        app.upstream.forget();
        app.upstream.on("log", act.clone());
        let done = app.done("report_connect_error", pending.clone()).await;
        assert_eq!(done, json!({ "item": item }), "{act:?}");
        let log = log_of(&app.upstream.calls(), "pluggy-widget-error");
        assert_eq!(log.data_log()["item"]["id"], ITEM);
        let shown = app.get("/integration/accounts").await.shown();
        assert_eq!(shown.contains(REFUSED), item == "refused", "{act:?}");
    }
}
