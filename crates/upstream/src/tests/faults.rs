//! Servers that close connections, hang, send wrong lengths or flood the client × all nine calls.

use std::{
    sync::{Arc, atomic::Ordering::SeqCst},
    time::Duration,
};

use reqwest::Method;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
    task::JoinSet,
    time::timeout,
};
use vincula_domain::token::LinkToken;

use super::{
    caller,
    contract::samples,
    faulty::{End, Fault, Faulty, MAX_SENT, listen, read_request},
    make, upstream,
};
use crate::{Call, CallError, Caller, NoReplyCause, Unexpected, Upstream, UpstreamConfig};

/// Timeout for faults that show at once: long enough for a busy machine.
const LONG_TIMEOUT: Duration = Duration::from_secs(60);

/// Timeout for faults that only a timeout ends.
const SHORT_TIMEOUT: Duration = Duration::from_millis(150);

/// A host that does not exist; also the base URL until a server has its own.
const NOWHERE: &str = "http://vincula.invalid";

const CUT_OFF: fn(Call) -> Result<(), &'static str> = |_| Err("cut_off");
const TIMED_OUT: fn(Call) -> Result<(), &'static str> = |_| Err("timed_out");
const UNEXPECTED: fn(Call) -> Result<(), &'static str> = |_| Err("unexpected_answer");

const CHUNKED: &str = "HTTP/1.1 200 OK\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n";

const DRIPPING: Fault = Fault {
    name: "dripping in the body",
    response: |_| "HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n{\"data\":[".to_owned(),
    end: End::Drip(" "),
    outcome: TIMED_OUT,
};

/// One fault of each kind that the client treats alike. What hyper makes of other wrong heads and lengths is its own.
const FAULTS: [Fault; 14] = [
    Fault { name: "closed before a response", response: |_| String::new(), end: End::Close, outcome: CUT_OFF },
    Fault {
        name: "reset in the body",
        response: |_| "HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n{".to_owned(),
        end: End::Reset,
        outcome: CUT_OFF,
    },
    Fault {
        name: "stalled in the body",
        response: |_| "HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n{".to_owned(),
        end: End::Stall,
        outcome: TIMED_OUT,
    },
    DRIPPING,
    Fault {
        name: "another protocol",
        response: |_| "SSH-2.0-OpenSSH_9.6\r\n".to_owned(),
        end: End::Close,
        outcome: CUT_OFF,
    },
    Fault {
        name: "a head without an end",
        response: |_| "HTTP/1.1 200 OK\r\n".to_owned(),
        end: End::Flood("x-a: b\r\n"),
        outcome: CUT_OFF,
    },
    Fault {
        name: "two lengths",
        response: |good| format!("HTTP/1.1 200 OK\r\ncontent-length: 3\r\ncontent-length: 4\r\n\r\n{good}"),
        end: End::Close,
        outcome: CUT_OFF,
    },
    Fault {
        name: "a chunk that is too long",
        response: |good| format!("{CHUNKED}{:x}\r\n{good}\r\n0\r\n\r\n", good.len() - 5),
        end: End::Close,
        outcome: CUT_OFF,
    },
    Fault {
        name: "a length of a terabyte",
        response: |_| "HTTP/1.1 200 OK\r\ncontent-length: 1000000000000\r\n\r\n".to_owned(),
        end: End::Flood(" "),
        outcome: UNEXPECTED,
    },
    Fault {
        name: "tiny chunks without an end",
        response: |_| CHUNKED.to_owned(),
        end: End::Flood("1\r\n \r\n"),
        outcome: UNEXPECTED,
    },
    Fault {
        name: "an error without an end",
        response: |_| "HTTP/1.1 500 Oops\r\nconnection: close\r\n\r\n".to_owned(),
        end: End::Flood(" "),
        outcome: UNEXPECTED,
    },
    Fault {
        name: "nothing with status 204",
        response: |_| "HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n".to_owned(),
        end: End::Close,
        outcome: |call| if returns_data(call) { Err("unexpected_answer") } else { Ok(()) },
    },
    Fault {
        name: "a page of an outage",
        response: |_| "HTTP/1.1 502 Bad Gateway\r\nconnection: close\r\n\r\n<h1>Bad Gateway</h1>".to_owned(),
        end: End::Close,
        outcome: |_| Err("failed"),
    },
    Fault {
        name: "an early hint",
        response: |good| {
            let length = good.len();
            format!(
                "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: \
                 {length}\r\n\r\n{good}"
            )
        },
        end: End::Close,
        outcome: |_| Ok(()),
    },
];

fn returns_data(call: Call) -> bool {
    matches!(call, Call::ValidateToken | Call::ListAccounts | Call::ListBanks | Call::ConnectToken)
}

