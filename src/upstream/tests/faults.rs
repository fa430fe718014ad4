//! Servers that hang up, hang, lie and flood × all nine calls.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpSocket, TcpStream},
    task::JoinSet,
    time::{sleep, timeout},
};

use super::{caller, make, upstream};
use crate::upstream::{Call, CallError, NoReplyCause, Reply, ReplyKind, Unexpected, Upstream, UpstreamConfig};

/// For faults that show at once: long enough for a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

/// For faults that only the clock ends.
const IMPATIENCE: Duration = Duration::from_millis(150);

/// Before a server gives its own address.
const NOWHERE: &str = "http://vincula.invalid";

const FLOOD_BYTES: usize = 200 * 1024 * 1024;

/// What of a flood may have left the server when the client hangs up: the cap, and what the sockets between them hold.
const MOST_TAKEN: usize = 32 * 1024 * 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// Nobody listens.
    Refused,
    /// Closed, politely, before an answer.
    ClosedBeforeAnswer,
    /// Torn down before an answer.
    ResetBeforeAnswer,
    ClosedInHead,
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
}

const FAULTS: [Fault; 16] = [
    Fault::Refused,
    Fault::ClosedBeforeAnswer,
    Fault::ResetBeforeAnswer,
    Fault::ClosedInHead,
    Fault::CutInBody,
    Fault::CutInChunks,
    Fault::ResetInBody,
    Fault::Hang,
    Fault::SlowDrip,
    Fault::Garbage,
    Fault::Status500,
    Fault::Status503,
    Fault::Html502,
    Fault::DeclaredFlood,
    Fault::EndlessFlood,
    Fault::ErrorFlood,
];

fn expected(fault: Fault) -> CallError {
    let other = |http_status, meta_status| {
        CallError::Reply(Reply { http_status, meta_status, kind: ReplyKind::Other, message: None })
    };
    match fault {
        Fault::Refused => CallError::NoReply(NoReplyCause::Refused),
        Fault::ClosedBeforeAnswer
        | Fault::ResetBeforeAnswer
        | Fault::ClosedInHead
        | Fault::CutInBody
        | Fault::CutInChunks
        | Fault::ResetInBody
        | Fault::Garbage => CallError::NoReply(NoReplyCause::Reset),
        Fault::Hang | Fault::SlowDrip => CallError::NoReply(NoReplyCause::TimedOut),
        Fault::Status500 => other(500, Some(500)),
        Fault::Status503 => other(503, None),
        Fault::Html502 => other(502, None),
        Fault::DeclaredFlood | Fault::EndlessFlood | Fault::ErrorFlood => CallError::Unexpected(Unexpected::TooLarge),
    }
}

#[tokio::test]
async fn every_call_survives_every_fault() {
    // Made once: setting up TLS takes longer than the impatient one waits.
    let (patient, impatient) = (upstream(NOWHERE, PATIENCE), upstream(NOWHERE, IMPATIENCE));
    for fault in FAULTS {
        let on_time = expected(fault) == CallError::NoReply(NoReplyCause::TimedOut);
        let upstream = if on_time { &impatient } else { &patient };
        let mut calls = JoinSet::new();
        for call in Call::ALL {
            let upstream = upstream.clone();
            calls.spawn(async move {
                let server = Faulty::start(fault).await;
                let upstream = Upstream { base: server.base.parse().unwrap(), ..upstream };
                let outcome = timeout(2 * PATIENCE, make(call, &upstream, &caller())).await.expect("every call ends");
                let outcome = outcome.map(drop);
                assert_eq!(outcome, Err(expected(fault)), "{call:?}, {fault:?}");
                server.has_hung_up().await;
                let requests = server.requests.load(SeqCst);
                assert!(requests <= 1, "sent {requests} times: {call:?}, {fault:?}");
                let taken = server.written.load(SeqCst);
                assert!(taken < MOST_TAKEN, "{taken} bytes taken: {call:?}, {fault:?}");
            });
        }
        while let Some(done) = calls.join_next().await {
            done.unwrap();
        }
    }
}

