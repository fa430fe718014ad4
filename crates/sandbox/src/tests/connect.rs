//! The Connect stand-in and the accounts that it adds.

use std::time::Duration;

use axum::{
    body::{Body, to_bytes},
    http::Request,
};
use serde_json::{Value, json};
use tokio::time::advance;
use tower::ServiceExt;

use super::{Sandbox, SandboxOptions, TestClient};
use crate::DEMO_LINKS;

#[tokio::test(start_paused = true)]
async fn an_account_is_listed_at_once_and_confirmed_after_a_while() {
    let sandbox = Sandbox::start(SandboxOptions::default()).await.unwrap();
    let connect_token = open_connect(&sandbox).await;
    let client = TestClient { sandbox: sandbox.clone(), ..TestClient::with("demo-novo").await };
    let finish = json!({ "connectToken": connect_token, "updateItem": null, "bank": "336" });
    assert_eq!(client.finish_connect(finish).await.0, 200);

    let confirming = json!([
        { "bank": "Banco C6 S.A.", "agency": "", "number": "", "name": "Padaria Aurora Ltda", "status": "confirming" }
    ]);
    assert_eq!(listed(&sandbox).await, confirming);
    advance(Duration::from_millis(5_999)).await;
    assert_eq!(listed(&sandbox).await, confirming);
    advance(Duration::from_millis(1)).await;
    assert_eq!(
        listed(&sandbox).await,
        json!([{ "bank": "Banco C6 S.A.", "agency": "0001", "number": "10203-0", "name": "Padaria Aurora Ltda" }])
    );
}

#[tokio::test]
async fn an_account_that_another_person_has_to_approve_is_listed_with_the_last_day_for_it() {
    let options = SandboxOptions { confirm_after: Duration::ZERO, ..SandboxOptions::default() };
    let sandbox = Sandbox::start(options).await.unwrap();
    let mut client = TestClient { sandbox, ..TestClient::with("demo-novo").await };
    client.enter().await;
    let finish = json!({
        "connectToken": client.connect_token().await,
        "updateItem": null,
        "connectorId": 336,
        "awaitsApproval": true,
    });
    let before = in_fifteen_days();
    let (status, body) = client.finish_connect(finish).await;
    assert!(status == 200 && body["item"]["id"].is_string(), "{status} {body}");
    let rows = client.accounts().await;
    let by = rows[0]["approve_by"].as_str().unwrap();
    assert!([before, in_fifteen_days()].iter().any(|day| day == by), "{by}");
    let row = json!({
        "bank": "Banco C6 S.A.",
        "agency": "",
        "number": "",
        "name": "Padaria Aurora Ltda",
        "status": "awaiting_approval",
        "approve_by": by,
    });
    assert_eq!(rows, [row]);
    client.post("/cancel-integrations", json!({ "cpfcnpj": "40817256000100" })).await.unwrap();
    assert!(client.accounts().await.is_empty(), "what waits is cancelled, too");
}

/// In Brasília, as `YYYY-MM-DD`.
fn in_fifteen_days() -> String {
    let there = time::OffsetDateTime::now_utc() - time::Duration::hours(3) + time::Duration::days(15);
    format!("{:04}-{:02}-{:02}", there.year(), u8::from(there.month()), there.day())
}

/// The bank that is chosen in the product is the one that is connected.
#[tokio::test]
async fn the_chosen_connector_is_the_bank_of_the_account() {
    let options = SandboxOptions { confirm_after: Duration::ZERO, ..SandboxOptions::default() };
    let sandbox = Sandbox::start(options).await.unwrap();
    let mut client = TestClient { sandbox, ..TestClient::with("demo-novo").await };
    client.enter().await;
    let ask = |id| Request::get(format!("/sandbox/connect/connectors/{id}")).body(Body::empty()).unwrap();
    for (id, name) in [(260, "Nu Pagamentos S.A. - Instituição de Pagamento"), (1, "Banco do Brasil S.A.")] {
        let named = client.sandbox.pages().oneshot(ask(id)).await.unwrap();
        let named = to_bytes(named.into_body(), usize::MAX).await.unwrap();
        assert_eq!(serde_json::from_slice::<Value>(&named).unwrap(), json!({ "name": name }));
        let token = client.connect_token().await;
        let finish = json!({ "connectToken": token, "updateItem": null, "connectorId": id });
        assert_eq!(client.finish_connect(finish).await.0, 200);
        assert_eq!(client.accounts().await.last().unwrap()["bank"], name);
    }
    assert_eq!(client.sandbox.pages().oneshot(ask(9)).await.unwrap().status(), 404);
}

#[tokio::test]
async fn each_success_makes_an_item_and_an_account_of_its_own() {
    let options = SandboxOptions { confirm_after: Duration::ZERO, ..SandboxOptions::default() };
    let sandbox = Sandbox::start(options).await.unwrap();
    let mut client = TestClient { sandbox, ..TestClient::with("demo-novo").await };
    client.enter().await;
    let mut items = Vec::new();
    for bank in [json!(null), json!(null), json!("no such bank")] {
        let finish = json!({ "connectToken": client.connect_token().await, "updateItem": null, "bank": bank });
        let (status, body) = client.finish_connect(finish).await;
        assert_eq!(status, 200);
        items.push(body["item"]["id"].as_str().unwrap().to_owned());
    }
    assert!(items.iter().all(|item| item.len() == 36) && items[0] != items[1], "{items:?}");
    let accounts = client.accounts().await;
    let banks: Vec<_> = accounts.iter().map(|account| account["bank"].as_str().unwrap()).collect();
    assert_eq!(banks, ["Banco Inter S.A.", "Nu Pagamentos S.A. - Instituição de Pagamento", "Itaú Unibanco S.A."]);
    assert_ne!(accounts[0]["number"], accounts[1]["number"]);
}

