//! The whole router, with the sandbox (or a stub) as its upstream.

mod connection;
mod deliveries;
mod ids;
mod layers;
mod listen;
mod metrics;
mod otlp;
pub mod panics;
pub mod privacy;
mod refusals;

use std::{net::SocketAddr, time::Duration};

use axum::{
    Router,
    body::{Body, to_bytes},
    extract::ConnectInfo,
    http::{Request, Response, header},
};
use clap::Parser;
use serde_json::{Value, json};
use tower::ServiceExt;
use vincula_sandbox::SandboxOptions;
use vincula_upstream::Upstream;

use super::router;
use crate::{
    config::{Config, Settings},
    state::{AppState, Backend},
    tests::{production, site::site},
};

/// Where visitors come from, and their browser.
const ADDRESS: [u8; 4] = [198, 51, 100, 77];
const USER_AGENT: &str = "Mozilla/5.0 (Android 15; Mobile; rv:132.0) Gecko/132.0 Firefox/132.0";

/// The router of a server, and its state.
struct TestServer {
    router: Router,
    state: AppState,
    upstream: Upstream,
}

/// A person with a browser.
struct Visitor {
    router: Router,
    cookie_name: &'static str,
    /// Name and value, as the browser sends them.
    cookie: Option<String>,
    /// The session's id, as the pages carry it.
    session: String,
    /// Every cookie that was ever set.
    cookies_seen: Vec<String>,
}

struct Seen {
    status: u16,
    headers: axum::http::HeaderMap,
    body: String,
}

impl TestServer {
    async fn on_the_sandbox() -> Self {
        let options = SandboxOptions {
            slow: Duration::from_millis(1),
            ..SandboxOptions::default()
        };
        let Settings { api, config } = Config::parse_from(["vincula"]).check().unwrap();
        Self::build(&config, Backend::start(api, options).await.unwrap())
    }

    /// A server with this upstream.
    fn on(upstream: &str) -> Self {
        Self::with(upstream, &[])
    }

    /// A server with this upstream and further options.
    fn with(upstream: &str, options: &[&str]) -> Self {
        let (config, backend) = production(upstream, options);
        Self::build(&config, backend)
    }

    fn build(config: &Config, backend: Backend) -> Self {
        let site = site();
        let state = AppState::new(config, &site, backend).unwrap();
        let upstream = state.upstream.clone();
        Self {
            router: router(state.clone(), &site),
            state,
            upstream,
        }
    }

    fn visitor(&self) -> Visitor {
        let cookie_name = self.state.codec.name();
        Visitor {
            router: self.router.clone(),
            cookie_name,
            cookie: None,
            session: String::new(),
            cookies_seen: Vec::new(),
        }
    }

    /// A person who has opened a link.
    async fn entered(&self, token: &str) -> Visitor {
        let mut visitor = self.visitor();
        visitor.enter(&format!("?token={token}")).await;
        visitor
    }
}

impl Visitor {
    /// Opens a link: the page, then its script's request. If that gives a session, its id is read
    /// from a page.
    async fn enter(&mut self, query: &str) -> Seen {
        self.get(&format!("/{query}")).await;
        let seen = self.act("validate_token", json!({ "query": query })).await;
        if let Some(to) = seen.json()["to"].as_str().filter(|_| seen.status == 200) {
            let mut page = self.get(to).await;
            while let Some(to) = page.headers.get(header::LOCATION) {
                let to = to.to_str().unwrap().to_owned();
                page = self.get(&to).await;
            }
            let (_, after) = page.body.split_once("{\"session\":\"").unwrap_or_default();
            self.session = after.chars().take(32).collect();
        }
        seen
    }

    /// An action with the session's id and further fields.
    async fn step(&mut self, action: &str, fields: Value) -> Seen {
        let mut input = json!({ "session": self.session });
        for (name, field) in fields.as_object().unwrap() {
            input[name] = field.clone();
        }
        self.act(action, input).await
    }

    /// As [`Visitor::step`], which must succeed.
    async fn well(&mut self, action: &str, fields: Value) -> Value {
        let seen = self.step(action, fields).await;
        assert_eq!(seen.status, 200, "{action}: {}", seen.body);
        seen.json()
    }

    async fn act(&mut self, action: &str, input: Value) -> Seen {
        let request = self.request("POST", &format!("/api/{action}"));
        self.send(
            request
                .body(json!({ "input": input }).to_string().into())
                .unwrap(),
        )
        .await
    }

    async fn get(&mut self, uri: &str) -> Seen {
        let request = self.request("GET", uri).body(Body::empty()).unwrap();
        self.send(request).await
    }

    fn request(&self, method: &str, uri: &str) -> axum::http::request::Builder {
        let request = Request::builder()
            .method(method)
            .uri(uri)
            .header("content-type", "application/json")
            .header("user-agent", USER_AGENT)
            .header("sec-fetch-site", "same-origin");
        match &self.cookie {
            Some(cookie) => request.header("cookie", cookie),
            None => request,
        }
    }

    async fn send(&mut self, mut request: Request<Body>) -> Seen {
        request
            .extensions_mut()
            .insert(ConnectInfo(SocketAddr::from((ADDRESS, 40_000))));
        let seen = Seen::of(self.router.clone().oneshot(request).await.unwrap()).await;
        for set in seen.headers.get_all(header::SET_COOKIE) {
            let pair = set.to_str().unwrap().split(';').next().unwrap();
            let (name, value) = pair.split_once('=').unwrap();
            assert_eq!(name, self.cookie_name);
            self.cookies_seen.push(value.to_owned());
            self.cookie = Some(pair.to_owned());
        }
        seen
    }
}

impl Seen {
    async fn of(response: Response<Body>) -> Self {
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let body = to_bytes(response.into_body(), 1 << 20).await.unwrap();
        Self {
            status,
            headers,
            body: String::from_utf8_lossy(&body).into_owned(),
        }
    }

    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_default()
    }
}
