//! `/integration/widget` before the consent (spec §2, "Authorization screen").

use serde_json::json;
use vincula_web::session::Stage;

use super::{LINK_ID, TOKEN, TestApp, bank_form, update};

#[tokio::test]
async fn a_consent_authorizes_the_firm_and_leads_to_the_accounts() {
    for customer_id in [json!(4711), json!("4711"), json!("c-0042")] {
        let mut app = TestApp::entered(json!({ "customer_id": customer_id })).await;
        assert_eq!(app.get("/integration/new").await.location(), Some("/integration/widget"));
        app.upstream.forget();
        assert_eq!(app.done("accept_consent", json!({})).await, json!({ "to": "/integration/accounts" }));
        let call = app.upstream.only("POST /authorize-customer");
        assert_eq!(call.body, json!({ "customer_id": customer_id }), "goes back with its type");
        assert_eq!(call.header("authorization"), Some(&*format!("Bearer {TOKEN}")));
        assert_eq!(call.header("content-type"), Some("application/json"));
        assert!(app.session().unwrap().stage.consent().is_some());
        assert_eq!(app.get("/integration/new").await.location(), Some("/integration/accounts"));
    }
}

/// Before hydration, or without JavaScript.
#[tokio::test]
async fn the_native_form_does_the_same() {
    let mut app = TestApp::entered(json!({})).await;
    let page = app.get("/integration/widget").await;
    let (_, rest) = page.text.split_once("name=\"session\" value=\"").unwrap();
    let session = rest.split('"').next().unwrap().to_owned();
    app.upstream.forget();
    let answer = app.post_form("/integration/widget", format!("session={session}&consent=yes")).await;
    answer.assert_redirect("/integration/accounts");
    assert_eq!(app.upstream.only("POST /authorize-customer").body, json!({ "customer_id": 4711 }));
    assert!(app.session().unwrap().stage.consent().is_some());
    assert_eq!(app.get("/integration/accounts").await.page(), Some("accounts"));
}

/// D11, and the box that has to be ticked.
#[tokio::test]
async fn a_native_form_without_a_tick_or_of_another_session_authorizes_nobody() {
    let mut app = TestApp::entered(json!({})).await;
    app.upstream.forget();
    let before = app.snapshot();
    let own = &before.id;
    for form in [
        format!("session={own}"),
        "consent=yes&session=".to_owned(),
        "consent=yes&session=0123456789abcdef0123456789abcdef".to_owned(),
        format!("consent=yes&session={own}0"),
    ] {
        let answer = app.post_form("/integration/widget", form.clone()).await;
        answer.assert_redirect("/integration/widget");
        assert_eq!(app.snapshot(), before, "{form}");
    }
    assert_eq!(app.upstream.lines(), [""; 0]);
}

/// No action can skip the consent.
#[tokio::test]
async fn nothing_of_the_journey_comes_before_the_consent() {
    let mut app = TestApp::entered(json!({})).await;
    app.upstream.forget();
    let before = app.snapshot();
    for (action, input, to) in [
        ("save_bank_form", bank_form(), "/integration/widget"),
        ("open_connect", json!({}), "/integration/widget"),
        ("finish_connect", json!({ "itemId": super::ITEM }), "/integration/widget"),
        ("confirm_success", json!({}), "/integration/new"),
    ] {
        app.act(action, input).await.assert_failure(409, &super::navigate(to));
        assert_eq!(app.snapshot(), before, "{action}");
    }
    assert_eq!(app.upstream.lines(), [""; 0]);
}

/// Pressed twice, or again in another tab: nothing is lost.
#[tokio::test]
async fn a_second_consent_loses_nothing() {
    let mut app = TestApp::chosen(json!({})).await;
    let before = app.snapshot();
    app.done("accept_consent", json!({})).await;
    assert_eq!(app.snapshot(), before);
    assert!(matches!(before.stage, Stage::BankChosen(..)));
}

/// A link for an update may authorize, too, and stays one for an update.
#[tokio::test]
async fn a_consent_keeps_the_rest_of_the_session() {
    let mut app = TestApp::entered(update()).await;
    let before = app.snapshot();
    app.done("accept_consent", json!({})).await;
    let after = app.snapshot();
    assert_eq!((&after.client, after.progress, &after.id), (&before.client, before.progress, &before.id));
    assert_eq!(after.client["link_id"], LINK_ID);
}