#[tokio::test]
async fn update_gives_back_its_item_and_no_new_account() {
    let client = TestClient::entered("demo-atualizar").await;
    let item = client.profile().await["link_id"].clone();
    let finish = json!({ "connectToken": client.connect_token().await, "updateItem": item });
    assert_eq!(client.finish_connect(finish).await, (200, json!({ "item": { "id": item } })));
    assert_eq!(client.accounts().await.len(), 1);
    let other = json!({ "connectToken": client.connect_token().await, "updateItem": "somebody-elses" });
    assert_eq!(client.finish_connect(other).await, (404, json!({ "message": "item not found" })));
}

#[tokio::test]
async fn connect_opens_with_an_issued_token_only() {
    let client = TestClient::entered("demo-novo").await;
    let unknown = json!({ "connectToken": "sandbox-made-up", "updateItem": null });
    assert_eq!(client.finish_connect(unknown).await, (404, json!({ "message": "connect token not found" })));
    assert_eq!(client.finish_connect(json!({})).await.0, 422);
    let one = client.connect_token().await;
    assert_ne!(one, client.connect_token().await);
}

#[tokio::test]
async fn accounts_of_one_link_are_bounded() {
    let client = TestClient::entered("demo-novo").await;
    let finish = json!({ "connectToken": client.connect_token().await, "updateItem": null });
    for _ in 0..50 {
        assert_eq!(client.finish_connect(finish.clone()).await.0, 200);
    }
    assert_eq!(client.finish_connect(finish).await.0, 409);
}

#[tokio::test]
async fn documents_are_framed_by_their_own_origin_and_never_stored() {
    let sandbox = Sandbox::start(SandboxOptions::default()).await.unwrap();
    let reply = sandbox.pages().oneshot(Request::get("/sandbox/connect").body(Body::empty()).unwrap()).await.unwrap();
    let headers = reply.headers();
    let policy = headers["content-security-policy"].to_str().unwrap();
    assert!(policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self';"), "{policy}");
    assert!(policy.ends_with("frame-ancestors 'self'") && !policy.contains("unsafe"), "{policy}");
    assert_eq!(headers["x-frame-options"], "SAMEORIGIN");
    assert_eq!(headers["cache-control"], "no-store");
    let body = to_bytes(reply.into_body(), usize::MAX).await.unwrap();
    let page = std::str::from_utf8(&body).unwrap();
    let (main, script) = (page.find("<main id=\"stand-in\">").unwrap(), page.find("<script src=").unwrap());
    assert!(main < script && page.contains("lang=\"pt-BR\"") && page.contains("viewport"));
    assert!(!page.contains("defer") && !page.contains("async"));
}

#[tokio::test]
async fn page_of_links_is_not_indexed() {
    let options = SandboxOptions { stylesheet: "/pkg/vincula.css".into(), ..SandboxOptions::default() };
    let sandbox = Sandbox::start(options).await.unwrap();
    let reply = sandbox.pages().oneshot(Request::get("/sandbox").body(Body::empty()).unwrap()).await.unwrap();
    assert_eq!(reply.headers()["x-robots-tag"], "noindex");
    let body = to_bytes(reply.into_body(), usize::MAX).await.unwrap();
    let page = std::str::from_utf8(&body).unwrap();
    assert!(page.contains("<link rel=\"stylesheet\" href=\"/pkg/vincula.css\">"));
    assert!(DEMO_LINKS.iter().all(|link| page.contains(link.title)));
}

/// A connect token of `demo-novo`, from the router without a socket.
async fn open_connect(sandbox: &Sandbox) -> String {
    let entry = Request::post("/widget-api/validate-token").header("content-type", "application/json");
    let entry = entry.body(Body::from(r#"{"token":"demo-novo"}"#)).unwrap();
    let reply = sandbox.api().oneshot(entry).await.unwrap();
    let cookie = reply.headers()["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned();
    let profile = data_of(reply).await;
    let payload = json!({ "link_id": profile["link_id"], "client_uuid": profile["client_uuid"] });
    let opening = Request::post("/widget-api/connect-token")
        .header("content-type", "application/json")
        .header("authorization", "Bearer demo-novo")
        .header("x-xsrf-token", cookie.strip_prefix("XSRF-TOKEN=").unwrap().replace("%3D", "="))
        .header("cookie", &cookie);
    let reply = sandbox.api().oneshot(opening.body(Body::from(payload.to_string())).unwrap()).await.unwrap();
    data_of(reply).await.as_str().unwrap().to_owned()
}

async fn listed(sandbox: &Sandbox) -> Value {
    let request = Request::get("/widget-api/list-accounts").header("authorization", "Bearer demo-novo");
    data_of(sandbox.api().oneshot(request.body(Body::empty()).unwrap()).await.unwrap()).await
}

async fn data_of(reply: axum::response::Response) -> Value {
    let body = to_bytes(reply.into_body(), usize::MAX).await.unwrap();
    serde_json::from_slice::<Value>(&body).unwrap()["data"].clone()
}
