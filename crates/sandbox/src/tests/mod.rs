//! Tests of the sandbox by requests to its routers.

mod connect;
mod contract;
mod demo_links;
mod strictness;

use std::time::Duration;

use axum::{
    Router,
    body::{Body, to_bytes},
    http::{Request, StatusCode, request::Builder},
};
use serde_json::{Value, json};
use tower::ServiceExt;

use super::{Sandbox, SandboxOptions};

/// A client with a link.
struct TestClient {
    sandbox: Sandbox,
    token: String,
    /// The XSRF token without its encoded `=`.
    xsrf: String,
}

/// HTTP status and body, which is null if it is not JSON; or an error if the connection closes
/// without a response.
type Reply = Result<(StatusCode, Value), axum::Error>;

impl TestClient {
    /// A client with a separate sandbox whose accounts are confirmed at once.
    async fn new(token: &str) -> Self {
        let options = SandboxOptions {
            confirm_after: Duration::ZERO,
            ..SandboxOptions::default()
        };
        Self {
            sandbox: Sandbox::start(options).await.unwrap(),
            token: token.to_owned(),
            xsrf: String::new(),
        }
    }

    /// After the validation, with the XSRF token.
    async fn entered(token: &str) -> Self {
        let mut client = Self::new(token).await;
        client.enter().await;
        client
    }

    async fn enter(&mut self) {
        let payload = json!({ "token": self.token, "no_validate": "of-success" });
        let request =
            Request::post("/widget-api/validate-token").header("content-type", "application/json");
        let reply = self
            .sandbox
            .api()
            .oneshot(request.body(Body::from(payload.to_string())).unwrap())
            .await
            .unwrap();
        let cookie = reply.headers()["set-cookie"].to_str().unwrap();
        let (value, attributes) = cookie
            .strip_prefix("XSRF-TOKEN=")
            .unwrap()
            .split_once(';')
            .unwrap();
        assert_eq!(attributes, " Path=/; SameSite=Lax");
        self.xsrf = value.strip_suffix("%3D").unwrap().to_owned();
    }

    /// Sends a request with all headers that a call needs. `call` has the form `POST /log`.
    fn request(&self, call: &str) -> Builder {
        let (method, path) = call.split_once(' ').unwrap();
        Request::builder()
            .method(method)
            .uri(format!("/widget-api{path}"))
            .header("content-type", "application/json")
            .header("authorization", format!("Bearer {}", self.token))
            .header("cookie", format!("other=1; XSRF-TOKEN={}%3D", self.xsrf))
            .header("x-xsrf-token", format!("{}=", self.xsrf))
    }

    async fn call(&self, call: &str, payload: Value) -> Reply {
        self.send(self.request(call), &payload.to_string()).await
    }

    async fn send(&self, request: Builder, body: &str) -> Reply {
        send(
            self.sandbox.api(),
            request.body(body.to_owned().into()).unwrap(),
        )
        .await
    }

    async fn validate(&self) -> Reply {
        self.call("POST /validate-token", json!({ "token": self.token }))
            .await
    }

    /// The session data.
    async fn profile(&self) -> Value {
        let payload = json!({ "token": self.token, "no_validate": "of-success" });
        self.call("POST /validate-token", payload).await.unwrap().1["data"].clone()
    }

    async fn accounts(&self) -> Vec<Value> {
        let (status, body) = self.call("GET /list-accounts", Value::Null).await.unwrap();
        assert_eq!(status, 200, "{body}");
        body["data"].as_array().unwrap().clone()
    }

    async fn open_connect(&self) -> Reply {
        let profile = self.profile().await;
        let payload =
            json!({ "link_id": profile["link_id"], "client_uuid": profile["client_uuid"] });
        self.call("POST /connect-token", payload).await
    }

    /// Opens Connect, and posts its item with these fields as the stand-in's script does on
    /// success.
    async fn connect(&self, mut fields: Value) -> (StatusCode, Value) {
        fields["connectToken"] = self.open_connect().await.unwrap().1["data"].clone();
        self.finish_connect(fields).await
    }

    async fn finish_connect(&self, payload: Value) -> (StatusCode, Value) {
        let request =
            Request::post("/sandbox/connect/items").header("content-type", "application/json");
        send(
            self.sandbox.pages(),
            request.body(payload.to_string().into()).unwrap(),
        )
        .await
        .unwrap()
    }
}

async fn send(router: Router, request: Request<Body>) -> Reply {
    let reply = router.oneshot(request).await.unwrap();
    let status = reply.status();
    let body = to_bytes(reply.into_body(), usize::MAX).await?;
    Ok((status, serde_json::from_slice(&body).unwrap_or_default()))
}

/// Asserts an error in the envelope; it may have data only with the provider's error code.
#[track_caller]
fn assert_refused(reply: Reply, status: u16, message: &str) {
    let (http, body) = reply.unwrap();
    assert_eq!(http.as_u16(), status, "{body}");
    assert_eq!(body["meta"]["status"], status, "{body}");
    assert!(
        body["data"].is_null() || body["data"]["code"].is_string(),
        "{body}"
    );
    assert!(
        body["meta"]["message"].as_str().unwrap().contains(message),
        "{body} lacks {message:?}"
    );
}
