//! `/integration/success`: the success call, once.

use serde_json::json;

use super::{LINK, TOKEN, TestApp, all_at_once, bank_form, navigate, no_reply, scripted::Act, update};

#[tokio::test]
async fn success_is_told_once_a_linking() {
    let mut app = TestApp::linked(json!({})).await;
    app.upstream.forget();
    let page = app.get("/integration/success").await;
    assert_eq!(page.context()["isSuccess"], false);
    assert_eq!(app.done("confirm_success", json!({})).await, json!({}));
    let call = app.upstream.only("POST /success");
    assert_eq!(call.body, json!({ "token": TOKEN }));
    assert_eq!(call.header("authorization"), Some(&*format!("Bearer {TOKEN}")));
    assert!(app.snapshot().progress.success_reported);

    let reloaded = app.get("/integration/success").await;
    assert_eq!((reloaded.page(), &reloaded.context()["isSuccess"]), (Some("success"), &json!(true)));
    assert_eq!(app.done("confirm_success", json!({})).await, json!({}));
    app.enter().await;
    app.done("confirm_success", json!({})).await;
    app.upstream.only("POST /success");

    app.done("save_bank_form", bank_form()).await;
    app.done("open_connect", json!({})).await;
    app.done("finish_connect", json!({ "itemId": "another-item" })).await;
    assert_eq!(app.get("/integration/success").await.context()["isSuccess"], false);
    for _ in 0..2 {
        app.done("confirm_success", json!({})).await;
    }
    app.upstream.received_all(&["POST /success"; 2]).await;
    assert_eq!(app.upstream.lines().iter().filter(|line| *line == "POST /success").count(), 2, "once each");
}

/// A double click, a reload, a second tab: all with the cookie from before the response.
#[tokio::test]
async fn however_many_ask_at_once_success_is_told_once() {
    let mut app = TestApp::linked(json!({})).await;
    app.upstream.forget();
    let cookie = app.cookie.clone();
    let asked: Vec<_> = (0..20).map(|_| app.answer_to("confirm_success", json!({}))).collect();
    for answer in all_at_once(asked).await {
        // The server limits the concurrent actions of one link.
        assert!(matches!(answer.status, 200 | 503), "{answer:?}");
    }
    app.upstream.only("POST /success");
    app.cookie = cookie;
    app.done("confirm_success", json!({})).await;
    app.upstream.only("POST /success");
}

/// A linking after a cancellation is another success.
#[tokio::test]
async fn a_linking_after_a_cancellation_is_told_again() {
    let mut app = TestApp::linked(json!({})).await;
    app.done("confirm_success", json!({})).await;
    app.done("cancel_integrations", json!({})).await;
    app.act("confirm_success", json!({})).await.assert_failure(409, &navigate("/integration/new"));
    app.consent().await;
    app.validate("?of-success").await;
    app.done("confirm_success", json!({})).await;
    assert_eq!(app.upstream.lines().iter().filter(|line| *line == "POST /success").count(), 2);
}

#[tokio::test]
async fn a_failed_success_call_may_be_made_again() {
    let mut app = TestApp::linked(json!({})).await;
    app.upstream.on("success", Act::Reset);
    app.act("confirm_success", json!({})).await.assert_failure(504, &no_reply());
    assert_eq!(app.get("/integration/success").await.context()["isSuccess"], false);
    app.upstream.well("success");
    app.done("confirm_success", json!({})).await;
    assert!(app.snapshot().progress.success_reported);
}

/// The server confirms no success that did not happen.
#[tokio::test]
async fn without_a_link_there_is_no_success_to_tell() {
    for (changes, home) in [
        (json!({}), "/integration/new"),
        (update(), "/integration/update"),
        (json!({ "widget_type": "cancel" }), "/cancel/confirm"),
    ] {
        let mut app = TestApp::entered(changes).await;
        app.upstream.forget();
        app.act("confirm_success", json!({})).await.assert_failure(409, &navigate(home));
        assert_eq!(app.upstream.lines(), [""; 0]);
        app.get("/integration/success").await.assert_redirect(home);
    }
}

/// A client who comes back from the bank with `of-success` sees it, too.
#[tokio::test]
async fn a_return_from_the_bank_is_a_success() {
    let mut app = TestApp::start().await;
    let answer = app.validate(&format!("{}&of-success", &LINK[1..])).await;
    assert_eq!(answer.json(), json!({ "to": "/integration/success?validado=1" }));
    assert_eq!(app.get("/integration/success").await.page(), Some("success"));
    app.done("confirm_success", json!({})).await;
    assert_eq!(app.upstream.only("POST /success").body, json!({ "token": TOKEN }));
    app.validate("?of-success").await;
    app.done("confirm_success", json!({})).await;
    app.upstream.only("POST /success");
}

#[tokio::test]
async fn only_a_link_for_new_accounts_offers_another_one() {
    for (changes, offers) in [(json!({}), true), (update(), false)] {
        let mut app = TestApp::linked(changes).await;
        let page = app.get("/integration/success").await;
        assert!(page.text.contains("Integração concluída com sucesso!"));
        for words in ["Integrar outra conta bancária", "Concluir integração"] {
            assert_eq!(page.shown().contains(words), offers, "{words}");
        }
    }
}