/// Signs of life do not prolong a call.
#[tokio::test]
async fn the_timeout_is_for_the_whole_call() {
    let server = Faulty::start(Fault::SlowDrip).await;
    let upstream = upstream(&server.base, IMPATIENCE);
    let outcome = timeout(PATIENCE, upstream.list_banks(&caller())).await.expect("every call ends");
    assert_eq!(outcome.unwrap_err(), CallError::NoReply(NoReplyCause::TimedOut));
    assert!(server.written.load(SeqCst) > 0, "the server was giving");
}

/// A host that never takes the connection ends after the connect timeout, however long the call may take in all.
#[tokio::test]
async fn connecting_has_a_timeout_of_its_own() {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let listener = socket.listen(0).unwrap();
    let address = listener.local_addr().unwrap();
    let mut queue = Vec::new();
    while let Ok(waiting) = timeout(IMPATIENCE, TcpStream::connect(address)).await {
        queue.push(waiting.unwrap());
    }

    let config = UpstreamConfig {
        base: format!("http://{address}").parse().unwrap(),
        timeout: PATIENCE,
        connect_timeout: IMPATIENCE,
    };
    let call = Upstream::new(&config).unwrap();
    let outcome = timeout(PATIENCE / 2, call.list_banks(&caller())).await.expect("given up long before");
    assert_eq!(outcome.unwrap_err(), CallError::NoReply(NoReplyCause::TimedOut));
}

#[tokio::test]
async fn hosts_that_do_not_exist_are_no_reply() {
    for base in [NOWHERE, "mailto:ana@example.com"] {
        let error = upstream(base, PATIENCE).list_banks(&caller()).await.unwrap_err();
        assert_eq!(error, CallError::NoReply(NoReplyCause::Unreachable), "{base}");
    }
}

/// Labels and encodings are not what decides: JSON under a wrong label is JSON, packed JSON is none.
#[tokio::test]
async fn the_body_decides_and_not_its_label() {
    let banks = r#"{"data":[{"code":"001","name":"BB"}],"meta":{"status":200}}"#;
    for label in ["text/html", "text/plain; charset=iso-8859-1", "application/octet-stream"] {
        let base = serve_once(with_head(&format!("content-type: {label}"), banks.as_bytes())).await;
        assert_eq!(upstream(&base, PATIENCE).list_banks(&caller()).await.unwrap().data.len(), 1, "{label}");
    }
    // `{"data":[]}`, packed by gzip.
    let packed = [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 171, 86, 74, 73, 44, 73, 84, 178, 138, 142, 173, 5, 0, 148, 100, 178, 94, 11,
        0, 0, 0,
    ];
    for call in Call::ALL {
        let base = serve_once(with_head("content-type: application/json\r\ncontent-encoding: gzip", &packed)).await;
        let outcome = make(call, &upstream(&base, PATIENCE), &caller()).await.map(drop);
        let used = matches!(call, Call::ValidateToken | Call::ListAccounts | Call::ListBanks | Call::ConnectToken);
        assert_eq!(outcome, if used { Err(CallError::Unexpected(Unexpected::NotJson)) } else { Ok(()) }, "{call:?}");
    }
}

/// The cap is inclusive: an answer of 4 MiB is read, one byte more is not.
#[tokio::test]
async fn four_mebibytes_are_the_most() {
    let banks = r#"{"data":[],"meta":{}}"#;
    for (size, outcome) in
        [(4 * 1024 * 1024, Ok(())), (4 * 1024 * 1024 + 1, Err(CallError::Unexpected(Unexpected::TooLarge)))]
    {
        let body = format!("{banks}{}", " ".repeat(size - banks.len()));
        let chunked = format!("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n{size:x}\r\n{body}\r\n0\r\n\r\n");
        for answer in [with_head("connection: close", body.as_bytes()), chunked.into_bytes()] {
            let base = serve_once(answer).await;
            assert_eq!(upstream(&base, PATIENCE).list_banks(&caller()).await.map(drop), outcome, "{size}");
        }
    }
}

fn with_head(lines: &str, body: &[u8]) -> Vec<u8> {
    let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n{lines}\r\n\r\n", body.len());
    [head.as_bytes(), body].concat()
}

/// A server that gives this to the first request.
async fn serve_once(answer: Vec<u8>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let (mut socket, _) = listener.accept().await.unwrap();
        read_request(&mut socket).await;
        // The client may hang up on what is too large.
        let _ = socket.write_all(&answer).await;
    });
    base
}

