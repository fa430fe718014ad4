//! The sandbox's widget API over real HTTP, with one fault.

use std::{
    future::{pending, ready},
    io,
    sync::{Arc, Mutex},
};

use axum::{
    Router,
    body::{Body, Bytes, to_bytes},
    http::{HeaderMap, HeaderName, Request, StatusCode, header::CONTENT_LENGTH},
    response::Response,
};
use serde_json::Value;
use tokio::net::TcpListener;
use tower::{ServiceExt, service_fn};
use vincula_sandbox::{Sandbox, SandboxOptions};

/// What is wrong with an API.
#[derive(Clone, Copy)]
pub enum Fault {
    None,
    /// It receives a changed request.
    Before(fn(&mut Ask)),
    /// It sends a changed response.
    After(fn(&Ask, &mut Reply)),
    /// It closes the connection at this call.
    HangUp(&'static str),
    /// It never responds to this call.
    Hang(&'static str),
}

/// A request.
pub struct Ask {
    /// The path after the base address.
    pub call: String,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
    /// How often this call was made, including this one.
    pub nth: usize,
}

/// A response.
pub struct Reply {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

/// A running API.
pub struct Broken {
    pub url: String,
    calls: Arc<Mutex<Vec<String>>>,
}

impl Broken {
    pub async fn start(fault: Fault) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let sandbox = Sandbox::on(&listener, SandboxOptions::default()).unwrap();
        let api = Self {
            url: sandbox.api_url(),
            calls: Arc::default(),
        };
        let (calls, inner) = (api.calls.clone(), sandbox.api());
        let outer = Router::new()
            .fallback(move |request: Request<Body>| serve(fault, calls, inner, request));
        tokio::spawn(async move { axum::serve(listener, outer).await });
        api
    }

    /// Method and call of each request so far.
    pub fn calls(&self) -> Vec<String> {
        self.calls.lock().unwrap().clone()
    }
}

async fn serve(
    fault: Fault,
    calls: Arc<Mutex<Vec<String>>>,
    inner: Router,
    request: Request<Body>,
) -> Response {
    let (mut parts, body) = request.into_parts();
    let call = parts
        .uri
        .path()
        .trim_start_matches("/widget-api")
        .trim_start_matches('/')
        .to_owned();
    let name = format!("{} {call}", parts.method);
    let nth = {
        let mut calls = calls.lock().unwrap();
        calls.push(name.clone());
        calls.iter().filter(|known| **known == name).count()
    };
    let body = to_bytes(body, usize::MAX).await.unwrap().to_vec();
    let mut ask = Ask {
        call,
        headers: parts.headers.clone(),
        body,
        nth,
    };
    match fault {
        Fault::HangUp(call) if ask.call == call => return hang_up(),
        Fault::Hang(call) if ask.call == call => pending().await,
        Fault::Before(change) => change(&mut ask),
        _ => {}
    }
    parts.headers = ask.headers.clone();
    parts.headers.remove(CONTENT_LENGTH);
    let answer = inner
        .oneshot(Request::from_parts(parts, Body::from(ask.body.clone())))
        .await
        .unwrap();
    let (mut parts, body) = answer.into_parts();
    let body = to_bytes(body, usize::MAX).await.unwrap().to_vec();
    let mut reply = Reply {
        status: parts.status,
        headers: parts.headers.clone(),
        body,
    };
    if let Fault::After(change) = fault {
        change(&ask, &mut reply);
    }
    reply.headers.remove(CONTENT_LENGTH);
    (parts.status, parts.headers) = (reply.status, reply.headers);
    Response::from_parts(parts, reply.body.into())
}

/// Fails the body before its first byte, so that the server closes the connection.
fn hang_up() -> Response {
    let fail = service_fn(|_| {
        ready(Err::<Bytes, _>(io::Error::from(
            io::ErrorKind::ConnectionAborted,
        )))
    });
    let body = Body::from_stream(fail.call_all(Body::from(" ").into_data_stream()));
    Response::builder()
        .header(CONTENT_LENGTH, "64")
        .body(body)
        .unwrap()
}

impl Ask {
    pub fn header(&self, name: HeaderName) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// The token in the payload.
    pub fn token(&self) -> String {
        let body: Value = serde_json::from_slice(&self.body).unwrap_or_default();
        body["token"].as_str().unwrap_or_default().to_owned()
    }
}

impl Reply {
    pub fn is_good(&self) -> bool {
        self.status == StatusCode::OK
    }

    /// Changes the JSON body.
    pub fn json(&mut self, change: impl FnOnce(&mut Value)) {
        let mut body = serde_json::from_slice(&self.body).unwrap();
        change(&mut body);
        self.body = body.to_string().into_bytes();
    }

    /// Turns into a rejection with an envelope.
    pub fn refuse(&mut self, status: u16, message: &str) {
        self.status = StatusCode::from_u16(status).unwrap();
        let meta =
            serde_json::json!({ "data": null, "meta": { "status": status, "message": message } });
        self.body = meta.to_string().into_bytes();
    }

    pub fn set(&mut self, name: &'static str, value: &str) {
        self.headers
            .insert(HeaderName::from_static(name), value.parse().unwrap());
    }
}
