//! A widget API with scripted responses, which records its calls.

use std::{
    collections::HashMap,
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::Duration,
};

use super::profile;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpSocket, TcpStream},
    sync::Notify,
    task::JoinHandle,
    time::timeout,
};

const PATH: &str = "/widget";

/// Longest wait for a background call.
const PATIENCE: Duration = Duration::from_secs(20);

/// The outcome of a call.
#[derive(Debug, Clone)]
pub enum Act {
    /// A response with these header lines.
    Answer {
        status: u16,
        head: Vec<String>,
        body: String,
    },
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
    /// Verb and path, as in `POST /log`.
    pub line: String,
    /// Names in lower case.
    pub headers: HashMap<String, String>,
    pub body: Value,
}

#[derive(Default)]
struct Shared {
    /// Acts by path, and acts by token and path, which take precedence.
    script: Mutex<HashMap<(Option<String>, String), Act>>,
    calls: Mutex<Vec<Received>>,
    arrived: Notify,
}

/// A running scripted widget API.
pub struct Scripted {
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

    pub fn text(status: u16, kind: &str, body: &str) -> Self {
        Self::Answer {
            status,
            head: vec![format!("content-type: {kind}\r\n")],
            body: body.to_owned(),
        }
    }

    /// The same response with one more header line.
    pub fn with(mut self, line: &str) -> Self {
        if let Self::Answer { head, .. } = &mut self {
            head.push(format!("{line}\r\n"));
        }
        self
    }
}

impl Scripted {
    /// Starts a widget API whose calls all succeed.
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared::default());
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

    pub fn base(&self) -> String {
        format!("http://{}{PATH}", self.address)
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
    pub fn well_for(&self, token: &str, path: &str) {
        self.shared
            .script
            .lock()
            .unwrap()
            .remove(&(Some(token.to_owned()), path.to_owned()));
    }

    /// Makes the calls with this path succeed again.
    pub fn well(&self, path: &str) {
        self.shared
            .script
            .lock()
            .unwrap()
            .remove(&(None, path.to_owned()));
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

    /// Verbs and paths of all calls so far.
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
        self.headers.get(name).map(String::as_str)
    }

    /// The data of a log call, which is JSON text.
    pub fn data_log(&self) -> Value {
        let text = self.body["data_log"].as_str().expect("data_log is a text");
        serde_json::from_str(text).expect("data_log is JSON")
    }

    /// Headers and body as one text, for searches.
    pub fn everything(&self) -> String {
        format!("{:?} {}", self.headers, self.body)
    }
}

async fn serve(mut socket: TcpStream, shared: Arc<Shared>) {
    let Some(received) = read(&mut socket).await else {
        return;
    };
    let path = received
        .line
        .split_once(" /")
        .map(|(_, path)| path.to_owned())
        .unwrap();
    let keys = [received.token().map(str::to_owned), None].map(|token| (token, path.clone()));
    let act = keys
        .iter()
        .find_map(|key| shared.script.lock().unwrap().get(key).cloned());
    let act = act.unwrap_or_else(|| well(&received.line));
    shared.calls.lock().unwrap().push(received);
    shared.arrived.notify_waiters();
    // The caller may have disconnected.
    let _ = match act {
        Act::Answer { status, head, body } => {
            let (head, length) = (head.concat(), body.len());
            let text = format!(
                "HTTP/1.1 {status} X\r\nconnection: close\r\ncontent-length: {length}\r\n{head}\r\n{body}"
            );
            socket.write_all(text.as_bytes()).await
        }
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
    };
}

/// Reads a request to its end.
async fn read(socket: &mut TcpStream) -> Option<Received> {
    let mut request = Vec::new();
    loop {
        let length = socket.read_buf(&mut request).await.ok()?;
        let text = String::from_utf8_lossy(&request).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let mut lines = head.lines();
            let mut words = lines.next()?.split(' ');
            let line = format!("{} {}", words.next()?, words.next()?.strip_prefix(PATH)?);
            let headers: HashMap<_, _> = lines
                .filter_map(|line| line.split_once(':'))
                .map(|(name, value)| (name.to_lowercase(), value.trim().to_owned()))
                .collect();
            let declared = headers
                .get("content-length")
                .map_or(0, |length| length.parse().unwrap());
            if body.len() >= declared {
                let body = if body.is_empty() {
                    Value::Null
                } else {
                    serde_json::from_str(body).unwrap()
                };
                return Some(Received {
                    line,
                    headers,
                    body,
                });
            }
        }
        if length == 0 {
            return None;
        }
    }
}

/// The successful response to a call; a failure for any other request.
fn well(line: &str) -> Act {
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
