//! A widget API with scripted responses, which records its calls.

use std::{
    collections::HashMap,
    net::SocketAddr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::Duration,
};

use axum::{
    body::{Body, Bytes},
    http::{
        HeaderMap, HeaderValue, Request, Response,
        header::{CONTENT_TYPE, SET_COOKIE},
    },
};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpSocket, TcpStream},
    sync::Notify,
    task::JoinHandle,
    time::timeout,
};

use crate::connection;

const PATH: &str = "/widget";

/// Longest wait for a background call.
const PATIENCE: Duration = Duration::from_secs(20);

/// The outcome of a call.
#[derive(Debug, Clone)]
pub enum Act {
    /// A response.
    Answer {
        status: u16,
        headers: HeaderMap,
        body: String,
    },
    /// The outcome follows when the test notifies.
    After(Arc<Notify>, Box<Self>),
    /// Resets the connection before a response.
    Reset,
    /// Closes the connection within the body.
    Cut,
    /// Sends something that is not HTTP.
    Garbage,
    /// Sends nothing until the caller gives up.
    Hang,
}

/// A call as it arrived.
#[derive(Debug, Clone)]
pub struct Received {
    /// Method, and the path after the base address, as in `POST /log`.
    pub line: String,
    pub headers: HeaderMap,
    /// The body as JSON, or null if it is not JSON.
    pub body: Value,
    pub bytes: Bytes,
}

#[derive(Default)]
struct Shared {
    /// Acts by path, and acts by token and path, which take precedence.
    script: Mutex<HashMap<(Option<String>, String), Act>>,
    /// The act for all other calls.
    otherwise: Option<Act>,
    calls: Mutex<Vec<Received>>,
    arrived: Notify,
    /// Whether each response sets another `XSRF-TOKEN`.
    rotates_xsrf: AtomicBool,
}

/// A running scripted widget API, in the runtime of its test.
pub struct ScriptedApi {
    address: SocketAddr,
    shared: Arc<Shared>,
    server: JoinHandle<()>,
    /// Keeps the port reserved after the server has stopped.
    closed: Option<TcpSocket>,
}

impl Act {
    /// A success with this data.
    pub fn data(data: &Value) -> Self {
        Self::json(
            200,
            &json!({ "data": data, "meta": { "status": 200, "message": "OK" } }),
        )
    }

    /// A failure in the error envelope.
    pub fn error(status: u16, message: &str) -> Self {
        Self::json(
            status,
            &json!({ "data": null, "meta": { "status": status, "message": message } }),
        )
    }

    pub fn json(status: u16, body: &Value) -> Self {
        Self::text(status, "application/json", &body.to_string())
    }

    pub fn text(status: u16, kind: &'static str, body: &str) -> Self {
        Self::Answer {
            status,
            headers: HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static(kind))]),
            body: body.to_owned(),
        }
    }

    /// A response without a body.
    pub fn status(status: u16) -> Self {
        Self::Answer {
            status,
            headers: HeaderMap::new(),
            body: String::new(),
        }
    }

    /// The same response with one more header.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: &str) -> Self {
        if let Self::Answer { headers, .. } = &mut self {
            headers.append(name, value.parse().unwrap());
        }
        self
    }

    /// The same outcome once the test has notified.
    #[must_use]
    pub fn after(self, event: &Arc<Notify>) -> Self {
        Self::After(Arc::clone(event), Box::new(self))
    }
}

impl ScriptedApi {
    /// Starts a widget API whose calls all succeed.
    pub async fn start() -> Self {
        Self::with(Shared::default()).await
    }

    /// Starts a server that treats every request alike, whatever its path.
    pub async fn answering(act: Act) -> Self {
        let otherwise = Some(act);
        Self::with(Shared {
            otherwise,
            ..Shared::default()
        })
        .await
    }

