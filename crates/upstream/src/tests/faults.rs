//! Servers that close connections, hang, send wrong lengths or flood the client × all nine calls.

use std::{sync::atomic::Ordering::SeqCst, time::Duration};

use reqwest::Method;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpSocket, TcpStream},
    task::JoinSet,
    time::timeout,
};
use vincula_domain::token::LinkToken;
use vincula_faulty::{
    Fault, Faulty, MAX_SENT, Meaning, read_request,
    sample::{report, sample},
    table::{fault, faults},
};

use super::{caller, contract::samples, make, upstream};
use crate::{Call, CallError, Caller, NoReplyCause, Unexpected, Upstream, UpstreamConfig};

/// Timeout for faults that show at once: long enough for a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Timeout for faults that only a timeout ends.
const IMPATIENCE: Duration = Duration::from_millis(150);

/// A host that does not exist; also the base URL until a server has its own.
const NOWHERE: &str = "http://vincula.invalid";

/// Maximum concurrent calls.
const AT_ONCE: usize = 16;

#[tokio::test]
async fn attack_every_call_survives_every_fault() {
    let cases = faults().into_iter().flat_map(|fault| Call::ALL.map(|call| (fault.clone(), call))).collect();
    let mut cases = sample(cases, 400).into_iter();
    let (count, mut surprises, mut running) = (cases.len(), Vec::new(), JoinSet::new());
    // Created once: setting up TLS takes longer than the impatient client's timeout.
    let (patient, impatient) = (upstream(NOWHERE, PATIENCE), upstream(NOWHERE, IMPATIENCE));
    loop {
        while running.len() < AT_ONCE
            && let Some((fault, call)) = cases.next()
        {
            let upstream = if fault.meaning == Meaning::TooLate { &impatient } else { &patient };
            running.spawn(meet(upstream.clone(), fault, call));
        }
        match running.join_next().await {
            Some(surprise) => surprises.extend(surprise.unwrap()),
            None => break,
        }
    }
    report("faults of the upstream, met by its client", count, &surprises);
}

/// Makes a call to a faulty server; returns what differs from the expected outcome.
async fn meet(upstream: Upstream, fault: Fault, call: Call) -> Option<String> {
    let server = Faulty::start(fault.clone(), samples(call).1).await;
    let upstream = upstream.with_base(&server.base);
    let what = format!("{call:?}, {fault:?}");
    let Ok(outcome) = timeout(2 * PATIENCE, make(call, &upstream, &caller())).await else {
        return Some(format!("{what}: no end"));
    };
    let outcome = outcome.map(drop);
    // `failure.rs` has its own table for telling these two apart.
    let name = |error: &CallError| if error.name() == "failed" { "refused" } else { error.name() };
    if outcome.as_ref().copied().map_err(name) != fault.outcome(call.path()) {
        return Some(format!("{what}: {outcome:?}, not {:?}", fault.outcome(call.path())));
    }
    server.wait_for_close().await;
    let (requests, taken) = (server.requests.load(SeqCst), server.written.load(SeqCst));
    let most = if call.method() == Method::GET { 2 } else { 1 };
    if requests > most {
        return Some(format!("{what}: sent {requests} times"));
    }
    // The client reads and discards such a response until the timeout, so its size is not bounded.
    let is_bounded = fault.meaning == Meaning::TooLate || taken < MAX_SENT;
    (!is_bounded).then(|| format!("{what}: {taken} bytes taken"))
}

#[tokio::test]
async fn a_server_that_is_not_there_is_no_reply() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    for call in Call::ALL {
        let error = make(call, &upstream(&base, PATIENCE), &caller()).await.unwrap_err();
        assert_eq!(error, CallError::NoReply(NoReplyCause::Refused), "{call:?}");
    }
}

/// The client discards a response without a request, on a connection that stays open, together with the connection.
#[tokio::test]
async fn an_answer_too_many_is_nobodys() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            tokio::spawn(async move {
                loop {
                    let mut request = Vec::new();
                    while !request.ends_with(b"\r\n\r\n") {
                        if matches!(socket.read_buf(&mut request).await, Ok(0) | Err(_)) {
                            return;
                        }
                    }
                    let text = String::from_utf8(request).unwrap();
                    let whose = text.split("Bearer ").nth(1).and_then(|rest| rest.split("\r\n").next()).unwrap();
                    let body = format!(r#"{{"data":[{{"name":"{whose}"}}]}}"#);
                    let answer = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}", body.len());
                    let _ = socket.write_all(answer.repeat(2).as_bytes()).await;
                }
            });
        }
    });
    let upstream = upstream(&base, PATIENCE);
    for round in 0..60 {
        let whose = format!("client-{round}");
        let caller = Caller { token: LinkToken::parse(&whose), xsrf: None };
        let accounts = upstream.list_accounts(&caller).await.unwrap().data.accounts;
        assert_eq!(accounts.iter().map(|account| &account.name).collect::<Vec<_>>(), [&whose]);
    }
}

