//! The Connect stand-in and the accounts that it adds.

use std::time::Duration;

use axum::{body::Body, http::Request};
use serde_json::{Value, json};
use tokio::time::advance;
use tower::ServiceExt;

use super::{Sandbox, SandboxOptions, TestClient, send};

#[tokio::test(start_paused = true)]
async fn lists_account_at_once_and_confirms_it_later() {
    let sandbox = Sandbox::start(SandboxOptions::default()).await.unwrap();
    let mut client = TestClient {
        sandbox,
        token: "demo-novo".into(),
        xsrf: String::new(),
    };
    client.enter().await;
    assert_eq!(
        client
            .connect(json!({ "updateItem": null, "bank": "336" }))
            .await
            .0,
        200
    );
    let (bank, name) = ("Banco C6 S.A.", "Padaria Aurora Ltda");
    advance(Duration::from_millis(5_999)).await;
    assert!(client.accounts().await.is_empty());
    advance(Duration::from_millis(1)).await;
    let confirmed = json!({ "bank": bank, "agency": "0001", "number": "10203-0", "name": name });
    assert_eq!(client.accounts().await, [confirmed]);
}

#[tokio::test]
async fn account_awaiting_approval_is_not_listed() {
    let client = TestClient::entered("demo-novo").await;
    let finish = json!({ "updateItem": null, "connectorId": 336, "awaitsApproval": true });
    let (status, body) = client.connect(finish).await;
    assert!(
        status == 200 && body["item"]["id"].is_string(),
        "{status} {body}"
    );
    assert!(client.accounts().await.is_empty());
}

#[tokio::test]
async fn account_has_bank_of_chosen_connector() {
    let client = TestClient::entered("demo-novo").await;
    let ask = async |id| {
        let request = Request::get(format!("/sandbox/connect/connectors/{id}"))
            .body(Body::empty())
            .unwrap();
        send(client.sandbox.pages(), request).await.unwrap()
    };
    for (id, name) in [
        (260, "Nu Pagamentos S.A. - Instituição de Pagamento"),
        (1, "Banco do Brasil S.A."),
    ] {
        assert_eq!(ask(id).await.1, json!({ "name": name }));
        assert_eq!(
            client
                .connect(json!({ "updateItem": null, "connectorId": id }))
                .await
                .0,
            200
        );
        assert_eq!(client.accounts().await.last().unwrap()["bank"], name);
    }
    assert_eq!(ask(9).await.0, 404);
    for bank in [Value::Null, json!("no such bank")] {
        assert_eq!(
            client
                .connect(json!({ "updateItem": null, "bank": bank }))
                .await
                .0,
            200
        );
    }
    let accounts = client.accounts().await;
    assert!(
        accounts[2]["bank"] != accounts[3]["bank"]
            && accounts[2]["number"] != accounts[3]["number"]
    );
}

#[tokio::test]
async fn update_returns_its_item_and_adds_no_account() {
    let client = TestClient::entered("demo-atualizar").await;
    let item = client.profile().await["link_id"].clone();
    let (status, body) = client.connect(json!({ "updateItem": item })).await;
    assert_eq!(
        (status.as_u16(), body),
        (200, json!({ "item": { "id": item } }))
    );
    assert_eq!(client.accounts().await.len(), 1);
    assert_eq!(
        client
            .connect(json!({ "updateItem": "somebody-elses" }))
            .await
            .0,
        404
    );
    let unknown = json!({ "connectToken": "sandbox-made-up", "updateItem": null });
    assert_eq!(client.finish_connect(unknown).await.0, 404);
}

#[tokio::test]
async fn limits_accounts_per_link() {
    let client = TestClient::entered("demo-novo").await;
    for _ in 0..50 {
        assert_eq!(client.connect(json!({ "updateItem": null })).await.0, 200);
    }
    assert_eq!(client.connect(json!({ "updateItem": null })).await.0, 409);
}

#[tokio::test]
async fn pages_forbid_storing_indexing_and_foreign_frames() {
    let client = TestClient::new("demo-novo").await;
    for (path, header, value) in [
        ("/sandbox", "x-robots-tag", "noindex"),
        ("/sandbox", "cache-control", "no-store"),
        ("/sandbox/connect", "x-frame-options", "SAMEORIGIN"),
        ("/sandbox/connect", "cache-control", "no-store"),
    ] {
        let reply = client
            .sandbox
            .pages()
            .oneshot(Request::get(path).body(Body::empty()).unwrap())
            .await
            .unwrap();
        assert_eq!(reply.headers()[header], value, "{path}");
    }
}
