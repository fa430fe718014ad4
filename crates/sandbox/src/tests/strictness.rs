//! Tests that the sandbox rejects each violation of the contract and names it.

use serde_json::{Value, json};

use super::{TestClient, assert_refused};

#[tokio::test]
async fn rejects_malformed_payloads_and_other_client() {
    let client = TestClient::entered("demo-atualizar").await;
    let profile = client.profile().await;
    let (link, uuid) = (&profile["link_id"], &profile["client_uuid"]);
    let log = |kind: &str, status: &str, data: Value| json!({ "type": kind, "status": status, "data_log": data });
    for (call, payload, problem) in [
        ("POST /validate-token", json!({ "token": 1 }), "token"),
        (
            "POST /validate-token",
            json!({ "token": "demo-atualizar", "no_validate": true }),
            "no_validate",
        ),
        (
            "POST /authorize-customer",
            json!({ "customer_id": "4217" }),
            "customer_id",
        ),
        (
            "POST /cancel-integrations",
            json!({ "cpfcnpj": "62.839.471/0001-45" }),
            "cpfcnpj",
        ),
        ("POST /success", json!({}), "token"),
        (
            "POST /connect-token",
            json!({ "client_uuid": uuid }),
            "link_id",
        ),
        (
            "POST /connect-token",
            json!({ "link_id": link, "client_uuid": null }),
            "client_uuid",
        ),
        (
            "POST /log",
            json!({ "type": "pluggy-widget-error", "status": "ERROR" }),
            "data_log",
        ),
        (
            "POST /log",
            log("pluggy-widget-close", "ERROR", json!("{}")),
            "type: none",
        ),
        (
            "POST /log",
            log("pluggy-widget-error", "error", json!("{}")),
            "status: neither",
        ),
        (
            "POST /log",
            log("pluggy-widget-error", "ERROR", json!("oops")),
            "data_log",
        ),
        ("PUT /update-link-account", json!({ "link": "" }), "link"),
        (
            "PUT /update-link-account",
            json!({ "link": "a".repeat(129) }),
            "link",
        ),
    ] {
        assert_refused(client.call(call, payload).await, 422, problem);
    }
    let authorize = || client.request("POST /authorize-customer");
    assert_refused(client.send(authorize(), "{").await, 422, "EOF");
    let text = client.sandbox.api_url();
    let bare = axum::http::Request::post("/widget-api/log")
        .header("authorization", "Bearer demo-atualizar");
    assert_refused(client.send(bare, &text).await, 403, "cookie");
    assert_refused(
        client.call("GET /list-account", Value::Null).await,
        404,
        "No such call",
    );
    assert_refused(
        client.call("GET /success", Value::Null).await,
        405,
        "Method not allowed",
    );
}

#[tokio::test]
async fn rejects_malformed_optional_headers() {
    let client = TestClient::entered("demo-novo").await;
    let (consent, address) = ("POST /authorize-customer", "Consent-Client-Address");
    for (call, name, value, is_good) in [
        (consent, address, "198.51.100.1", true),
        (consent, address, "2804:14c::1", true),
        (consent, address, "[2804:14c::1]", false),
        (consent, address, "198.51.100.1:80", false),
        (
            consent,
            "Consent-Browser",
            "Mozilla/5.0 (Linux; Android 10; K)",
            true,
        ),
        (consent, "Consent-Browser", "", false),
        (consent, "Consent-Browser", &"x".repeat(201), false),
        (consent, "Consent-Text-Version", "1", true),
        (consent, "Consent-Text-Version", "0f", false),
    ] {
        let payload = json!({ "customer_id": 4217 });
        let reply = client
            .send(
                client.request(call).header(name, value),
                &payload.to_string(),
            )
            .await;
        if is_good {
            assert_eq!(reply.unwrap().0, 200, "{name}: {value}");
        } else {
            assert_refused(reply, 422, name);
        }
    }
}
