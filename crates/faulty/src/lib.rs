//! Test support: an upstream with one fault (it disconnects, hangs, sends wrong lengths or floods), samples of large
//! case tables, and a log that tests can read. Only a dev-dependency.

#![allow(clippy::unwrap_used, clippy::missing_panics_doc, reason = "test support: a panic fails the test")]

pub mod lines;
pub mod sample;
pub mod table;

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    time::{sleep, timeout},
};

/// How long a client may take to close its connection, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

/// Maximum bytes of an endless response that the server can send before the client closes the connection: what the
/// client reads, and what the socket buffers hold.
pub const MAX_SENT: usize = 16 * 1024 * 1024;

/// Time between two writes of [`Step::Drip`].
const DROP: Duration = Duration::from_millis(20);

/// Marks everything that a faulty upstream sends beside good data, so that tests can check that nobody ever sees it.
pub const MARK: &str = "dito-pelo-upstream";

/// One faulty way to respond.
#[derive(Clone)]
pub struct Fault {
    pub name: String,
    pub meaning: Meaning,
    steps: Steps,
}

/// The steps of a fault, made from the body of a good response.
type Steps = Arc<dyn Fn(&str) -> Vec<Step> + Send + Sync>;

/// The meaning of a fault, by the catalogue (spec §8, design D8).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// A valid response, in an unusual form.
    Good,
    /// Valid for a list, too large for any other call.
    LongList,
    /// A 2xx status with an empty or blank body.
    Empty,
    /// A 2xx status with a body that is not JSON.
    NoJson,
    /// A 2xx status with JSON of no use.
    OtherShape,
    /// Larger than the client's limit.
    TooLarge,
    /// The connection closes before the response is complete, or the response is not HTTP.
    NoReply,
    /// There is no complete response, and the client can only time out.
    TooLate,
    /// A complete response that reports a failure, of the request or of the upstream.
    Refused,
    /// A failure: the token is unknown.
    NotFound,
    /// A failure: the token has expired.
    Expired,
    /// A failure: the provider does not know the item. [`Self::NotFound`] for calls that do not ask the provider.
    ItemNotFound,
    /// A failure: there is nothing to update.
    Unchanged,
    /// `meta` reports a failure beside good data. For a call that returns data, the data count.
    Contradiction,
}

/// A step of a fault. After the last one, the server closes the connection.
pub enum Step {
    Send(Vec<u8>),
    /// Sends this repeatedly, until the client closes the connection.
    Flood(Vec<u8>),
    /// [`Step::Flood`], slowly.
    Drip(String),
    /// Waits until the client closes the connection.
    Wait,
    /// Closes the sending half only.
    HalfClose,
    Reset,
}

impl Fault {
    pub fn new(
        name: impl Into<String>,
        meaning: Meaning,
        steps: impl Fn(&str) -> Vec<Step> + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.into(), meaning, steps: Arc::new(steps) }
    }

    /// The expected outcome of the call with this path; an error by `CallError::name`.
    pub fn outcome(&self, call: &str) -> Result<(), &'static str> {
        let is_used = is_used(call);
        let asks_provider = matches!(call, "connect-token" | "update-link-account");
        match self.meaning {
            Meaning::Good => Ok(()),
            Meaning::LongList if matches!(call, "list-accounts" | "list-banks") => Ok(()),
            Meaning::Empty | Meaning::OtherShape if !is_used => Ok(()),
            Meaning::Contradiction if is_used => Ok(()),
            Meaning::LongList | Meaning::Empty | Meaning::NoJson | Meaning::OtherShape | Meaning::TooLarge => {
                Err("unexpected_answer")
            }
            Meaning::NoReply => Err("cut_off"),
            Meaning::TooLate => Err("timed_out"),
            Meaning::ItemNotFound if asks_provider => Err("item_not_found"),
            Meaning::ItemNotFound | Meaning::NotFound => Err("token_not_found"),
            Meaning::Expired => Err("token_expired"),
            Meaning::Unchanged if call == "update-link-account" => Err("unchanged"),
            Meaning::Refused | Meaning::Unchanged | Meaning::Contradiction => Err("refused"),
        }
    }

    /// Responds to a request with this fault; `good` is the body of a good response. `written` counts the bytes of
    /// [`Step::Flood`] and [`Step::Drip`].
    pub async fn respond(&self, mut socket: TcpStream, good: &str, written: &AtomicUsize) {
        for step in (self.steps)(good) {
            // Errors are ignored: the client may have given up.
            match step {
                Step::Send(bytes) => drop(socket.write_all(&bytes).await),
                Step::Flood(chunk) => {
                    while socket.write_all(&chunk).await.is_ok() {
                        written.fetch_add(chunk.len(), SeqCst);
                    }
                }
                Step::Drip(drop) => {
                    while socket.write_all(drop.as_bytes()).await.is_ok() {
                        written.fetch_add(drop.len(), SeqCst);
                        sleep(DROP).await;
                    }
                }
                Step::Wait => drop(socket.read(&mut [0; 1]).await),
                Step::HalfClose => {
                    let _ = socket.shutdown().await;
                    let _ = socket.read(&mut [0; 1]).await;
                }
                Step::Reset => socket.set_zero_linger().unwrap(),
            }
        }
    }
}

impl fmt::Debug for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// Whether a call uses the data of a 2xx response.
fn is_used(call: &str) -> bool {
    matches!(call, "validate-token" | "list-accounts" | "list-banks" | "connect-token")
}

/// A server with one fault.
pub struct Faulty {
    pub base: String,
    pub requests: Arc<AtomicUsize>,
    pub written: Arc<AtomicUsize>,
    open: Arc<AtomicUsize>,
}

impl Faulty {
    pub async fn start(fault: Fault, good: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let server = Self { base, requests: Arc::default(), written: Arc::default(), open: Arc::default() };
        let (requests, written, open) = (server.requests.clone(), server.written.clone(), server.open.clone());
        tokio::spawn(async move {
            while let Ok((mut socket, _)) = listener.accept().await {
                let (fault, requests, written, open) = (fault.clone(), requests.clone(), written.clone(), open.clone());
                open.fetch_add(1, SeqCst);
                tokio::spawn(async move {
                    if read_request(&mut socket).await {
                        requests.fetch_add(1, SeqCst);
                        fault.respond(socket, good, &written).await;
                    }
                    open.fetch_sub(1, SeqCst);
                });
            }
        });
        server
    }

    /// Waits until the client has closed every connection.
    pub async fn wait_for_close(&self) {
        timeout(PATIENCE, async {
            while self.open.load(SeqCst) > 0 {
                sleep(Duration::from_millis(1)).await;
            }
        })
        .await
        .expect("the client closes a connection that it has given up");
    }
}

/// Reads a whole request, so that closing the socket afterwards does not reset the connection. Returns false if the
/// client gave up before it had sent everything: on a busy machine, it may time out by then.
pub async fn read_request(socket: &mut TcpStream) -> bool {
    let mut request = Vec::new();
    let mut chunk = [0; 4096];
    loop {
        let Ok(length @ 1..) = socket.read(&mut chunk).await else { return false };
        request.extend_from_slice(&chunk[..length]);
        let text = String::from_utf8_lossy(&request).to_lowercase();
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let declared = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        if body.len() >= declared.map_or(0, |length| length.parse().unwrap()) {
            return true;
        }
    }
}
