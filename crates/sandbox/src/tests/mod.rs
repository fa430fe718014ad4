//! Black-box tests of the sandbox: real requests against a real server.
#![allow(clippy::disallowed_methods, reason = "the sandbox's responses are bounded")]

mod connect;
mod demo_links;
mod journey;
mod samples;
mod strictness;

use std::time::Duration;

use axum::{
    body::{Body, to_bytes},
    http::Request,
};
use reqwest::{Method, RequestBuilder, StatusCode};
use serde_json::{Value, json};
use tower::ServiceExt;

use super::{Sandbox, SandboxOptions};

/// A client with a link and a sandbox of its own.
struct TestClient {
    sandbox: Sandbox,
    http: reqwest::Client,
    token: String,
    /// The XSRF token without its encoded `=`.
    xsrf: String,
}

/// The tests use no TLS, but reqwest requires a crypto provider.
fn http_client() -> reqwest::Client {
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::new()
}

/// HTTP status and body; a body that is not JSON is a JSON text.
type Reply = (StatusCode, Value);

impl TestClient {
    async fn with(token: &str) -> Self {
        let options = SandboxOptions { slow: Duration::from_millis(1), ..SandboxOptions::default() };
        let sandbox = Sandbox::start(options).await.unwrap();
        Self { sandbox, http: http_client(), token: token.to_owned(), xsrf: String::new() }
    }

    /// After the validation, with the XSRF token.
    async fn entered(token: &str) -> Self {
        let mut client = Self::with(token).await;
        client.enter().await;
        client
    }

    async fn enter(&mut self) {
        let payload = json!({ "token": self.token, "no_validate": "of-success" });
        let reply = self.bare(Method::POST, "/validate-token").json(&payload).send().await.unwrap();
        let cookie = reply.headers()["set-cookie"].to_str().unwrap();
        let (value, attributes) = cookie.strip_prefix("XSRF-TOKEN=").unwrap().split_once(';').unwrap();
        assert_eq!(attributes, " Path=/; SameSite=Lax");
        self.xsrf = value.strip_suffix("%3D").unwrap().to_owned();
    }

    /// A request without the headers that a call needs.
    fn bare(&self, method: Method, path: &str) -> RequestBuilder {
        self.http.request(method, format!("{}{path}", self.sandbox.api_url()))
    }

    /// A request with all headers that a call needs, except the content type.
    fn signed(&self, method: Method, path: &str) -> RequestBuilder {
        let cookie = format!("other=1; XSRF-TOKEN={}%3D", self.xsrf);
        self.bare(method, path)
            .bearer_auth(&self.token)
            .header("cookie", cookie)
            .header("x-xsrf-token", format!("{}=", self.xsrf))
    }

    async fn get(&self, path: &str) -> reqwest::Result<Reply> {
        read(self.signed(Method::GET, path)).await
    }

    async fn post(&self, path: &str, payload: Value) -> reqwest::Result<Reply> {
        read(self.signed(Method::POST, path).json(&payload)).await
    }

    async fn put(&self, path: &str, payload: Value) -> reqwest::Result<Reply> {
        read(self.signed(Method::PUT, path).json(&payload)).await
    }

    async fn validate(&self, payload: Value) -> reqwest::Result<Reply> {
        read(self.bare(Method::POST, "/validate-token").json(&payload)).await
    }

    /// The session data; fails the test if there is none.
    async fn profile(&self) -> Value {
        let (status, body) = self.validate(json!({ "token": self.token, "no_validate": "of-success" })).await.unwrap();
        assert_eq!((status, &body["meta"]), (StatusCode::OK, &json!({ "status": 200, "message": "OK" })));
        body["data"].clone()
    }

    async fn accounts(&self) -> Vec<Value> {
        let (status, body) = self.get("/list-accounts").await.unwrap();
        assert_eq!(status, StatusCode::OK, "{body}");
        body["data"].as_array().unwrap().clone()
    }

    async fn connect_token(&self) -> String {
        let profile = self.profile().await;
        let payload = json!({ "link_id": profile["link_id"], "client_uuid": profile["client_uuid"] });
        let (status, body) = self.post("/connect-token", payload).await.unwrap();
        assert_eq!(status, StatusCode::OK, "{body}");
        body["data"].as_str().unwrap().to_owned()
    }

    /// Posts the item as the stand-in's script does on success.
    async fn finish_connect(&self, payload: Value) -> (u16, Value) {
        let request = Request::post("/sandbox/connect/items").header("content-type", "application/json");
        let request = request.body(Body::from(payload.to_string())).unwrap();
        let reply = self.sandbox.pages().oneshot(request).await.unwrap();
        let status = reply.status().as_u16();
        let body = to_bytes(reply.into_body(), usize::MAX).await.unwrap();
        (status, serde_json::from_slice(&body).unwrap_or(Value::Null))
    }
}

async fn read(request: RequestBuilder) -> reqwest::Result<Reply> {
    let reply = request.send().await?;
    let status = reply.status();
    let text = reply.text().await?;
    Ok((status, serde_json::from_str(&text).unwrap_or(Value::String(text))))
}

/// Asserts an error in the envelope; it may have data only with the provider's error code.
#[track_caller]
fn assert_refused(reply: reqwest::Result<Reply>, status: u16, message: &str) {
    let (http, body) = reply.unwrap();
    assert_eq!(http.as_u16(), status, "{body}");
    assert_eq!(body["meta"]["status"], status, "{body}");
    assert!(body["data"].is_null() || body["data"]["code"].is_string(), "{body}");
    assert!(body["meta"]["message"].as_str().unwrap().contains(message), "{body} lacks {message:?}");
}
