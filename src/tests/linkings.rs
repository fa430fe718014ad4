//! Recently linked accounts on the accounts screen, the success screen and the receipt.

use serde_json::{Value, json};
use vincula_domain::words::CONSENT_VERSION;

use super::{Act, ITEM, TestApp, bank_form, update};

async fn shown(app: &mut TestApp) -> Vec<(String, String)> {
    let context = app.get("/integration/accounts").await.context();
    let text = |row: &Value, name: &str| row[name].as_str().unwrap().to_owned();
    let rows = context["linkings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["row"]);
    rows.map(|row| (text(row, "bank"), text(row, "state")))
        .collect()
}

#[tokio::test]
async fn shows_linked_account_at_once() {
    let mut app = TestApp::chosen(json!({})).await;
    assert_eq!(shown(&mut app).await, []);
    app.link_another(bank_form(), "an-item").await;
    let confirming = [("Nubank".to_owned(), "confirming".to_owned())];
    assert_eq!(shown(&mut app).await, confirming);
    app.done("finish_connect", json!({ "itemId": "an-item" }))
        .await;
    assert_eq!(
        shown(&mut app).await,
        confirming,
        "reported twice, shown once"
    );
    let metrics = app.state.metrics.exposition();
    assert!(
        metrics.contains("vincula_journey_steps_total{step=\"linked\"} 1\n"),
        "{metrics}"
    );
    let page = app.get("/integration/accounts").await;
    page.assert_shows(&[
        "Em confirmação: aparece aqui em até 5 minutos.",
        "/integration/receipt",
    ]);
    app.cancel().await;
    assert_eq!(shown(&mut app).await, []);

    let mut app = TestApp::entered(update()).await;
    app.done("open_connect", json!({})).await;
    app.finish().await;
    assert_eq!(shown(&mut app).await, []);
    app.get("/integration/success")
        .await
        .assert_shows(&["foi renovada, e Contábil Horizonte volta a receber"]);
}

/// The page that was left got no response; the tab delivers the item from the accounts.
#[tokio::test]
async fn account_reported_after_leaving_connect_keeps_bank() {
    let mut app = TestApp::opened(json!({})).await;
    assert_eq!(shown(&mut app).await, []);
    app.finish().await;
    assert_eq!(
        shown(&mut app).await,
        [("Nubank".to_owned(), "confirming".to_owned())]
    );
    let mut app = TestApp::opened(json!({})).await;
    assert_eq!(shown(&mut app).await, []);
    app.await_approval().await;
    assert_eq!(
        shown(&mut app).await,
        [("Nubank".to_owned(), "awaits".to_owned())]
    );
}

/// The tab kept the item of a bank while the client chose another one.
#[tokio::test]
async fn item_of_earlier_bank_keeps_its_name_and_the_later_choice() {
    let mut app = TestApp::opened(json!({})).await;
    let item = json!({ "itemId": "an-item", "bankName": " Itaú " });
    app.done("finish_connect", item).await;
    assert_eq!(
        app.get("/integration/widget").await.page(),
        Some("connect"),
        "Connect opens for the bank that was chosen"
    );
    app.done(
        "finish_connect",
        json!({ "itemId": ITEM, "bankName": "Nubank" }),
    )
    .await;
    assert_eq!(
        shown(&mut app).await,
        [
            ("Nubank".to_owned(), "confirming".to_owned()),
            ("Itaú".to_owned(), "confirming".to_owned())
        ]
    );
    app.get("/integration/widget")
        .await
        .assert_redirect("/integration/select-bank");
}

/// Without JavaScript, the same rows are next to the list.
#[tokio::test]
async fn shows_linked_account_until_bank_is_listed() {
    let mut app = TestApp::linked(json!({})).await;
    for (bank, name, is_shown) in [
        ("Banco Inter S.A.", ">Inter<", true),
        ("NU PAGAMENTOS - IP", ">Nubank<", false),
        ("260", ">260<", false),
    ] {
        let accounts = json!([{ "bank": bank, "agency": "1", "number": "2", "name": "N" }]);
        app.upstream.on("list-accounts", Act::data(&accounts));
        for path in ["/integration/accounts?listar=1", "/cancel/confirm?listar=1"] {
            let page = app.get(path).await;
            page.assert_shows(&[name]);
            assert_eq!(
                page.text.to_lowercase().contains("em confirmação"),
                is_shown,
                "{path} {bank}: {}",
                page.text
            );
        }
    }
}

/// Without a consent, the report is ignored, because anybody could send it.
#[tokio::test]
async fn shows_account_awaiting_approval_once_with_day() {
    let mut app = TestApp::chosen(json!({})).await;
    app.done("open_connect", json!({})).await;
    for _ in 0..2 {
        app.await_approval().await;
    }
    assert_eq!(
        shown(&mut app).await,
        [("Nubank".to_owned(), "awaits".to_owned())]
    );
    let page = app.get("/integration/accounts").await;
    let context = page.context();
    let day = context["linkings"][0]["row"]["approveBy"].as_str().unwrap();
    page.assert_shows(&[&format!("em geral até {day}.")]);
    let mut app = TestApp::entered(json!({})).await;
    app.await_approval().await;
    assert_eq!(shown(&mut app).await, []);
}

#[tokio::test]
async fn success_names_firm_data_and_bank() {
    let mut app = TestApp::linked(json!({})).await;
    let page = app.get("/integration/success").await;
    let facts = [
        "Quem pode consultar",
        "Contábil Horizonte",
        "Nubank",
        "Por prazo indeterminado",
        "/cancel/confirm",
    ];
    page.assert_shows(&facts);
    // The bank has yet to confirm.
    page.assert_lacks(&["já pode consultar"]);

    let form = bank_form();
    let other =
        json!({ "bank": "077", "bankName": "Inter", "name": form["name"], "cpf": form["cpf"] });
    app.done("save_bank_form", other).await;
    app.await_approval().await;
    let page = app.get("/integration/success").await;
    page.assert_shows(&[">Nubank<"]);
    page.assert_lacks(&[">Inter<"]);
}

#[tokio::test]
async fn receipt_names_parties_time_text_and_bank() {
    const RECEIPT: &str = "/integration/receipt";
    const LINKED: &str = "Contas conectadas por este link";
    let version = format!("<dd>{CONSENT_VERSION}<");
    let mut app = TestApp::entered(json!({ "client_cpfcnpj": "40.817.256/0001-00" })).await;
    app.get(RECEIPT)
        .await
        .assert_redirect("/integration/widget");
    app.done("accept_consent", json!({})).await;
    app.get(RECEIPT).await.assert_lacks(&[LINKED]);
    app.done("save_bank_form", bank_form()).await;
    app.done("open_connect", json!({})).await;
    app.await_approval().await;
    app.get(RECEIPT).await.assert_lacks(&[LINKED]);
    app.finish().await;
    let receipt = app.get(RECEIPT).await;
    assert_eq!(receipt.page(), Some("receipt"));
    receipt.assert_shows(&[
        LINKED,
        "Contábil Horizonte",
        "CNPJ **.817.256/0001-**",
        "Nubank, em ",
        "/20",
        &version,
    ]);
    receipt.assert_shows(&["Código de atendimento"]);
    receipt.assert_lacks(&[
        "40.817.256/0001-00",
        "40817256000100",
        "vincula-context",
        "/1969",
        "/1970",
    ]);
    app.cancel().await;
    let cancelled = app.get(RECEIPT).await;
    cancelled.assert_lacks(&["Nubank", "Por prazo indeterminado"]);
    cancelled.assert_shows(&["cancelada por você em ", &version]);

    app.done("accept_consent", json!({})).await;
    let again = app.get(RECEIPT).await;
    again.assert_shows(&[
        "Por prazo indeterminado",
        "Autorização anterior",
        ", cancelada por você em ",
    ]);
}
