//! The success of Connect: the item is reported, once, and leads to the success screen.

use std::collections::HashSet;

use serde_json::json;

use super::{
    Act, ITEM, LINK_ID, OUTAGE, TOKEN, TestApp, bank_form,
    connect::{assert_is_clean, log_of},
    navigate, update,
};
use crate::session::Stage;

/// Connect can finish even if the accounts were viewed in another tab meanwhile.
#[tokio::test]
async fn logs_finished_connect_and_leads_to_success() {
    let mut app = TestApp::chosen(json!({})).await;
    app.get("/integration/accounts").await;
    assert!(matches!(app.snapshot().stage, Stage::Consented(_)));
    app.upstream.forget();
    assert_eq!(app.finish().await, json!({ "to": "/integration/success" }));
    let calls = app.upstream.received_all(&["POST /log"]).await;
    let log = log_of(&calls, "pluggy-widget-success");
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
        app.finish().await;
        let calls = app.upstream.received_all(expected).await;
        assert_eq!(app.upstream.lines(), expected);
        assert!(app.snapshot().progress.linked);
        assert_is_clean(&log_of(&calls, "pluggy-widget-success"), "SUCCESS");
        if calls.len() == 2 {
            assert_eq!(calls[0].body, json!({ "link": ITEM }));
            assert_eq!(
                calls[0].header("authorization"),
                Some(&*format!("Bearer {TOKEN}"))
            );
        }
    }
}

/// A double click, a reload, a second tab: each item is reported once. If the call fails, it fails
/// for all requests, nothing is reported, and a retry is possible.
#[tokio::test]
async fn reports_item_once_with_concurrent_requests() {
    let mut app = TestApp::chosen(json!({ "link_id": LINK_ID })).await;
    app.done("open_connect", json!({})).await;
    app.upstream.received_all(&["POST /log"; 2]).await;
    app.upstream.forget();
    let item = |at: usize| json!({ "itemId": format!("item-{}", at % 2) });
    app.upstream.on(
        "update-link-account",
        Act::text(200, "text/html", "<h1>Bem-vindo</h1>"),
    );
    for answer in app.act_at_once(6, "finish_connect", item).await {
        answer.assert_failure(502, &navigate(OUTAGE));
    }
    app.drain().await;
    assert_eq!(app.upstream.lines(), ["PUT /update-link-account"; 2]);
    app.upstream.well("update-link-account");
    app.upstream.forget();
    for answer in app.act_at_once(6, "finish_connect", item).await {
        assert_eq!(
            (answer.status, answer.json()),
            (200, json!({ "to": "/integration/success" }))
        );
    }
    app.drain().await;
    for (line, keys) in [("PUT /update-link-account", 0), ("POST /log", 2)] {
        let calls: Vec<_> = app
            .upstream
            .calls()
            .into_iter()
            .filter(|call| call.line == line)
            .collect();
        let mut items: Vec<_> = calls
            .iter()
            .map(|call| call.everything().contains("item-1"))
            .collect();
        items.sort_unstable();
        assert_eq!(items, [false, true], "{line}: {calls:?}");
        let different: HashSet<_> = calls
            .iter()
            .filter_map(|call| call.header("idempotency-key"))
            .collect();
        assert_eq!(
            different.len(),
            keys,
            "each success has a key, which tells it from others: {calls:?}"
        );
    }
}

/// The same request, with the newer cookie, in another process.
#[tokio::test]
async fn another_process_does_not_repeat_reported_item() {
    let mut app = TestApp::chosen(json!({ "link_id": LINK_ID })).await;
    app.finish().await;
    app.upstream.received_all(&["POST /log"]).await;
    app.upstream.forget();
    let mut app = app.restarted(&[]);
    assert_eq!(app.finish().await, json!({ "to": "/integration/success" }));
    app.drain().await;
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

/// The bank account is linked, so the tab keeps the item until the server accepts it or refuses it
/// permanently.
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
        app.upstream.well("update-link-account");
        app.finish().await;
    }
    for (mut app, item, is_refused) in [
        (TestApp::entered(update()).await, "../log", true),
        (TestApp::cancelled(update()).await, ITEM, true),
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
