//! The sandbox follows the contract.

use serde_json::{Value, json};
use vincula_testing::example;

use super::TestClient;

#[tokio::test]
async fn accepts_examples_with_unknown_keys_and_responds_with_fields_of_the_contract() {
    let client = TestClient::entered("demo-contas").await;
    let profile = client.profile().await;
    let token = json!({ "token": client.token });
    let ids = json!({ "link_id": profile["link_id"], "client_uuid": profile["client_uuid"] });
    for (call, own_values) in [
        ("POST /validate-token", &token),
        (
            "POST /authorize-customer",
            &json!({ "customer_id": profile["customer_id"] }),
        ),
        ("GET /list-accounts", &Value::Null),
        ("GET /list-banks", &Value::Null),
        ("POST /connect-token", &ids),
        ("POST /log", &json!({})),
        ("PUT /update-link-account", &json!({})),
        ("POST /success", &token),
        (
            "POST /cancel-integrations",
            &json!({ "cpfcnpj": profile["client_cpfcnpj"] }),
        ),
    ] {
        let (_, name) = call.split_once('/').unwrap();
        let mut payload = Value::Null;
        if let Some(own_values) = own_values.as_object() {
            payload = example(&format!("{name}.request")).clone();
            payload["a_later_key"] = json!({});
            for (key, value) in own_values {
                payload[key] = value.clone();
            }
        }
        let (status, body) = client.call(call, payload).await.unwrap();
        assert_eq!(status, 200, "{call}: {body}");
        let expected = example(&format!("{name}.response"));
        assert_eq!(keys_of(&body), keys_of(expected), "{call}");
    }
}

/// A body without its values: the keys of objects, and the first element of lists.
fn keys_of(body: &Value) -> Value {
    match body {
        Value::Object(fields) => fields
            .iter()
            .map(|(key, value)| (key.clone(), keys_of(value)))
            .collect(),
        Value::Array(elements) => elements.iter().take(1).map(keys_of).collect(),
        _ => Value::Null,
    }
}
