//! The requirements on a request: the sandbox rejects each omission and names it.

use reqwest::Method;
use serde_json::{Value, json};

use super::{TestClient, assert_refused, read};

#[tokio::test]
async fn bearer_token_is_required() {
    let client = TestClient::entered("demo-novo").await;
    for value in ["", "Bearer ", "Basic ZGVtbw==", "demo-novo", "bearer demo-novo"] {
        let request = client.bare(Method::GET, "/list-accounts").header("authorization", value);
        assert_refused(read(request).await, 401, "Bearer");
    }
    assert_refused(read(client.bare(Method::GET, "/list-banks")).await, 401, "Bearer");
    let request = client.bare(Method::GET, "/list-banks").bearer_auth("demo-nov");
    assert_refused(read(request).await, 404, "Token not found");
}

#[tokio::test]
async fn writes_need_the_xsrf_token_twice() {
    let client = TestClient::entered("demo-novo").await;
    let (cookie, header) = (format!("XSRF-TOKEN={}%3D", client.xsrf), format!("{}=", client.xsrf));
    let writes = [
        (Method::POST, "/authorize-customer"),
        (Method::POST, "/cancel-integrations"),
        (Method::POST, "/success"),
        (Method::POST, "/connect-token"),
        (Method::POST, "/log"),
        (Method::PUT, "/update-link-account"),
    ];
    for (method, path) in writes {
        let request = || client.bare(method.clone(), path).bearer_auth("demo-novo").json(&json!({}));
        assert_refused(read(request()).await, 403, "cookie");
        assert_refused(read(request().header("x-xsrf-token", &header)).await, 403, "cookie");
        assert_refused(read(request().header("cookie", &cookie)).await, 403, "X-XSRF-TOKEN");
        for wrong in ["0=", cookie.strip_prefix("XSRF-TOKEN=").unwrap()] {
            let request = request().header("cookie", &cookie).header("x-xsrf-token", wrong);
            assert_refused(read(request).await, 403, "X-XSRF-TOKEN");
        }
    }
    let other = TestClient { token: "demo-pessoa".into(), ..client };
    assert_refused(other.post("/success", json!({ "token": "demo-pessoa" })).await, 403, "cookie");
}

#[tokio::test]
async fn reads_need_no_xsrf_token() {
    let client = TestClient::with("demo-novo").await;
    let request = client.bare(Method::GET, "/list-accounts").bearer_auth("demo-novo");
    assert!(read(request).await.unwrap().0.is_success());
}

#[tokio::test]
async fn payloads_are_json() {
    let client = TestClient::entered("demo-novo").await;
    let post = || client.signed(Method::POST, "/authorize-customer");
    let text = r#"{"customer_id":4217}"#;
    assert_refused(read(post().body(text)).await, 422, "Content-Type");
    assert_refused(read(post().header("content-type", "text/plain").body(text)).await, 422, "Content-Type");
    let typed = |body: &str| post().header("content-type", "application/json; charset=utf-8").body(body.to_owned());
    assert!(read(typed(text)).await.unwrap().0.is_success());
    assert_refused(read(typed("")).await, 422, "EOF");
    assert_refused(read(typed("{")).await, 422, "EOF");
}

#[tokio::test]
async fn validation_takes_a_token_and_nothing_but_the_mark() {
    let client = TestClient::with("demo-novo").await;
    for payload in [
        json!({}),
        json!({ "token": null }),
        json!({ "token": 1 }),
        json!({ "token": "demo-novo", "no_validate": null }),
        json!({ "token": "demo-novo", "no_validate": true }),
        json!({ "token": "demo-novo", "no_validate": "yes" }),
        json!({ "token": "demo-novo", "query": "" }),
    ] {
        assert_refused(client.validate(payload).await, 422, "payload: expected {\"token\":");
    }
}