#[tokio::test]
async fn every_call_survives_every_fault() {
    // Created once: setting up TLS takes longer than the short timeout.
    let (patient, impatient) = (upstream(NOWHERE, LONG_TIMEOUT), upstream(NOWHERE, SHORT_TIMEOUT));
    for fault in &FAULTS {
        let upstream = if matches!(fault.end, End::Stall | End::Drip(_)) { &impatient } else { &patient };
        let mut running = JoinSet::new();
        for call in Call::ALL {
            running.spawn(meet(upstream.clone(), fault, call));
        }
        running.join_all().await;
    }
}

/// Makes a call to a faulty server.
async fn meet(upstream: Upstream, fault: &Fault, call: Call) {
    let server = Faulty::start(fault, samples(call).1).await;
    let upstream = Upstream { base: Arc::new(server.base.parse().unwrap()), ..upstream };
    let what = format!("{call:?}, {}", fault.name);
    let outcome =
        timeout(2 * LONG_TIMEOUT, make(call, &upstream, &caller())).await.unwrap_or_else(|_| panic!("{what}"));
    assert_eq!(outcome.map(drop).map_err(|error| error.name()), (fault.outcome)(call), "{what}");
    server.wait_for_close().await;
    let most = if call.method() == Method::GET { 2 } else { 1 };
    assert!(server.requests.load(SeqCst) <= most, "{what}: sent again");
    let flooded = server.flooded.load(SeqCst);
    assert!(flooded < MAX_SENT, "{what}: {flooded} bytes taken");
}

#[tokio::test]
async fn a_server_that_is_not_there_is_no_reply() {
    let (listener, base) = listen().await;
    drop(listener);
    for call in Call::ALL {
        let error = make(call, &upstream(&base, LONG_TIMEOUT), &caller()).await.unwrap_err();
        assert_eq!(error, CallError::NoReply(NoReplyCause::Refused), "{call:?}");
    }
}

/// The client discards a response without a request, on a connection that stays open, together with the connection.
#[tokio::test]
async fn an_answer_too_many_is_nobodys() {
    let (listener, base) = listen().await;
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
    let upstream = upstream(&base, LONG_TIMEOUT);
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
        let server = Faulty::start(&DRIPPING, "").await;
        let upstream = upstream(&server.base, SHORT_TIMEOUT * more);
        let outcome = timeout(LONG_TIMEOUT, upstream.list_banks(&caller())).await.expect("every call ends");
        assert_eq!(outcome.unwrap_err(), CallError::NoReply(NoReplyCause::TimedOut));
        if server.flooded.load(SeqCst) > 0 {
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
    while let Ok(waiting) = timeout(SHORT_TIMEOUT, TcpStream::connect(address)).await {
        queue.push(waiting.unwrap());
    }

    let config = UpstreamConfig {
        base: format!("http://{address}").parse().unwrap(),
        timeout: LONG_TIMEOUT,
        connect_timeout: SHORT_TIMEOUT,
        bank_list_ttl: Duration::ZERO,
    };
    let call = Upstream::new(&config).unwrap();
    let outcome = timeout(LONG_TIMEOUT / 2, call.list_banks(&caller())).await.expect("given up long before");
    assert_eq!(outcome.unwrap_err(), CallError::NoReply(NoReplyCause::TimedOut));
}

#[tokio::test]
async fn hosts_that_do_not_exist_are_no_reply() {
    for base in [NOWHERE, "mailto:ana@example.com"] {
        let error = upstream(base, LONG_TIMEOUT).list_banks(&caller()).await.unwrap_err();
        assert_eq!(error, CallError::NoReply(NoReplyCause::Unreachable), "{base}");
    }
}

/// `Content-Type` and `Content-Encoding` are ignored: JSON with a wrong type is JSON, compressed JSON is not.
#[tokio::test]
async fn the_body_decides_and_not_its_label() {
    let banks = r#"{"data":[{"code":"001","name":"BB"}],"meta":{"status":200}}"#;
    for label in ["text/html", "text/plain; charset=iso-8859-1", "application/octet-stream"] {
        let base = serve_once(with_head(&format!("content-type: {label}"), banks.as_bytes())).await;
        assert_eq!(upstream(&base, LONG_TIMEOUT).list_banks(&caller()).await.unwrap().data.len(), 1, "{label}");
    }
    // `{"data":[]}`, compressed by gzip.
    let packed = [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 171, 86, 74, 73, 44, 73, 84, 178, 138, 142, 173, 5, 0, 148, 100, 178, 94, 11,
        0, 0, 0,
    ];
    for call in Call::ALL {
        let base = serve_once(with_head("content-type: application/json\r\ncontent-encoding: gzip", &packed)).await;
        let outcome = make(call, &upstream(&base, LONG_TIMEOUT), &caller()).await.map(drop);
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
                    let outcome = make(call, &upstream(&base, LONG_TIMEOUT), &caller()).await.map(drop);
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
    let (listener, base) = listen().await;
    tokio::spawn(async move {
        let (mut socket, _) = listener.accept().await.unwrap();
        read_request(&mut socket).await;
        // The client may close the connection if the response is too large.
        let _ = socket.write_all(&answer).await;
    });
    base
}
