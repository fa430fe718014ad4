//! A widget API with one fault: it disconnects, hangs, sends wrong lengths or floods.

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

use crate::Call;

/// How long a client may take to close its connection, on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Maximum bytes of an endless response that the server can send before the client closes the connection: what the
/// client reads, and what the socket buffers hold.
pub const MAX_SENT: usize = 16 * 1024 * 1024;

/// One faulty way to respond.
pub struct Fault {
    pub name: &'static str,
    /// What is sent, made from the body of a good response.
    pub response: fn(good: &str) -> String,
    pub end: End,
    /// The expected outcome of a call; an error by `CallError::name`.
    pub outcome: fn(Call) -> Result<(), &'static str>,
}

/// How a response ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum End {
    Close,
    Reset,
    /// Nothing more is sent until the client closes the connection.
    Stall,
    /// This is sent repeatedly until the client closes the connection.
    Flood(&'static str),
    /// The same, slowly.
    Drip(&'static str),
}

/// A server with one fault.
pub struct Faulty {
    pub base: String,
    pub requests: Arc<AtomicUsize>,
    /// Bytes of an endless response.
    pub flooded: Arc<AtomicUsize>,
    open: Arc<AtomicUsize>,
}

impl Faulty {
    pub async fn start(fault: &Fault, good: &str) -> Self {
        let (listener, base) = listen().await;
        let (response, end) = ((fault.response)(good), fault.end);
        let server = Self { base, requests: Arc::default(), flooded: Arc::default(), open: Arc::default() };
        let (requests, flooded, open) = (server.requests.clone(), server.flooded.clone(), server.open.clone());
        tokio::spawn(async move {
            while let Ok((mut socket, _)) = listener.accept().await {
                open.fetch_add(1, SeqCst);
                let (response, requests, flooded, open) =
                    (response.clone(), requests.clone(), flooded.clone(), open.clone());
                tokio::spawn(async move {
                    if read_request(&mut socket).await {
                        requests.fetch_add(1, SeqCst);
                        respond(socket, &response, end, &flooded).await;
                    }
                    open.fetch_sub(1, SeqCst);
                });
            }
        });
        server
    }

    /// Waits until the client has closed every connection.
    pub async fn wait_for_close(&self) {
        timeout(TIMEOUT, async {
            while self.open.load(SeqCst) > 0 {
                sleep(Duration::from_millis(1)).await;
            }
        })
        .await
        .expect("the client closes a connection that it has given up");
    }
}

/// A server's socket and its address.
pub async fn listen() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    (listener, base)
}

/// Errors are ignored: the client may have given up.
async fn respond(mut socket: TcpStream, response: &str, end: End, flooded: &AtomicUsize) {
    let _ = socket.write_all(response.as_bytes()).await;
    match end {
        End::Close => {}
        End::Reset => socket.set_zero_linger().unwrap(),
        End::Stall => drop(socket.read(&mut [0; 1]).await),
        End::Flood(piece) => {
            let pieces = piece.repeat(64 * 1024 / piece.len());
            while socket.write_all(pieces.as_bytes()).await.is_ok() {
                flooded.fetch_add(pieces.len(), SeqCst);
            }
        }
        End::Drip(piece) => {
            while socket.write_all(piece.as_bytes()).await.is_ok() {
                flooded.fetch_add(piece.len(), SeqCst);
                sleep(Duration::from_millis(20)).await;
            }
        }
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
