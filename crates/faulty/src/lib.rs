//! Support of tests: an upstream with one fault (it hangs up, hangs, lies or floods), samples of large tables of cases, and a
//! log that can be read. No program depends on it.

#![allow(clippy::unwrap_used, clippy::missing_panics_doc, reason = "of tests, which fail with a panic")]

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

/// How long a client may take to let go, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

/// What of an answer without an end may have left the server when the client hangs up: what is read of it, and what the
/// sockets between them hold.
pub const MOST_TAKEN: usize = 16 * 1024 * 1024;

/// Between two drops.
const DROP: Duration = Duration::from_millis(20);

/// In everything that a faulty upstream says beside good data: nobody may ever see it.
pub const MARK: &str = "dito-pelo-upstream";

/// One way to answer.
#[derive(Clone)]
pub struct Fault {
    pub name: String,
    pub meaning: Meaning,
    script: Script,
}

/// What is done, made from the body of a good answer.
type Script = Arc<dyn Fn(&str) -> Vec<Step> + Send + Sync>;

/// What it comes to, by the catalogue (spec §8, design D8).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// The answer is good, in a strange manner.
    Good,
    /// Good for a list, and too much for all else.
    LongList,
    /// A good status and nothing, or nothing but space.
    Empty,
    /// A good status and something else than JSON.
    NoJson,
    /// A good status and JSON that holds nothing of use.
    OtherShape,
    /// More than is read.
    TooLarge,
    /// The connection ends before the answer does, or what comes is not HTTP.
    NoReply,
    /// The same, but only the clock tells.
    TooLate,
    /// A whole answer that says that the call has failed, whoever is to blame.
    Refused,
    /// The same, because of the token.
    NotFound,
    Expired,
    /// The same, because the provider does not know the item; what else the envelope says is that nothing is known.
    ItemNotFound,
    /// The same, because there is nothing to update.
    Unchanged,
    /// `meta` says that the call has failed, and the data say that it went well: data are what a call for data is about.
    Contradiction,
}

/// What is done, one after the other; then the connection is closed.
pub enum Step {
    Send(Vec<u8>),
    /// Again and again, for as long as it is taken.
    Flood(Vec<u8>),
    /// The same, slowly.
    Drip(String),
    /// Until the client hangs up.
    Wait,
    /// No more is sent, but the connection stays open.
    SayNoMore,
    Reset,
}

impl Fault {
    pub fn new(
        name: impl Into<String>,
        meaning: Meaning,
        script: impl Fn(&str) -> Vec<Step> + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.into(), meaning, script: Arc::new(script) }
    }

    /// How the call of this path that meets it must end; a failure by its name in the client of the widget API.
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

    /// Does what it is about to whoever has sent their request; `good` is the body of a good answer. `written` counts the
    /// bytes of what has no end.
    pub async fn befall(&self, mut socket: TcpStream, good: &str, written: &AtomicUsize) {
        for step in (self.script)(good) {
            // The client may have given up.
            match step {
                Step::Send(bytes) => drop(socket.write_all(&bytes).await),
                Step::Flood(piece) => {
                    while socket.write_all(&piece).await.is_ok() {
                        written.fetch_add(piece.len(), SeqCst);
                    }
                }
                Step::Drip(drop) => {
                    while socket.write_all(drop.as_bytes()).await.is_ok() {
                        written.fetch_add(drop.len(), SeqCst);
                        sleep(DROP).await;
                    }
                }
                Step::Wait => drop(socket.read(&mut [0; 1]).await),
                Step::SayNoMore => {
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

/// Whether what a 2xx answer holds is of use to a call.
fn is_used(call: &str) -> bool {
    matches!(call, "validate-token" | "list-accounts" | "list-banks" | "connect-token")
}

/// A server of one's own with one fault.
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
                    if has_asked(&mut socket).await {
                        requests.fetch_add(1, SeqCst);
                        fault.befall(socket, good, &written).await;
                    }
                    open.fetch_sub(1, SeqCst);
                });
            }
        });
        server
    }

    /// Waits until no connection is left.
    pub async fn has_hung_up(&self) {
        timeout(PATIENCE, async {
            while self.open.load(SeqCst) > 0 {
                sleep(Duration::from_millis(1)).await;
            }
        })
        .await
        .expect("the client lets go of a connection that it has given up");
    }
}

/// Reads a request to its end, so that closing afterwards is a close and no reset. False where the client has given
/// up before it had sent all: on a busy machine, its time may be over by then.
pub async fn has_asked(socket: &mut TcpStream) -> bool {
    let mut request = Vec::new();
    let mut piece = [0; 4096];
    loop {
        let Ok(length @ 1..) = socket.read(&mut piece).await else { return false };
        request.extend_from_slice(&piece[..length]);
        let text = String::from_utf8_lossy(&request).to_lowercase();
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let declared = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        if body.len() >= declared.map_or(0, |length| length.parse().unwrap()) {
            return true;
        }
    }
}
