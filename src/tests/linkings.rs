//! The account that was linked last, on the accounts screen and the success screen.

use serde_json::{Value, json};

use super::{ITEM, TestApp, bank_form, update};
use crate::{
    session::{Linking, Session},
    words::CONSENT_VERSION,
};

const AWAITS: &str = "Falta o outro responsável aprovar no aplicativo do banco.";

/// Bank and state of the account in the context of the accounts.
async fn linking(app: &mut TestApp) -> Option<(String, bool)> {
    let context = app.get("/integration/accounts").await.context();
    let linking = &context["linking"];
    let bank = linking["bank"].as_str()?.to_owned();
    Some((bank, linking["waitsForApproval"].as_bool().unwrap()))
}

#[tokio::test]
async fn accounts_name_the_account_that_was_linked_last() {
    let mut app = TestApp::chosen(json!({})).await;
    assert_eq!(linking(&mut app).await, None);
    app.link_another(bank_form(), "an-item").await;
    assert_eq!(linking(&mut app).await, Some(("Nubank".to_owned(), false)));
    let page = app.get("/integration/accounts").await;
    page.assert_shows(&["Você conectou Nubank às ", ", horário de Brasília."]);
    app.cancel().await;
    assert_eq!(linking(&mut app).await, None);

    let mut app = TestApp::entered(update()).await;
    app.done("open_connect", json!({})).await;
    app.finish().await;
    assert_eq!(linking(&mut app).await, None, "it is on the list already");
}

/// A pending approval is named as long as the session lives.
#[tokio::test]
async fn accounts_name_it_for_ten_minutes() {
    for (waits_for_approval, age, is_shown) in [
        (false, 599, true),
        (false, 601, false),
        (true, 601, true),
        (true, 14_000, true),
    ] {
        let mut app = TestApp::linked(json!({})).await;
        let session = app.session().unwrap();
        let linking = Linking {
            at: app.state.codec.now() - age,
            waits_for_approval,
            ..session.linking.clone().unwrap()
        };
        app.hold(&Session {
            linking: Some(linking),
            ..session
        });
        let shown = app.get("/integration/accounts").await.shown();
        let line = if waits_for_approval {
            "Você autorizou Nubank às "
        } else {
            "Você conectou Nubank às "
        };
        assert_eq!(shown.contains(line), is_shown, "{age}");
        assert_eq!(shown.contains(AWAITS), waits_for_approval && is_shown);
    }
}

/// Connect was closed, and reports the account afterwards.
#[tokio::test]
async fn account_reported_after_closing_connect_keeps_bank() {
    let mut app = TestApp::opened(json!({})).await;
    app.done("close_connect", json!({})).await;
    assert_eq!(linking(&mut app).await, None);
    app.finish().await;
    assert_eq!(linking(&mut app).await, Some(("Nubank".to_owned(), false)));
    let mut app = TestApp::opened(json!({})).await;
    app.done("close_connect", json!({})).await;
    app.await_approval().await;
    assert_eq!(linking(&mut app).await, Some(("Nubank".to_owned(), true)));
}

/// The bank has sent the client to another tab than the one in which Connect reports the account.
#[tokio::test]
async fn account_reported_after_return_waits_only_if_connect_says_so() {
    for waits in [false, true] {
        let mut app = TestApp::opened(json!({})).await;
        app.validate("?of-success").await;
        let item = json!({ "itemId": ITEM, "pending": waits });
        app.done("finish_connect", item).await;
        assert_eq!(linking(&mut app).await, Some(("Nubank".to_owned(), waits)));
    }
}

/// The browser kept the item of a bank while the client chose another one.
#[tokio::test]
async fn item_of_earlier_bank_keeps_the_later_choice() {
    let mut app = TestApp::opened(json!({})).await;
    app.done("save_bank_form", bank_form()).await;
    let item = json!({ "itemId": "an-item", "again": true });
    app.done("finish_connect", item).await;
    assert_eq!(
        app.get("/integration/widget").await.page(),
        Some("connect"),
        "Connect opens for the bank that was chosen"
    );
    assert_eq!(linking(&mut app).await, Some((String::new(), false)));
    app.get("/integration/accounts")
        .await
        .assert_shows(&["Você conectou uma conta às "]);
    app.done("open_connect", json!({})).await;
    app.finish().await;
    assert_eq!(linking(&mut app).await, Some(("Nubank".to_owned(), false)));
    app.get("/integration/widget")
        .await
        .assert_redirect("/integration/select-bank");
}

/// Without a consent, the report is ignored, because anybody could send it. Connect's success may
/// also say that the account waits.
#[tokio::test]
async fn shows_account_awaiting_approval() {
    let mut app = TestApp::opened(json!({})).await;
    for _ in 0..2 {
        app.await_approval().await;
    }
    assert_eq!(linking(&mut app).await, Some(("Nubank".to_owned(), true)));
    app.get("/integration/accounts")
        .await
        .assert_shows(&[AWAITS]);
    let mut app = TestApp::opened(json!({})).await;
    let waits = json!({ "itemId": ITEM, "pending": true });
    app.done("finish_connect", waits).await;
    assert_eq!(linking(&mut app).await, Some(("Nubank".to_owned(), true)));
    let mut app = TestApp::entered(json!({})).await;
    app.await_approval().await;
    assert_eq!(linking(&mut app).await, None);
}

#[tokio::test]
async fn success_names_bank_time_text_and_the_way_to_cancel() {
    let mut app = TestApp::linked(json!({ "client_cpfcnpj": "40.817.256/0001-00" })).await;
    let page = app.get("/integration/success").await;
    page.assert_shows(&[
        "Banco conectado",
        "Nubank",
        "Autorizado em",
        "/20",
        ", horário de Brasília",
        &format!(", versão {CONSENT_VERSION} do texto"),
        "Vale até você cancelar:",
        "/cancel/confirm",
    ]);
    page.assert_lacks(&[
        // The bank has yet to confirm.
        "já pode consultar",
        "40.817.256/0001-00",
        "40817256000100",
        "/1969",
        "/1970",
    ]);
}

/// The context has nothing of the linking but what the screens show.
#[tokio::test]
async fn context_has_no_item() {
    let mut app = TestApp::linked(json!({})).await;
    let page = app.get("/integration/accounts").await;
    page.assert_lacks(&[ITEM]);
    let Value::Object(linking) = page.context()["linking"].clone() else {
        panic!("an account was linked");
    };
    let mut names: Vec<_> = linking.keys().map(String::as_str).collect();
    names.sort_unstable();
    assert_eq!(names, ["bank", "shownSecs", "time", "waitsForApproval"]);
}
