//! What Connect is told of the bank: the chosen connector, and the kind of them.

use serde_json::{Value, json};

use super::{
    TestApp, profile,
    scripted::{Act, Scripted},
    update,
};

/// The bank is chosen once if the codes of the bank list are connector ids; an update has its bank.
#[tokio::test]
async fn connect_opens_at_the_chosen_bank_if_its_code_is_a_connector() {
    let mut app = TestApp::chosen(json!({})).await;
    assert_eq!(app.get("/integration/select-bank").await.context()["bankForm"]["bankIsAskedAgain"], true);
    let cookie = app.cookie.take();
    let mut app = TestApp { cookie, ..TestApp::with_upstream(app.upstream, &["--bank-codes", "connector"]) };
    assert_eq!(app.done("open_connect", json!({})).await["selectedConnectorId"], 260);
    let form = app.get("/integration/select-bank").await;
    assert_eq!(form.context()["bankForm"]["bankIsAskedAgain"], false);
    assert!(form.text.contains("<section class=\"asked-once\">"), "{}", form.text);

    let upstream = Scripted::start().await;
    upstream.on("validate-token", Act::data(&profile(update())));
    let options = ["--bank-codes", "connector", "--connector-types", "by-client"];
    let mut app = TestApp::with_upstream(upstream, &options);
    app.enter().await;
    let start = app.done("open_connect", json!({})).await;
    assert_eq!((&start["selectedConnectorId"], &start["connectorType"]), (&Value::Null, &Value::Null));
}

#[tokio::test]
async fn connect_lists_the_kind_of_connectors_that_fits_if_it_is_told_to() {
    for (document, kind) in [("12.ABC.345/01DE-35", "BUSINESS_BANK"), ("529.982.247-25", "PERSONAL_BANK")] {
        let mut app = TestApp::chosen(json!({ "client_cpfcnpj": document })).await;
        let cookie = app.cookie.take();
        let mut app = TestApp { cookie, ..TestApp::with_upstream(app.upstream, &["--connector-types", "by-client"]) };
        assert_eq!(app.done("open_connect", json!({})).await["connectorType"], kind, "{document}");
    }
}

/// Who asks for an update, and why, is on its page before any script.
#[tokio::test]
async fn an_update_says_who_asks_for_it() {
    let html = TestApp::entered(update()).await.get("/integration/update").await.text;
    assert!(html.contains("<section class=\"updating\"><h1>Contábil"), "{html}");
    let html = TestApp::chosen(json!({})).await.get("/integration/widget").await.text;
    assert!(html.contains("<section class=\"opening\">"), "{html}");
}
