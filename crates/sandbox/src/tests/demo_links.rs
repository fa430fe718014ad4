//! Every demonstration link behaves as its description says, over real HTTP.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::Instant,
};

use super::{Sandbox, SandboxOptions, TestClient, assert_refused};

#[tokio::test]
async fn links_give_the_session_data_of_their_client() {
    for (token, document, kind, accounts) in [
        ("demo-novo", "40817256000100", "new", 0),
        ("demo-pessoa", "41708293523", "new", 0),
        ("demo-alfanumerico", "12ABC34501DE35", "new", 0),
        ("demo-contas", "51.728.361/0001-90", "new", 2),
        ("demo-aguardando", "63940517000180", "new", 1),
        ("demo-retorno", "84051693000131", "new", 1),
        ("demo-atualizar", "62839471000145", "update", 1),
        ("demo-cancelar", "73940582000160", "cancel", 3),
        ("demo-cai-depois", "95162704000177", "new", 1),
        ("demo-lento", "95162704000177", "new", 0),
        ("demo-erro-500", "95162704000177", "new", 0),
        ("demo-item-inexistente", "30617285000175", "update", 0),
        ("demo-sem-alteracao", "41728396000175", "update", 1),
        ("demo-sem-token-connect", "95162704000177", "new", 0),
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
async fn refused_links_are_refused_on_every_call() {
    for (token, status, message) in [
        ("demo-expirado", 401, "Expired token"),
        ("demo-inexistente", 404, "Token not found"),
        ("demo-invalido", 401, "Invalid token"),
        ("nobody-knows-me", 404, "Token not found"),
    ] {
        let client = TestClient::with(token).await;
        assert_refused(client.validate(json!({ "token": token })).await, status, message);
        assert_refused(client.get("/list-accounts").await, status, message);
        assert_refused(client.post("/success", json!({ "token": token })).await, status, message);
    }
}

#[tokio::test]
async fn return_from_the_bank_needs_its_mark() {
    let client = TestClient::with("demo-retorno").await;
    assert_refused(client.validate(json!({ "token": "demo-retorno" })).await, 401, "Expired token");
    assert_eq!(client.profile().await["client_name"], "Floricultura Jasmim Ltda");
}

#[tokio::test]
async fn silent_validation_is_a_connection_error() {
    let client = TestClient::with("demo-sem-resposta").await;
    let error = client.validate(json!({ "token": "demo-sem-resposta" })).await.unwrap_err();
    assert!(error.is_request() && error.status().is_none() && !error.is_timeout(), "{error:?}");
}

#[tokio::test]
async fn silent_validation_sends_no_byte() {
    let client = TestClient::with("demo-sem-resposta").await;
    let url = client.sandbox.api_url();
    let address = url.strip_prefix("http://").unwrap().strip_suffix("/widget-api").unwrap();
    let mut stream = TcpStream::connect(address).await.unwrap();
    let payload = r#"{"token":"demo-sem-resposta"}"#;
    let request = format!(
        "POST /widget-api/validate-token HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n{payload}",
        payload.len()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;
    assert_eq!(answer, b"");
}

#[tokio::test]
async fn two_of_four_lists_fall_in_a_row_and_the_rest_goes_on() {
    let client = TestClient::entered("demo-cai-depois").await;
    for (listing, falls) in (1..).zip([false, false, true, true, false, false, true, true, false]) {
        assert_eq!(client.get("/list-accounts").await.is_err(), falls, "list {listing}");
    }
    assert!(client.post("/authorize-customer", json!({ "customer_id": 4217 })).await.unwrap().0.is_success());
}

#[tokio::test(start_paused = true)]
async fn slow_link_takes_its_time_on_every_call() {
    let options = SandboxOptions::default();
    let slow = options.slow;
    assert_eq!(slow, Duration::from_secs(12));
    let sandbox = Sandbox::start(options).await.unwrap();
    let mut client = TestClient { sandbox, ..TestClient::with("demo-lento").await };
    let before = Instant::now();
    client.enter().await;
    client.accounts().await;
    assert!(before.elapsed() >= 2 * slow, "{:?}", before.elapsed());
}

#[tokio::test]
async fn broken_authorization_answers_a_page() {
    let client = TestClient::entered("demo-erro-500").await;
    let request = client.signed(Method::POST, "/authorize-customer").json(&json!({ "customer_id": 4217 }));
    let reply = request.send().await.unwrap();
    assert_eq!(reply.status(), 500);
    assert_eq!(reply.headers()["content-type"], "text/html; charset=utf-8");
    assert!(reply.text().await.unwrap().contains("<h1>"));
}

#[tokio::test]
async fn malformed_validation_has_no_envelope() {
    let client = TestClient::with("demo-malformado").await;
    let (status, body) = client.validate(json!({ "token": "demo-malformado" })).await.unwrap();
    assert!(status.is_success());
    assert_eq!((&body["data"], &body["meta"]), (&Value::Null, &Value::Null));
}

#[tokio::test]
async fn provider_failures_come_at_their_call() {
    let opening = |profile: &Value| json!({ "link_id": profile["link_id"], "client_uuid": profile["client_uuid"] });
    let gone = TestClient::entered("demo-item-inexistente").await;
    let profile = gone.profile().await;
    assert_refused(gone.post("/connect-token", opening(&profile)).await, 404, "item not found");

    let shut = TestClient::entered("demo-sem-token-connect").await;
    let profile = shut.profile().await;
    assert_refused(shut.post("/connect-token", opening(&profile)).await, 400, "could not be created");

    let same = TestClient::entered("demo-sem-alteracao").await;
    let profile = same.profile().await;
    assert!(same.post("/connect-token", opening(&profile)).await.unwrap().0.is_success());
    let update = json!({ "link": profile["link_id"] });
    assert_refused(same.put("/update-link-account", update).await, 409, "no changes");
}
