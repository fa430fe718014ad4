//! An upstream with one fault: it hangs up, hangs, lies or floods.

use std::{
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

/// How much is sent by a server that floods, if it is let.
const FLOOD_BYTES: usize = 200 * 1024 * 1024;

/// What of a flood may have left the server when the client hangs up: the cap, and what the sockets between them hold.
pub(crate) const MOST_TAKEN: usize = 32 * 1024 * 1024;

/// The size of the packed bomb: below the cap, so that it is read in full. Unpacked it has 500 MB.
const BOMB_BYTES: usize = 3 * 1024 * 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Nobody listens.
    Refused,
    /// Closed, politely, before an answer.
    ClosedBeforeAnswer,
    /// Torn down before an answer.
    ResetBeforeAnswer,
    ClosedInHead,
    ResetInHead,
    /// Less than the declared length.
    CutInBody,
    /// A chunk is missing.
    CutInChunks,
    ResetInBody,
    /// Takes the request and says nothing.
    Hang,
    /// One byte after the other.
    SlowDrip,
    /// Something that is not HTTP.
    Garbage,
    Status500,
    Status503,
    /// An error page.
    Html502,
    /// 200 MiB of spaces, declared.
    DeclaredFlood,
    /// 200 MiB of spaces without an end in sight.
    EndlessFlood,
    /// The same with an error status.
    ErrorFlood,
    /// A page with a good status.
    Html200,
    BrokenJson,
    /// JSON of another shape.
    OtherShape,
    /// Something else than JSON, and said to be.
    WrongType,
    /// Little that unpacks into very much.
    GzipBomb,
}

/// What the person is to see of a fault (design D8).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    NoReply,
    /// No reply, which only the clock tells.
    TooLate,
    /// A whole answer that is not 2xx.
    Refusal,
    /// A 2xx answer that is of use only to calls whose answer is not used.
    Unusable,
    /// More than is read.
    TooLarge,
}

impl Fault {
    pub(crate) const ALL: [Self; 22] = [
        Self::Refused,
        Self::ClosedBeforeAnswer,
        Self::ResetBeforeAnswer,
        Self::ClosedInHead,
        Self::ResetInHead,
        Self::CutInBody,
        Self::CutInChunks,
        Self::ResetInBody,
        Self::Hang,
        Self::SlowDrip,
        Self::Garbage,
        Self::Status500,
        Self::Status503,
        Self::Html502,
        Self::DeclaredFlood,
        Self::EndlessFlood,
        Self::ErrorFlood,
        Self::Html200,
        Self::BrokenJson,
        Self::OtherShape,
        Self::WrongType,
        Self::GzipBomb,
    ];

    pub(crate) fn kind(self) -> Kind {
        match self {
            Self::Refused
            | Self::ClosedBeforeAnswer
            | Self::ResetBeforeAnswer
            | Self::ClosedInHead
            | Self::ResetInHead
            | Self::CutInBody
            | Self::CutInChunks
            | Self::ResetInBody
            | Self::Garbage => Kind::NoReply,
            Self::Hang | Self::SlowDrip => Kind::TooLate,
            Self::Status500 | Self::Status503 | Self::Html502 => Kind::Refusal,
            Self::Html200 | Self::BrokenJson | Self::OtherShape | Self::WrongType | Self::GzipBomb => Kind::Unusable,
            Self::DeclaredFlood | Self::EndlessFlood | Self::ErrorFlood => Kind::TooLarge,
        }
    }

