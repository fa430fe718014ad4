//! What was linked a moment ago: on the accounts screen, the success screen and the receipt.

use serde_json::{Value, json};

use super::{TOKEN, TestApp, bank_form, scripted::Act, update};

/// What Connect reports if another person has to approve the account.
fn pending() -> Value {
    json!({ "message": "USER_AUTHORIZATION_PENDING", "itemId": null, "pending": true })
}

async fn shown(app: &mut TestApp) -> Vec<(String, String)> {
    let context = app.get("/integration/accounts").await.context();
    let text = |one: &Value, name: &str| one[name].as_str().unwrap().to_owned();
    context["linkings"].as_array().unwrap().iter().map(|one| (text(one, "bank"), text(one, "state"))).collect()
}

#[tokio::test]
async fn a_linked_account_is_shown_at_once() {
    let mut app = TestApp::chosen(json!({})).await;
    assert_eq!(shown(&mut app).await, []);
    app.done("save_bank_form", bank_form()).await;
    app.done("open_connect", json!({})).await;
    app.done("finish_connect", json!({ "itemId": "an-item" })).await;
    let confirming = [("Nubank".to_owned(), "confirming".to_owned())];
    assert_eq!(shown(&mut app).await, confirming);
    app.done("finish_connect", json!({ "itemId": "an-item" })).await;
    assert_eq!(shown(&mut app).await, confirming, "reported twice, shown once");
    let page = app.get("/integration/accounts").await;
    assert!(page.text.contains("Em confirmação: aparece aqui em até 5 minutos."), "{}", page.text);

    assert!(page.text.contains("/integration/receipt"));
}

/// Without JavaScript the same rows stand beside the list.
#[tokio::test]
async fn a_linked_account_is_shown_until_the_list_names_its_bank() {
    let mut app = TestApp::linked(json!({})).await;
    for (bank, is_shown) in [("Banco Inter S.A.", true), ("NU PAGAMENTOS - IP", false), ("260", false)] {
        let accounts = json!([{ "bank": bank, "agency": "1", "number": "2", "name": "N" }]);
        app.upstream.on("list-accounts", Act::data(&accounts));
        for path in ["/integration/accounts?listar=1", "/cancel/confirm?listar=1"] {
            let page = app.get(path).await;
            assert!(page.text.contains(bank), "{path}: {}", page.text);
            assert_eq!(page.text.to_lowercase().contains("em confirmação"), is_shown, "{path} {bank}: {}", page.text);
        }
    }
}