    async fn with(shared: Shared) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(shared);
        let server = tokio::spawn({
            let shared = shared.clone();
            async move {
                while let Ok((socket, _)) = listener.accept().await {
                    tokio::spawn(serve(socket, shared.clone()));
                }
            }
        });
        Self {
            address,
            shared,
            server,
            closed: None,
        }
    }

    /// The address of the server, without a path.
    pub fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The base address of the widget API.
    pub fn base(&self) -> String {
        self.origin() + PATH
    }

    /// Sets the act for all calls with this path.
    pub fn on(&self, path: &str, act: Act) {
        self.shared
            .script
            .lock()
            .unwrap()
            .insert((None, path.to_owned()), act);
    }

    /// Sets the act for the calls of this token with this path.
    pub fn on_for(&self, token: &str, path: &str, act: Act) {
        self.shared
            .script
            .lock()
            .unwrap()
            .insert((Some(token.to_owned()), path.to_owned()), act);
    }

    /// Removes the act for the calls of this token with this path.
    pub fn recover_for(&self, token: &str, path: &str) {
        self.shared
            .script
            .lock()
            .unwrap()
            .remove(&(Some(token.to_owned()), path.to_owned()));
    }

    /// Makes the calls with this path succeed again.
    pub fn recover(&self, path: &str) {
        self.shared
            .script
            .lock()
            .unwrap()
            .remove(&(None, path.to_owned()));
    }

    /// Lets each response set another `XSRF-TOKEN`.
    pub fn rotate_xsrf(&self) {
        self.shared.rotates_xsrf.store(true, Relaxed);
    }

    /// Stops listening.
    pub async fn close(&mut self) {
        self.server.abort();
        assert!((&mut self.server).await.is_err(), "the server was aborted");
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_reuseaddr(true).unwrap();
        socket.bind(self.address).unwrap();
        self.closed = Some(socket);
    }

    /// All calls so far.
    pub fn calls(&self) -> Vec<Received> {
        self.shared.calls.lock().unwrap().clone()
    }

    /// Methods and paths of all calls so far.
    pub fn lines(&self) -> Vec<String> {
        self.calls().into_iter().map(|call| call.line).collect()
    }

    pub fn forget(&self) {
        self.shared.calls.lock().unwrap().clear();
    }

    /// Waits until all of these calls have arrived, and returns the calls of these paths in the
    /// order of arrival.
    pub async fn received_all(&self, lines: &[&str]) -> Vec<Received> {
        let all = timeout(PATIENCE, async {
            loop {
                let arrived = self.shared.arrived.notified();
                let mut calls = self.calls();
                calls.retain(|call| lines.contains(&call.line.as_str()));
                let here = |line: &str| calls.iter().filter(|call| call.line == line).count();
                let wanted = |line: &str| lines.iter().filter(|other| **other == line).count();
                if lines.iter().all(|line| here(line) >= wanted(line)) {
                    return calls;
                }
                arrived.await;
            }
        });
        all.await
            .unwrap_or_else(|_| panic!("waited for {lines:?}, had {:?}", self.lines()))
    }

    /// The one call with this path.
    #[track_caller]
    pub fn only(&self, line: &str) -> Received {
        let calls: Vec<_> = self
            .calls()
            .into_iter()
            .filter(|call| call.line == line)
            .collect();
        assert_eq!(calls.len(), 1, "{line} among {:?}", self.lines());
        calls.into_iter().next().unwrap()
    }
}