    /// Does what the fault says to whoever has sent their request. `written` counts the bytes of what has no end.
    pub(crate) async fn befall(self, mut socket: TcpStream, written: &AtomicUsize) {
        let (ok, chunked) = ("HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
        let declared = format!("{ok}content-length: {FLOOD_BYTES}\r\n\r\n");
        match self {
            Self::Refused => unreachable!("nobody listens"),
            Self::ClosedBeforeAnswer => {}
            Self::ResetBeforeAnswer => reset(socket),
            Self::ClosedInHead => give(&mut socket, "HTTP/1.1 200 OK\r\ncontent-le").await,
            Self::ResetInHead => {
                give(&mut socket, "HTTP/1.1 200 OK\r\ncontent-le").await;
                reset(socket);
            }
            Self::CutInBody => give(&mut socket, &format!("{ok}content-length: 99\r\n\r\n{{\"data\":[")).await,
            Self::CutInChunks => give(&mut socket, &format!("{chunked}9\r\n{{\"data\":[\r\n")).await,
            Self::ResetInBody => {
                give(&mut socket, &format!("{chunked}9\r\n{{\"data\":[\r\n")).await;
                reset(socket);
            }
            Self::Hang => hung_up_on(&mut socket).await,
            Self::SlowDrip => {
                give(&mut socket, &format!("{ok}content-length: 4000\r\n\r\n")).await;
                while socket.write_all(b" ").await.is_ok() {
                    written.fetch_add(1, SeqCst);
                    sleep(Duration::from_millis(20)).await;
                }
            }
            Self::Garbage => give(&mut socket, "220 mail.example.com ESMTP\r\n\r\n").await,
            Self::Status500 => {
                give(&mut socket, &answer("500 Oops", "application/json", r#"{"data":null,"meta":{"status":500}}"#))
                    .await;
            }
            Self::Status503 => give(&mut socket, &answer("503 Busy", "text/plain", "")).await,
            Self::Html502 => {
                give(&mut socket, &answer("502 Bad", "text/html", "<html><h1>502 Bad Gateway</h1></html>")).await
            }
            Self::DeclaredFlood => flood(socket, &declared, written).await,
            Self::EndlessFlood => flood(socket, &format!("{ok}connection: close\r\n\r\n"), written).await,
            Self::ErrorFlood => flood(socket, "HTTP/1.1 500 Oops\r\nconnection: close\r\n\r\n", written).await,
            Self::Html200 => {
                give(&mut socket, &answer("200 OK", "text/html", "<!doctype html><h1>Bem-vindo</h1>")).await
            }
            Self::BrokenJson => give(&mut socket, &answer("200 OK", "application/json", r#"{"data":[{"bank":"#)).await,
            Self::OtherShape => {
                give(&mut socket, &answer("200 OK", "application/json", r#"{"data":true,"meta":{"status":200}}"#))
                    .await;
            }
            Self::WrongType => give(&mut socket, &answer("200 OK", "text/csv", "bank;agency\n001;0001\n")).await,
            Self::GzipBomb => {
                let bomb = bomb();
                let head = format!(
                    "{ok}content-type: application/json\r\ncontent-encoding: gzip\r\nconnection: close\r\n\
                     content-length: {}\r\n\r\n",
                    bomb.len()
                );
                give(&mut socket, &head).await;
                // The client may hang up.
                let _ = socket.write_all(&bomb).await;
            }
        }
    }
}

/// A server of one's own with one fault.
pub(super) struct Faulty {
    pub(super) base: String,
    pub(super) requests: Arc<AtomicUsize>,
    pub(super) written: Arc<AtomicUsize>,
    open: Arc<AtomicUsize>,
}

impl Faulty {
    pub(super) async fn start(fault: Fault) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let server = Self { base, requests: Arc::default(), written: Arc::default(), open: Arc::default() };
        let (requests, written, open) = (server.requests.clone(), server.written.clone(), server.open.clone());
        if fault == Fault::Refused {
            return server;
        }
        tokio::spawn(async move {
            while let Ok((mut socket, _)) = listener.accept().await {
                let (requests, written, open) = (requests.clone(), written.clone(), open.clone());
                open.fetch_add(1, SeqCst);
                tokio::spawn(async move {
                    if has_asked(&mut socket).await {
                        requests.fetch_add(1, SeqCst);
                        fault.befall(socket, &written).await;
                    }
                    open.fetch_sub(1, SeqCst);
                });
            }
        });
        server
    }

    /// Waits until no connection is left.
    pub(super) async fn has_hung_up(&self) {
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
pub(super) async fn has_asked(socket: &mut TcpStream) -> bool {
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

fn answer(status: &str, kind: &str, body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}")
}

/// The client may have given up.
async fn give(socket: &mut TcpStream, text: &str) {
    let _ = socket.write_all(text.as_bytes()).await;
}

fn reset(socket: TcpStream) {
    socket.set_zero_linger().unwrap();
    drop(socket);
}

/// Waits for the client to hang up.
async fn hung_up_on(socket: &mut TcpStream) {
    let _ = socket.read(&mut [0; 1]).await;
}

async fn flood(mut socket: TcpStream, head: &str, written: &AtomicUsize) {
    give(&mut socket, head).await;
    let spaces = vec![b' '; 64 * 1024];
    let mut flooded = 0;
    while flooded < FLOOD_BYTES && socket.write_all(&spaces).await.is_ok() {
        flooded += spaces.len();
        written.fetch_add(spaces.len(), SeqCst);
    }
}

/// Spaces, packed by gzip: one, and then "the last one 258 times more" (13 bits) again and again, without an end.
fn bomb() -> Vec<u8> {
    let bits = String::from("110") + "01010000" + &"1100010100000".repeat(9);
    let bytes = bits.as_bytes().chunks_exact(8).map(|byte| {
        let set = byte.iter().enumerate().filter(|(_, bit)| **bit == b'1');
        set.fold(0, |byte, (at, _)| byte | 1 << at)
    });
    let packed: Vec<u8> = bytes.collect();
    let (start, again) = packed[..15].split_at(2);
    let head = [31, 139, 8, 0, 0, 0, 0, 0, 0, 255];
    [&head, start, &again.repeat(BOMB_BYTES / again.len())].concat()
}