/// Data that trickles in does not extend the timeout.
#[tokio::test]
async fn the_timeout_is_for_the_whole_call() {
    // On a busy machine the call may time out before the server has sent anything: then retry with a longer timeout.
    for more in [1, 10, 60] {
        let server = Faulty::start(fault("dripping in the body"), "").await;
        let upstream = upstream(&server.base, IMPATIENCE * more);
        let outcome = timeout(PATIENCE, upstream.list_banks(&caller())).await.expect("every call ends");
        assert_eq!(outcome.unwrap_err(), CallError::NoReply(NoReplyCause::TimedOut));
        if server.written.load(SeqCst) > 0 {
            return;
        }
    }
    panic!("the server never sent anything");
}

/// If a host never accepts the connection, the call ends after the connect timeout, however long its own timeout is.
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
        bank_list_ttl: Duration::ZERO,
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

/// `Content-Type` and `Content-Encoding` are ignored: JSON with a wrong type is JSON, compressed JSON is not.
#[tokio::test]
async fn the_body_decides_and_not_its_label() {
    let banks = r#"{"data":[{"code":"001","name":"BB"}],"meta":{"status":200}}"#;
    for label in ["text/html", "text/plain; charset=iso-8859-1", "application/octet-stream"] {
        let base = serve_once(with_head(&format!("content-type: {label}"), banks.as_bytes())).await;
        assert_eq!(upstream(&base, PATIENCE).list_banks(&caller()).await.unwrap().data.len(), 1, "{label}");
    }
    // `{"data":[]}`, compressed by gzip.
    let packed = [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 171, 86, 74, 73, 44, 73, 84, 178, 138, 142, 173, 5, 0, 148, 100, 178, 94, 11,
        0, 0, 0,
    ];
    for call in Call::ALL {
        let base = serve_once(with_head("content-type: application/json\r\ncontent-encoding: gzip", &packed)).await;
        let outcome = make(call, &upstream(&base, PATIENCE), &caller()).await.map(drop);
        assert_eq!(outcome, Err(CallError::Unexpected(Unexpected::NotJson)), "{call:?}");
    }
}

/// The limits are inclusive: a body of exactly that size is read, one byte more is not.
#[tokio::test]
async fn each_call_limits_the_size_of_its_response() {
    for call in Call::ALL {
        for status in ["200 OK", "500 Oops"] {
            let (is_list, is_good) = (call.method() == Method::GET, status.starts_with('2'));
            let most = if is_list && is_good { 512 * 1024 } else { 64 * 1024 };
            for (size, fits) in [(most, true), (most + 1, false)] {
                let sample = samples(call).1;
                let body = format!("{sample}{}", " ".repeat(size - sample.len()));
                let head = format!("HTTP/1.1 {status}\r\nconnection: close\r\n");
                let declared = format!("{head}content-length: {size}\r\n\r\n{body}");
                let chunked = format!("{head}transfer-encoding: chunked\r\n\r\n{size:x}\r\n{body}\r\n0\r\n\r\n");
                for answer in [declared, chunked] {
                    let base = serve_once(answer.into_bytes()).await;
                    let outcome = make(call, &upstream(&base, PATIENCE), &caller()).await.map(drop);
                    let is_read = outcome != Err(CallError::Unexpected(Unexpected::TooLarge));
                    assert_eq!(is_read, fits, "{call:?}, {status}, {size}: {outcome:?}");
                    assert!(!is_read || outcome.is_ok() == is_good, "{outcome:?}");
                }
            }
        }
    }
}

fn with_head(lines: &str, body: &[u8]) -> Vec<u8> {
    let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n{lines}\r\n\r\n", body.len());
    [head.as_bytes(), body].concat()
}

/// A server that sends these bytes to its first request.
async fn serve_once(answer: Vec<u8>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let (mut socket, _) = listener.accept().await.unwrap();
        read_request(&mut socket).await;
        // The client may close the connection if the response is too large.
        let _ = socket.write_all(&answer).await;
    });
    base
}