/// A server with one fault.
struct Faulty {
    base: String,
    requests: Arc<AtomicUsize>,
    written: Arc<AtomicUsize>,
    open: Arc<AtomicUsize>,
}

impl Faulty {
    async fn start(fault: Fault) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let server = Self { base, requests: Arc::default(), written: Arc::default(), open: Arc::default() };
        let (requests, written, open) = (server.requests.clone(), server.written.clone(), server.open.clone());
        if fault == Fault::Refused {
            return server;
        }
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                let (requests, written, open) = (requests.clone(), written.clone(), open.clone());
                open.fetch_add(1, SeqCst);
                tokio::spawn(async move {
                    misbehave(fault, socket, &requests, &written).await;
                    open.fetch_sub(1, SeqCst);
                });
            }
        });
        server
    }

    /// Waits until no connection is left.
    async fn has_hung_up(&self) {
        timeout(PATIENCE, async {
            while self.open.load(SeqCst) > 0 {
                sleep(Duration::from_millis(1)).await;
            }
        })
        .await
        .expect("the client lets go of a connection that it has given up");
    }
}

async fn misbehave(fault: Fault, mut socket: TcpStream, requests: &AtomicUsize, written: &AtomicUsize) {
    read_request(&mut socket).await;
    requests.fetch_add(1, SeqCst);
    let chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
    let declared = format!("HTTP/1.1 200 OK\r\ncontent-length: {FLOOD_BYTES}\r\n\r\n");
    match fault {
        Fault::Refused => unreachable!("nobody listens"),
        Fault::ClosedBeforeAnswer => {}
        Fault::ResetBeforeAnswer => reset(socket),
        Fault::ClosedInHead => give(&mut socket, "HTTP/1.1 200 OK\r\ncontent-le").await,
        Fault::CutInBody => give(&mut socket, "HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{\"data\":[").await,
        Fault::CutInChunks => give(&mut socket, &format!("{chunked}9\r\n{{\"data\":[\r\n")).await,
        Fault::ResetInBody => {
            give(&mut socket, &format!("{chunked}9\r\n{{\"data\":[\r\n")).await;
            reset(socket);
        }
        Fault::Hang => hung_up_on(&mut socket).await,
        Fault::SlowDrip => {
            give(&mut socket, &declared.replace(&FLOOD_BYTES.to_string(), "4000")).await;
            while socket.write_all(b" ").await.is_ok() {
                written.fetch_add(1, SeqCst);
                sleep(Duration::from_millis(20)).await;
            }
        }
        Fault::Garbage => give(&mut socket, "220 mail.example.com ESMTP\r\n\r\n").await,
        Fault::Status500 => give(&mut socket, &refusal("500 Oops", r#"{"data":null,"meta":{"status":500}}"#)).await,
        Fault::Status503 => give(&mut socket, &refusal("503 Busy", "")).await,
        Fault::Html502 => give(&mut socket, &refusal("502 Bad", "<html><h1>502 Bad Gateway</h1></html>")).await,
        Fault::DeclaredFlood => flood(socket, &declared, written).await,
        Fault::EndlessFlood => flood(socket, "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n", written).await,
        Fault::ErrorFlood => flood(socket, "HTTP/1.1 500 Oops\r\nconnection: close\r\n\r\n", written).await,
    }
}

/// Reads a request to its end, so that closing afterwards is a close and no reset.
async fn read_request(socket: &mut TcpStream) {
    let mut request = Vec::new();
    let mut piece = [0; 4096];
    loop {
        let length = socket.read(&mut piece).await.unwrap_or(0);
        request.extend_from_slice(&piece[..length]);
        let text = String::from_utf8_lossy(&request).to_lowercase();
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            assert!(length > 0, "a request has an end");
            continue;
        };
        let declared = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        if length == 0 || body.len() >= declared.map_or(0, |length| length.parse().unwrap()) {
            return;
        }
    }
}

fn refusal(status: &str, body: &str) -> String {
    format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}", body.len())
}

async fn give(socket: &mut TcpStream, text: &str) {
    socket.write_all(text.as_bytes()).await.unwrap();
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
    while written.load(SeqCst) < FLOOD_BYTES && socket.write_all(&spaces).await.is_ok() {
        written.fetch_add(spaces.len(), SeqCst);
    }
}