impl Received {
    /// The client's token in this call.
    pub fn token(&self) -> Option<&str> {
        let bearer = self
            .header("authorization")
            .and_then(|value| value.strip_prefix("Bearer "));
        bearer.or_else(|| self.body["token"].as_str())
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    /// The data of a log call, which is JSON text.
    pub fn data_log(&self) -> Value {
        let text = self.body["data_log"].as_str().expect("data_log is a text");
        serde_json::from_str(text).expect("data_log is JSON")
    }

    /// Headers and body as one text, for searches.
    pub fn text(&self) -> String {
        format!("{:?} {}", self.headers, self.body)
    }
}

impl From<Request<Bytes>> for Received {
    fn from(request: Request<Bytes>) -> Self {
        let (parts, bytes) = request.into_parts();
        let target = parts.uri.to_string();
        let path = target.strip_prefix(PATH).unwrap_or(&target);
        Self {
            line: format!("{} {path}", parts.method),
            headers: parts.headers,
            body: serde_json::from_slice(&bytes).unwrap_or_default(),
            bytes,
        }
    }
}

impl Shared {
    /// Records a call, and returns what it leads to.
    fn record(&self, call: Received) -> Act {
        let path = call.line.split_once(" /").unwrap().1.to_owned();
        let keys = [call.token().map(str::to_owned), None].map(|token| (token, path.clone()));
        let scripted = {
            let script = self.script.lock().unwrap();
            keys.iter().find_map(|key| script.get(key).cloned())
        };
        let act = scripted
            .or_else(|| self.otherwise.clone())
            .unwrap_or_else(|| success(&call.line));
        self.calls.lock().unwrap().push(call);
        self.arrived.notify_waiters();
        act
    }
}

async fn serve(socket: TcpStream, shared: Arc<Shared>) {
    let fault = Mutex::new(None);
    let respond = |request: Request<Bytes>| async {
        let mut act = shared.record(request.into());
        while let Act::After(event, next) = act {
            event.notified().await;
            act = *next;
        }
        let Act::Answer {
            status,
            headers,
            body,
        } = act
        else {
            *fault.lock().unwrap() = Some(act);
            return None;
        };
        let mut response = Response::new(Body::from(body));
        *response.status_mut() = status.try_into().unwrap();
        *response.headers_mut() = headers;
        if shared.rotates_xsrf.load(Relaxed) {
            let number = shared.calls.lock().unwrap().len();
            let cookie = HeaderValue::try_from(format!("XSRF-TOKEN=xsrf-{number}")).unwrap();
            response.headers_mut().append(SET_COOKIE, cookie);
        }
        Some(response)
    };
    let unanswered = connection::serve(socket, respond).await;
    let fault = fault.lock().unwrap().take();
    if let (Some(socket), Some(fault)) = (unanswered, fault) {
        fail(socket, fault).await;
    }
}

/// Fails a call on a connection without a response.
async fn fail(mut socket: TcpStream, fault: Act) {
    // The caller may have disconnected.
    let _ = match fault {
        Act::Reset => socket.set_zero_linger(),
        Act::Cut => {
            socket
                .write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{\"data\":[")
                .await
        }
        Act::Garbage => {
            socket
                .write_all(b"220 mail.example.com ESMTP\r\n\r\n")
                .await
        }
        Act::Hang => socket.read(&mut [0; 1]).await.map(drop),
        Act::Answer { .. } | Act::After(..) => unreachable!("it has a response"),
    };
}

/// The session data of a company with another person as administrator, with changes.
#[expect(clippy::needless_pass_by_value, reason = "tests pass literals")]
pub fn profile(changes: Value) -> Value {
    let mut data = json!({
        "client_name": "Padaria Estrela do Sul Ltda",
        "client_cpfcnpj": "12.ABC.345/01DE-35",
        "customer_id": 4711,
        "customer_name": "Contábil Horizonte",
        "widget_account_admin_name": "Ana Souza",
        "widget_account_admin_cpfcnpj": "529.982.247-25",
        "widget_type": "new",
        "widget_account_bank": null,
        "link_id": null,
        "client_uuid": "0b9f9a52-3c1d-4d7e-9a6a-2f1c8f0f5e11",
    });
    for (name, value) in changes.as_object().unwrap() {
        data[name] = value.clone();
    }
    data
}

/// The successful response to a call; a failure for any other request.
fn success(line: &str) -> Act {
    match line {
        "POST /validate-token" => Act::data(&profile(json!({}))),
        "GET /list-accounts" => Act::data(&json!([
            { "bank": "Banco do Brasil", "agency": "0001", "number": "012345-6", "name": "Padaria Estrela do Sul" },
            { "bank": "Nu Pagamentos", "agency": 1, "number": "7654321-0", "name": "Padaria Estrela do Sul" },
        ])),
        "GET /list-banks" => Act::data(
            &json!([{ "code": "001", "name": "Banco do Brasil" }, { "code": 260, "name": "Nu Pagamentos" }]),
        ),
        "POST /connect-token" => Act::data(&json!("connect-token-of-pluggy")),
        "POST /authorize-customer"
        | "POST /cancel-integrations"
        | "POST /success"
        | "POST /log"
        | "PUT /update-link-account" => Act::data(&Value::Null),
        other => Act::error(599, &format!("no such call: {other}")),
    }
}