#[tokio::test]
async fn an_account_that_waits_for_an_approval_is_shown_once_with_its_day() {
    let mut app = TestApp::chosen(json!({})).await;
    app.done("open_connect", json!({})).await;
    for _ in 0..2 {
        app.done("report_connect_error", pending()).await;
    }
    let page = app.get("/integration/accounts").await;
    let linking = page.context()["linkings"][0].clone();
    assert_eq!((&linking["bank"], &linking["state"]), (&json!("Nubank"), &json!("awaits")));
    let day = linking["approveBy"].as_str().unwrap();
    assert!(page.text.contains(&format!("em geral até {day}.")), "{}", page.text);
    assert_eq!(page.context()["linkings"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_cancellation_and_an_update_leave_nothing_to_wait_for() {
    let mut app = TestApp::linked(json!({})).await;
    app.done("cancel_integrations", json!({})).await;
    assert_eq!(shown(&mut app).await, []);

    let mut app = TestApp::entered(update()).await;
    app.done("open_connect", json!({})).await;
    app.done("finish_connect", json!({ "itemId": "an-item" })).await;
    assert_eq!(shown(&mut app).await, []);
    let page = app.get("/integration/success").await;
    assert!(page.text.contains("foi renovada, e Contábil Horizonte volta a receber"), "{}", page.text);
}

#[tokio::test]
async fn success_says_who_may_read_what_of_which_bank() {
    let mut app = TestApp::linked(json!({})).await;
    let page = app.get("/integration/success").await;
    for fact in ["Quem pode consultar", "Contábil Horizonte", "Nubank", "Por prazo indeterminado", "/cancel/confirm"] {
        assert!(page.text.contains(fact), "{fact}: {}", page.text);
    }
    assert!(!page.text.contains("já pode consultar"), "the bank has yet to confirm");

    let form = bank_form();
    let other = json!({ "bank": "077", "bankName": "Inter", "name": form["name"], "cpf": form["cpf"] });
    app.done("save_bank_form", other).await;
    app.done("report_connect_error", pending()).await;
    let page = app.get("/integration/success").await;
    assert!(page.text.contains(">Nubank<") && !page.text.contains(">Inter<"), "not approved: {}", page.text);
}

/// The bank may send somebody back who has not given the consent in this browser.
#[tokio::test]
async fn without_a_consent_success_offers_no_receipt() {
    let mut app = TestApp::start().await;
    app.validate(&format!("?token={TOKEN}&of-success")).await;
    let page = app.get("/integration/success").await;
    assert_eq!(page.page(), Some("success"));
    assert!(!page.text.contains("/integration/receipt"), "{}", page.text);
}

#[tokio::test]
async fn the_receipt_names_both_sides_the_time_the_text_and_the_bank() {
    let mut app = TestApp::entered(json!({ "client_cpfcnpj": "40.817.256/0001-00" })).await;
    app.get("/integration/receipt").await.assert_redirect("/integration/widget");
    app.done("accept_consent", json!({ "text": "1f2e3d4c" })).await;
    let before = app.get("/integration/receipt").await;
    assert!(!before.text.contains("Contas conectadas por este link"));
    app.done("save_bank_form", bank_form()).await;
    app.done("open_connect", json!({})).await;
    app.done("report_connect_error", pending()).await;
    let waits = app.get("/integration/receipt").await;
    assert!(!waits.text.contains("Contas conectadas por este link"), "not approved yet");
    app.done("finish_connect", json!({ "itemId": "an-item" })).await;
    let receipt = app.get("/integration/receipt").await;
    assert_eq!(receipt.page(), Some("receipt"));
    for fact in
        ["Contábil Horizonte", "CNPJ **.817.256/0001-**", "Nubank, em ", "/20", "Código de atendimento", "1f2e3d4c"]
    {
        assert!(receipt.text.contains(fact), "{fact}: {}", receipt.text);
    }
    for secret in ["40.817.256/0001-00", "40817256000100", "vincula-context"] {
        assert!(!receipt.text.contains(secret), "{secret}");
    }
    app.done("cancel_integrations", json!({})).await;
    let cancelled = app.get("/integration/receipt").await;
    assert!(
        !cancelled.text.contains("Nubank") && !cancelled.text.contains("Por prazo indeterminado"),
        "no longer shared"
    );
    assert!(cancelled.text.contains("cancelado por você em "), "{}", cancelled.text);
    assert!(cancelled.text.contains("1f2e3d4c"), "the text that was agreed to");

    app.done("accept_consent", json!({ "text": "1f2e3d4c" })).await;
    let again = app.get("/integration/receipt").await;
    for words in ["Por prazo indeterminado", "Autorização anterior", ", cancelada por você em "] {
        assert!(again.text.contains(words), "{words}: {}", again.text);
    }
}

/// Banks and names of the upstream are texts.
#[tokio::test]
async fn what_the_form_says_of_the_bank_stays_text() {
    let mut app = TestApp::chosen(json!({})).await;
    let form = bank_form();
    let named =
        json!({ "bank": form["bank"], "name": form["name"], "cpf": form["cpf"], "bankName": "<b>\"O'B\" &</b>" });
    app.done("save_bank_form", named).await;
    app.done("open_connect", json!({})).await;
    app.done("finish_connect", json!({ "itemId": "an-item" })).await;
    for path in ["/integration/accounts", "/integration/success", "/integration/receipt"] {
        let page = app.get(path).await;
        assert!(!page.text.contains("<b>") && page.text.contains("&lt;b&gt;"), "{path}: {}", page.text);
    }
}
