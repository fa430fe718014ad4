//! Servers that hang up, hang, lie and flood × all nine calls.

use std::{sync::atomic::Ordering::SeqCst, time::Duration};

use reqwest::Method;
use tokio::{
    io::AsyncWriteExt,
    net::{TcpListener, TcpSocket, TcpStream},
    task::JoinSet,
    time::timeout,
};

use super::{
    caller,
    faulty::{Fault, Faulty, Kind, MOST_TAKEN, has_asked},
    make, upstream,
};
use crate::upstream::{Call, CallError, NoReplyCause, Reply, ReplyKind, Unexpected, Upstream, UpstreamConfig};

/// For faults that show at once: long enough for a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

/// For faults that only the clock ends.
const IMPATIENCE: Duration = Duration::from_millis(150);

/// Before a server gives its own address.
const NOWHERE: &str = "http://vincula.invalid";

/// Whether what a 2xx answer holds is of use to a call.
fn is_used(call: Call) -> bool {
    matches!(call, Call::ValidateToken | Call::ListAccounts | Call::ListBanks | Call::ConnectToken)
}

fn expected(call: Call, fault: Fault) -> Result<(), CallError> {
    Err(match (fault.kind(), fault) {
        (_, Fault::Refused) => CallError::NoReply(NoReplyCause::Refused),
        (Kind::NoReply, _) => CallError::NoReply(NoReplyCause::Reset),
        (Kind::TooLate, _) => CallError::NoReply(NoReplyCause::TimedOut),
        (Kind::TooLarge, _) => CallError::Unexpected(Unexpected::TooLarge),
        (Kind::Unusable, _) if !is_used(call) => return Ok(()),
        (Kind::Unusable, Fault::OtherShape) => CallError::Unexpected(Unexpected::OtherShape),
        (Kind::Unusable, _) => CallError::Unexpected(Unexpected::NotJson),
        (Kind::Refusal, refusal) => {
            let (http_status, meta_status) = match refusal {
                Fault::Status500 => (500, Some(500)),
                Fault::Status503 => (503, None),
                _ => (502, None),
            };
            let kind = ReplyKind::Other;
            CallError::Reply(Reply { http_status, meta_status, kind, message: None, xsrf: None, retry_after: None })
        }
    })
}

#[tokio::test]
async fn every_call_survives_every_fault() {
    // Made once: setting up TLS takes longer than the impatient one waits.
    let (patient, impatient) = (upstream(NOWHERE, PATIENCE), upstream(NOWHERE, IMPATIENCE));
    for fault in Fault::ALL {
        let upstream = if fault.kind() == Kind::TooLate { &impatient } else { &patient };
        let mut calls = JoinSet::new();
        for call in Call::ALL {
            let upstream = upstream.clone();
            calls.spawn(async move {
                let server = Faulty::start(fault).await;
                let upstream = upstream.before(&server.base);
                let outcome = timeout(2 * PATIENCE, make(call, &upstream, &caller())).await.expect("every call ends");
                let outcome = outcome.map(drop);
                assert_eq!(outcome, expected(call, fault), "{call:?}, {fault:?}");
                server.has_hung_up().await;
                let requests = server.requests.load(SeqCst);
                let most = if call.method() == Method::GET { 2 } else { 1 };
                assert!(requests <= most, "sent {requests} times: {call:?}, {fault:?}");
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
    // On a busy machine the time may be over before the server has begun to give: then with more of it.
    for more in [1, 10, 60] {
        let server = Faulty::start(Fault::SlowDrip).await;
        let upstream = upstream(&server.base, IMPATIENCE * more);
        let outcome = timeout(PATIENCE, upstream.list_banks(&caller())).await.expect("every call ends");
        assert_eq!(outcome.unwrap_err(), CallError::NoReply(NoReplyCause::TimedOut));
        if server.written.load(SeqCst) > 0 {
            return;
        }
    }
    panic!("the server was giving");
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
        bank_list_life: Duration::ZERO,
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
        assert_eq!(
            outcome,
            if is_used(call) { Err(CallError::Unexpected(Unexpected::NotJson)) } else { Ok(()) },
            "{call:?}"
        );
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
        has_asked(&mut socket).await;
        // The client may hang up on what is too large.
        let _ = socket.write_all(&answer).await;
    });
    base
}