#[tokio::test]
async fn payloads_have_the_specified_keys_and_speak_of_the_client() {
    let client = TestClient::entered("demo-atualizar").await;
    let profile = client.profile().await;
    let (link, uuid) = (&profile["link_id"], &profile["client_uuid"]);
    let log = |kind: &str, status: &str, data: Value| json!({ "type": kind, "status": status, "data_log": data });
    for (path, payload, problem) in [
        ("/authorize-customer", json!({}), "customer_id"),
        ("/authorize-customer", json!({ "customer_id": 4218 }), "customer_id"),
        ("/authorize-customer", json!({ "customer_id": "4217" }), "customer_id"),
        ("/authorize-customer", json!({ "customer_id": 4217, "token": "demo-atualizar" }), "customer_id"),
        ("/cancel-integrations", json!({}), "cpfcnpj"),
        ("/cancel-integrations", json!({ "cpfcnpj": 62_839_471_000_145_u64 }), "cpfcnpj"),
        ("/cancel-integrations", json!({ "cpfcnpj": "62.839.471/0001-45" }), "cpfcnpj"),
        ("/success", json!({}), "token"),
        ("/success", json!({ "token": "demo-novo" }), "token"),
        ("/connect-token", json!({ "client_uuid": uuid }), "link_id"),
        ("/connect-token", json!({ "link_id": link }), "client_uuid"),
        ("/connect-token", json!({ "link_id": null, "client_uuid": uuid }), "link_id"),
        ("/connect-token", json!({ "link_id": link, "client_uuid": null }), "client_uuid"),
        ("/connect-token", json!({ "link_id": 1, "client_uuid": uuid }), "link_id"),
        ("/log", json!({ "type": "pluggy-widget-error", "status": "ERROR" }), "data_log"),
        ("/log", log("pluggy-widget-close", "ERROR", json!("{}")), "type: none"),
        ("/log", log("pluggy-widget-error", "error", json!("{}")), "status: neither"),
        ("/log", log("pluggy-widget-error", "ERROR", json!({})), "data_log"),
        ("/log", log("pluggy-widget-error", "ERROR", json!("oops")), "data_log"),
        ("/log", log("pluggy-widget-error", "ERROR", json!("")), "data_log"),
    ] {
        assert_refused(client.post(path, payload).await, 422, problem);
    }
    for payload in [
        json!({}),
        json!({ "link": "" }),
        json!({ "link": "a".repeat(129) }),
        json!({ "link": null }),
        json!({ "link": link, "token": "demo-atualizar" }),
        json!([link]),
    ] {
        assert_refused(client.put("/update-link-account", payload).await, 422, "link");
    }
}

#[tokio::test]
async fn four_kinds_of_log_are_taken() {
    let client = TestClient::entered("demo-novo").await;
    for (kind, status) in [
        ("pluggy-getConnectToken-request", "SUCCESS"),
        ("pluggy-getConnectToken-response", "ERROR"),
        ("pluggy-widget-success", "SUCCESS"),
        ("pluggy-widget-error", "ERROR"),
    ] {
        let (http, body) =
            client.post("/log", json!({ "type": kind, "status": status, "data_log": "null" })).await.unwrap();
        assert!(http.is_success(), "{kind}: {body}");
    }
}

#[tokio::test]
async fn evidence_of_a_consent_is_well_formed_where_it_is_there() {
    let client = TestClient::entered("demo-novo").await;
    let hash = "0f".repeat(32);
    for (name, good, bad) in [
        (
            "Consent-Client-Address",
            &["198.51.100.1", "2804:14c::1"][..],
            &["[2804:14c::1]", "unknown", "198.51.100.1:80"][..],
        ),
        ("Consent-Browser", &["Mozilla/5.0 (Linux; Android 10; K)"], &["", &"x".repeat(201)]),
        ("Consent-Text-SHA256", &[&hash], &["0f0f0f0f", "x"]),
        ("Consent-Purpose", &["fechar 100%25 do balan%C3%A7o."], &["", "100%", "balan%7", "%+1"]),
    ] {
        let post = |value: &str| {
            let request = client.signed(Method::POST, "/authorize-customer").json(&json!({ "customer_id": 4217 }));
            read(request.header(name, value))
        };
        for value in good {
            assert!(post(value).await.unwrap().0.is_success(), "{name}: {value}");
        }
        for value in bad {
            assert_refused(post(value).await, 422, name);
        }
    }
}

#[tokio::test]
async fn the_key_of_a_repetition_is_a_uuid() {
    let client = TestClient::entered("demo-novo").await;
    let entry = json!({ "type": "pluggy-widget-success", "status": "SUCCESS", "data_log": "{}" });
    let post = |key: &str| read(client.signed(Method::POST, "/log").json(&entry).header("idempotency-key", key));
    assert!(post("6f4e0ccb-6ea3-4cf3-8e55-7f6a3e3f7d2a").await.unwrap().0.is_success());
    for key in ["", "0", "6f4e0ccb6ea34cf38e557f6a3e3f7d2a", "6f4e0ccb-6ea3-4cf3-8e55-7f6a3e3f7d2x"] {
        assert_refused(post(key).await, 422, "Idempotency-Key");
    }
}
