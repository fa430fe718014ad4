//! Tests that each demonstration link behaves as described.

use serde_json::{Value, json};
use tokio::time::Instant;

use super::{Sandbox, SandboxOptions, TestClient, assert_refused};

#[tokio::test]
async fn links_return_session_data_of_their_client() {
    for (token, document, kind, accounts) in [
        ("demo-novo", "12ABC34501DE35", "new", 0),
        ("demo-pessoa", "41708293523", "new", 0),
        ("demo-contas", "51.728.361/0001-90", "new", 2),
        ("demo-retorno", "84051693000131", "new", 1),
        ("demo-atualizar", "62839471000145", "update", 1),
        ("demo-cancelar", "73940582000160", "cancel", 3),
        ("demo-erro-500", "95162704000177", "new", 0),
        ("demo-item-inexistente", "30617285000175", "update", 0),
        ("demo-sem-alteracao", "41728396000175", "update", 1),
    ] {
        let client = TestClient::entered(token).await;
        let profile = client.profile().await;
        assert_eq!(profile["client_cpfcnpj"], document, "{token}");
        assert_eq!(profile["widget_type"], kind, "{token}");
        assert_eq!(profile["link_id"].is_string(), kind == "update", "{token}");
        assert_eq!(client.accounts().await.len(), accounts, "{token}");
    }
}

#[tokio::test]
async fn error_links_fail_as_described() {
    for (token, status, message) in [
        ("demo-expirado", 401, "Expired token"),
        ("demo-inexistente", 404, "Token not found"),
        ("nobody-knows-me", 404, "Token not found"),
    ] {
        let client = TestClient::new(token).await;
        assert_refused(client.validate().await, status, message);
        assert_refused(
            client.call("GET /list-accounts", Value::Null).await,
            status,
            message,
        );
    }
    assert!(
        TestClient::new("demo-sem-resposta")
            .await
            .validate()
            .await
            .is_err()
    );
    let (status, body) = TestClient::new("demo-malformado")
        .await
        .validate()
        .await
        .unwrap();
    assert_eq!(
        (status.as_u16(), &body["data"], &body["meta"]),
        (200, &Value::Null, &Value::Null)
    );
    assert_refused(
        TestClient::new("demo-retorno").await.validate().await,
        401,
        "Expired token",
    );

    let broken = TestClient::entered("demo-erro-500").await;
    let (status, page) = broken
        .call("POST /authorize-customer", json!({ "customer_id": 4217 }))
        .await
        .unwrap();
    assert_eq!((status.as_u16(), page), (500, Value::Null), "no JSON");
    let gone = TestClient::entered("demo-item-inexistente").await;
    assert_refused(gone.open_connect().await, 404, "item not found");
    let same = TestClient::entered("demo-sem-alteracao").await;
    assert_eq!(same.open_connect().await.unwrap().0, 200);
    assert_refused(
        same.call("PUT /update-link-account", json!({ "link": "x" }))
            .await,
        409,
        "no changes",
    );
}

#[tokio::test(start_paused = true)]
async fn slow_link_delays_every_call() {
    let sandbox = Sandbox::start(SandboxOptions::default()).await.unwrap();
    let mut client = TestClient {
        sandbox,
        token: "demo-lento".into(),
        xsrf: String::new(),
    };
    let before = Instant::now();
    client.enter().await;
    client.accounts().await;
    assert_eq!(before.elapsed().as_secs(), 2 * 12);
}

#[tokio::test]
async fn rejects_link_after_cancellation() {
    let client = TestClient::entered("demo-cancelar").await;
    let token = client.open_connect().await.unwrap().1["data"].clone();
    let log = json!({ "type": "pluggy-widget-success", "status": "SUCCESS", "data_log": "{}" });
    for (call, payload) in [
        (
            "POST /cancel-integrations",
            json!({ "cpfcnpj": "73940582000160" }),
        ),
        // The response may have been lost, so a repeated press is accepted.
        (
            "POST /cancel-integrations",
            json!({ "cpfcnpj": "73940582000160" }),
        ),
        // The id of a late item is still accepted.
        ("POST /log", log),
    ] {
        assert_eq!(client.call(call, payload).await.unwrap().0, 200, "{call}");
    }
    assert!(client.accounts().await.is_empty());
    for (call, payload) in [
        ("POST /authorize-customer", json!({ "customer_id": 4217 })),
        ("GET /list-banks", Value::Null),
        ("PUT /update-link-account", json!({ "link": "an-item" })),
        ("POST /success", json!({ "token": "demo-cancelar" })),
    ] {
        assert_refused(
            client.call(call, payload).await,
            403,
            "Integrations cancelled",
        );
    }
    assert_refused(client.open_connect().await, 403, "Integrations cancelled");
    let (status, _) = client
        .finish_connect(json!({ "connectToken": token, "updateItem": null }))
        .await;
    assert_eq!(status, 409);
}

#[tokio::test]
async fn one_link_can_be_authorized_again_after_cancellation() {
    let client = TestClient::entered("demo-contas").await;
    client
        .call(
            "POST /cancel-integrations",
            json!({ "cpfcnpj": "51.728.361/0001-90" }),
        )
        .await
        .unwrap();
    assert_refused(
        client.call("GET /list-banks", Value::Null).await,
        403,
        "Integrations cancelled",
    );
    client
        .call("POST /authorize-customer", json!({ "customer_id": 4217 }))
        .await
        .unwrap();
    assert!(client.accounts().await.is_empty());
    assert_eq!(client.connect(json!({ "updateItem": null })).await.0, 200);
    assert_eq!(client.accounts().await.len(), 1);
}

/// Copies of a link have separate states. The least recently used one is dropped.
#[tokio::test]
async fn limits_stored_links() {
    let mut client = TestClient::entered("demo-cancelar.first").await;
    client
        .call(
            "POST /cancel-integrations",
            json!({ "cpfcnpj": "73940582000160" }),
        )
        .await
        .unwrap();
    for (others, accounts) in [(255, 0), (256, 3)] {
        for number in 0..others {
            client.token = format!("demo-cancelar.{number}");
            assert_eq!(client.accounts().await.len(), 3);
        }
        client.token = "demo-cancelar.first".into();
        assert_eq!(client.accounts().await.len(), accounts);
    }
}
