//! The nine calls of successful journeys, as the product makes them.

use serde_json::{Value, json};

use super::{StatusCode, TestClient};

#[tokio::test]
async fn new_company_passes_through_every_call() {
    let client = TestClient::entered("demo-novo").await;
    let profile = client.profile().await;
    assert_eq!(
        profile,
        json!({
            "client_name": "Padaria Aurora Ltda",
            "client_cpfcnpj": "40817256000100",
            "customer_id": 4217,
            "customer_name": "Contábil Horizonte",
            "widget_account_admin_name": "",
            "widget_account_admin_cpfcnpj": "",
            "widget_type": "new",
            "widget_account_bank": null,
            "link_id": null,
            "client_uuid": "5b0f3c1e-7a52-4d0c-9c1b-0d6f5a1e2b01",
        })
    );
    let done = (StatusCode::OK, json!({ "data": null, "meta": { "status": 200, "message": "OK" } }));
    let log = json!({ "type": "pluggy-widget-success", "status": "SUCCESS", "data_log": "{\"item\":1}" });
    assert_eq!(client.post("/authorize-customer", json!({ "customer_id": 4217 })).await.unwrap(), done);
    assert!(client.accounts().await.is_empty());
    assert!(client.connect_token().await.len() > 30);
    assert_eq!(client.post("/log", log).await.unwrap(), done);
    assert_eq!(client.put("/update-link-account", json!({ "link": "an-item" })).await.unwrap(), done);
    assert_eq!(client.post("/success", json!({ "token": "demo-novo" })).await.unwrap(), done);
}

#[tokio::test]
async fn bank_list_has_codes_and_names() {
    let client = TestClient::entered("demo-novo").await;
    let (_, body) = client.get("/list-banks").await.unwrap();
    let banks = body["data"].as_array().unwrap();
    assert_eq!(banks.len(), 222);
    assert!(banks.contains(&json!({ "code": "104", "name": "Caixa Econômica Federal" })));
    assert!(banks.iter().all(|bank| bank["code"].is_string() && bank["name"].is_string()));
}

#[tokio::test]
async fn after_a_cancellation_the_link_is_refused() {
    let client = TestClient::entered("demo-cancelar").await;
    let accounts = client.accounts().await;
    assert_eq!(accounts.len(), 3);
    let first = json!({
        "bank": "Caixa Econômica Federal",
        "agency": "1680",
        "number": "000123456-0",
        "name": "Mercearia Boa Vista Ltda",
    });
    assert_eq!(accounts[0], first);
    let opened_before = client.connect_token().await;
    let log = json!({ "type": "pluggy-widget-success", "status": "SUCCESS", "data_log": "{}" });
    for (path, payload) in [
        ("/cancel-integrations", json!({ "cpfcnpj": "73940582000160" })),
        // No answer may have come: the client presses again.
        ("/cancel-integrations", json!({ "cpfcnpj": "73940582000160" })),
        // The id of an item that comes late is wanted.
        ("/log", log),
    ] {
        assert_eq!(client.post(path, payload).await.unwrap().0, StatusCode::OK, "{path}");
    }
    assert!(client.accounts().await.is_empty());
    let opening = json!({ "link_id": null, "client_uuid": client.profile().await["client_uuid"] });
    for refused in [
        client.post("/authorize-customer", json!({ "customer_id": 4217 })).await,
        client.get("/list-banks").await,
        client.post("/connect-token", opening).await,
        client.put("/update-link-account", json!({ "link": "an-item" })).await,
        client.post("/success", json!({ "token": "demo-cancelar" })).await,
    ] {
        super::assert_refused(refused, 403, "Integrations cancelled");
    }
    let finish = json!({ "connectToken": opened_before, "updateItem": null });
    assert_eq!(client.finish_connect(finish).await.0, 409);
}

#[tokio::test]
async fn one_link_can_be_authorized_anew_after_a_cancellation() {
    let client = TestClient::entered("demo-contas").await;
    client.post("/cancel-integrations", json!({ "cpfcnpj": "51.728.361/0001-90" })).await.unwrap();
    super::assert_refused(client.get("/list-banks").await, 403, "Integrations cancelled");
    let (status, body) = client.post("/authorize-customer", json!({ "customer_id": 4217 })).await.unwrap();
    assert_eq!(status, StatusCode::OK, "{body}");
    assert!(client.accounts().await.is_empty());
    let finish = json!({ "connectToken": client.connect_token().await, "updateItem": null });
    assert_eq!(client.finish_connect(finish).await.0, 200);
    assert_eq!(client.accounts().await.len(), 1);
}

#[tokio::test]
async fn copies_of_a_link_have_a_state_of_their_own() {
    let mut client = TestClient::entered("demo-cancelar.first").await;
    client.post("/cancel-integrations", json!({ "cpfcnpj": "73940582000160" })).await.unwrap();
    assert!(client.accounts().await.is_empty());
    client.token = "demo-cancelar.second".into();
    client.enter().await;
    assert_eq!(client.accounts().await.len(), 3);
}

#[tokio::test]
async fn memory_is_bounded() {
    let mut client = TestClient::entered("demo-cancelar").await;
    client.post("/cancel-integrations", json!({ "cpfcnpj": "73940582000160" })).await.unwrap();
    for number in 0..255 {
        client.token = format!("demo-novo.{number}");
        client.accounts().await;
    }
    client.token = "demo-cancelar".into();
    assert!(client.accounts().await.is_empty());
    for number in 0..256 {
        client.token = format!("demo-novo.{number}");
        client.accounts().await;
    }
    client.token = "demo-cancelar".into();
    assert_eq!(client.accounts().await.len(), 3, "the least recently used state is forgotten");
}

#[tokio::test]
async fn unknown_paths_and_verbs_are_refused_in_the_envelope() {
    let client = TestClient::entered("demo-novo").await;
    super::assert_refused(client.get("/list-account").await, 404, "No such call");
    super::assert_refused(client.get("/success").await, 405, "Method not allowed");
    super::assert_refused(client.post("/update-link-account", Value::Null).await, 405, "Method not allowed");
}
