//! The contract: the sandbox accepts the requests that the client's tests send, and its responses have the shape that
//! they read. The samples are the client's; only their personal values are replaced by those of our links.

use reqwest::Method;
use serde_json::{Value, json};

use super::{TestClient, read};

macro_rules! sample {
    ($name:literal) => {
        serde_json::from_str::<Value>(include_str!(concat!("../../../upstream/src/samples/", $name, ".json"))).unwrap()
    };
}

/// The one link whose session data has every field of the sample.
const FULL: &str = "demo-atualizar";

#[tokio::test]
async fn validation_samples_are_taken_and_answered_in_shape() {
    let client = TestClient::with(FULL).await;
    for request in [sample!("validate-token.request"), sample!("validate-token-of-success.request")] {
        let (status, body) = client.validate(with(request, "token", &json!(FULL))).await.unwrap();
        assert!(status.is_success(), "{body}");
        assert_same_shape(&body, &sample!("validate-token.answer"), "validate-token");
    }
}

#[tokio::test]
async fn request_samples_are_taken_and_answered_in_shape() {
    let client = TestClient::entered(FULL).await;
    let profile = client.profile().await;
    let opening = with(sample!("connect-token.request"), "link_id", &profile["link_id"]);
    for (method, path, request, answer) in [
        (Method::GET, "/list-accounts", None, sample!("list-accounts.answer")),
        (Method::GET, "/list-banks", None, sample!("list-banks.answer")),
        (
            Method::POST,
            "/authorize-customer",
            Some(with(sample!("authorize-customer.request"), "customer_id", &profile["customer_id"])),
            sample!("authorize-customer.answer"),
        ),
        (
            Method::POST,
            "/connect-token",
            Some(with(opening, "client_uuid", &profile["client_uuid"])),
            sample!("connect-token.answer"),
        ),
        (Method::POST, "/log", Some(sample!("log.request")), sample!("log.answer")),
        (
            Method::PUT,
            "/update-link-account",
            Some(sample!("update-link-account.request")),
            sample!("update-link-account.answer"),
        ),
        (
            Method::POST,
            "/success",
            Some(with(sample!("success.request"), "token", &json!(FULL))),
            sample!("success.answer"),
        ),
        (
            Method::POST,
            "/cancel-integrations",
            Some(with(sample!("cancel-integrations.request"), "cpfcnpj", &profile["client_cpfcnpj"])),
            sample!("cancel-integrations.answer"),
        ),
    ] {
        let call = client.signed(method, path);
        let call = if let Some(payload) = request { call.json(&payload) } else { call };
        let (status, body) = read(call).await.unwrap();
        assert!(status.is_success(), "{path}: {body}");
        assert_same_shape(&body, &answer, path);
    }
}

#[tokio::test]
async fn a_row_that_waits_has_the_shape_of_its_sample() {
    let client = TestClient::entered("demo-aguardando").await;
    let (_, body) = client.get("/list-accounts").await.unwrap();
    assert_same_shape(&body, &sample!("list-accounts.waiting.answer"), "list-accounts");
    assert_eq!(body["data"][0]["status"], "awaiting_approval");
}

#[tokio::test]
async fn client_without_ids_sends_both_as_null() {
    let client = TestClient::entered("demo-alfanumerico").await;
    let (_, body) = client.post("/connect-token", sample!("connect-token-new.request")).await.unwrap();
    assert_same_shape(&body, &sample!("connect-token.answer"), "connect-token");
}

#[tokio::test]
async fn error_samples_are_what_the_links_trigger() {
    let client = TestClient::with("").await;
    let validate = async |token: &str| client.validate(json!({ "token": token })).await.unwrap();
    let gone = TestClient::entered("demo-item-inexistente").await;
    let profile = gone.profile().await;
    let opening = json!({ "link_id": profile["link_id"], "client_uuid": profile["client_uuid"] });
    let same = TestClient::entered("demo-sem-alteracao").await;
    for ((http, body), sample) in [
        (validate("demo-expirado").await, sample!("error.expired-token")),
        (validate("demo-inexistente").await, sample!("error.not-found")),
        (gone.post("/connect-token", opening).await.unwrap(), sample!("error.item-not-found")),
        (same.put("/update-link-account", json!({ "link": "x" })).await.unwrap(), sample!("error.unchanged")),
    ] {
        assert_eq!(http.as_u16(), sample["meta"]["status"], "{body}");
        assert_eq!(body, sample);
    }
    assert_same_shape(&validate("demo-invalido").await.1, &sample!("error.other"), "error.other");
}

fn with(mut payload: Value, key: &str, value: &Value) -> Value {
    payload[key].clone_from(value);
    payload
}

/// Asserts the same keys with values of the same type; each list element must have the shape of the sample's first.
#[track_caller]
fn assert_same_shape(ours: &Value, sample: &Value, at: &str) {
    match (ours, sample) {
        (Value::Object(ours), Value::Object(sample)) => {
            assert!(ours.keys().eq(sample.keys()), "{at}: {:?} is not {:?}", ours.keys(), sample.keys());
            ours.iter().for_each(|(key, value)| assert_same_shape(value, &sample[key], &format!("{at}.{key}")));
        }
        (Value::Array(ours), Value::Array(sample)) => {
            assert!(!ours.is_empty(), "{at}: empty");
            ours.iter().for_each(|value| assert_same_shape(value, &sample[0], &format!("{at}[]")));
        }
        _ => {
            let same_kind = ours.is_string() == sample.is_string()
                && ours.is_number() == sample.is_number()
                && ours.is_null() == sample.is_null()
                && ours.is_boolean() == sample.is_boolean();
            assert!(same_kind, "{at}: {ours} is not like {sample}");
        }
    }
}
