//! Calls that change data: only the widget API confirms them, and concurrent requests make each of them once.

use serde_json::json;

use super::{
    ITEM, OUTAGE, TestApp, all_at_once,
    catalogue::{Uses, cases, due},
    navigate,
    scripted::Act,
    update,
};

/// The page of a captive portal, or of a proxy in front of the API, confirms nothing.
#[tokio::test]
async fn an_html_page_confirms_no_call() {
    for case in cases().into_iter().filter(|case| case.uses == Uses::Nothing) {
        let mut app = due(case.action).await;
        let before = app.snapshot();
        app.upstream.on(case.call, Act::text(200, "text/html", "<title>Entrar na rede</title>"));
        let answer = app.act(case.action, case.input.clone()).await;
        answer.assert_failure(502, &navigate(OUTAGE));
        assert_eq!(app.snapshot(), before, "{}", case.action);
        if case.action == "cancel_integrations" {
            app.get("/cancel/success").await.assert_redirect("/cancel/confirm");
        }
        app.upstream.on(case.call, Act::text(204, "text/plain", ""));
        app.done(case.action, case.input).await;
        assert_ne!(app.snapshot(), before, "{}", case.action);
    }
}

/// The success screen in eight tabs.
#[tokio::test]
async fn eight_success_screens_report_it_once() {
    let app = TestApp::linked(json!({})).await;
    app.upstream.forget();
    for answer in all_at_once((0..8).map(|_| app.answer_to("confirm_success", json!({}))).collect()).await {
        assert_eq!(answer.status, 200, "{answer:?}");
    }
    app.upstream.only("POST /success");
    assert_eq!(app.upstream.lines(), ["POST /success"]);
}

/// A Connect that ends in six tabs, or calls back six times: the link is updated once, and the item reported once.
#[tokio::test]
async fn six_ends_of_one_connect_update_the_link_once() {
    let app = TestApp::entered(update()).await;
    app.upstream.forget();
    for answer in
        all_at_once((0..6).map(|_| app.answer_to("finish_connect", json!({ "itemId": ITEM }))).collect()).await
    {
        assert_eq!((answer.status, answer.json()), (200, json!({ "to": "/integration/success" })));
    }
    app.drain().await;
    assert_eq!(app.upstream.lines(), ["PUT /update-link-account", "POST /log"]);
}

/// If the call fails, it fails for all of them, nothing is reported, and a retry is possible.
#[tokio::test]
async fn six_ends_of_one_connect_fail_together() {
    let mut app = TestApp::entered(update()).await;
    app.upstream.forget();
    app.upstream.on("update-link-account", Act::text(200, "text/html", "<h1>Bem-vindo</h1>"));
    for answer in
        all_at_once((0..6).map(|_| app.answer_to("finish_connect", json!({ "itemId": ITEM }))).collect()).await
    {
        answer.assert_failure(502, &navigate(OUTAGE));
    }
    app.upstream.only("PUT /update-link-account");
    app.upstream.well("update-link-account");
    app.done("finish_connect", json!({ "itemId": ITEM })).await;
    app.drain().await;
    let twice = ["PUT /update-link-account"; 2];
    assert_eq!(app.upstream.lines(), [&twice[..], &["POST /log"]].concat());
}
