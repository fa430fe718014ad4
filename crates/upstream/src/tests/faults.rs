//! Servers that close connections, hang, send wrong lengths or flood the client × all nine calls.

use std::{pin::pin, sync::Arc, time::Duration};

use tokio::{
    io::AsyncWriteExt,
    join,
    net::{TcpSocket, TcpStream},
    select,
    task::JoinSet,
    time::{Instant, sleep, timeout},
};
use vincula_domain::token::LinkToken;
use vincula_testing::unanswered;

use super::{caller, contract::response_of, make_call, upstream};
use crate::{CONNECT_TIMEOUT, Call, CallError, Caller, NoResponseCause, Unexpected, Upstream};

/// Timeout for faults that show at once: long enough for a busy machine.
const LONG_TIMEOUT: Duration = Duration::from_mins(1);

/// Timeout for faults that only a timeout ends.
const SHORT_TIMEOUT: Duration = Duration::from_millis(150);

/// Maximum bytes of an endless response that the server can send before the client closes the
/// connection: what the client reads, and what the socket buffers hold.
const MAX_SENT: usize = 16 * 1024 * 1024;

/// A host that does not exist.
const NOWHERE: &str = "http://vincula.invalid";

/// How a response ends.
#[derive(Clone, Copy, PartialEq)]
enum End {
    Close,
    Reset,
    /// This is sent repeatedly until the client closes the connection.
    Flood(&'static str),
    /// The same, slowly.
    Drip(&'static str),
}

/// One fault of each kind that the client treats alike: how the response begins and ends, and the
/// name of the error. What hyper makes of other wrong heads and lengths is its own.
const FAULTS: [(&str, End, &str); 9] = [
    ("", End::Close, "connection_reset"),
    (
        "HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n{",
        End::Reset,
        "connection_reset",
    ),
    ("SSH-2.0-OpenSSH_9.6\r\n", End::Close, "connection_reset"),
    (
        "HTTP/1.1 200 OK\r\n",
        End::Flood("x-a: b\r\n"),
        "connection_reset",
    ),
    (
        "HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n{\"data\":[",
        End::Drip(" "),
        "timed_out",
    ),
    (
        "HTTP/1.1 200 OK\r\ncontent-length: 1000000000000\r\n\r\n",
        End::Flood(" "),
        "unexpected_response",
    ),
    (
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n",
        End::Flood("8\r\n        \r\n"),
        "unexpected_response",
    ),
    (
        "HTTP/1.1 500 Oops\r\nconnection: close\r\n\r\n",
        End::Flood(" "),
        "unexpected_response",
    ),
    (
        "HTTP/1.1 502 Bad Gateway\r\nconnection: close\r\n\r\n<h1>Bad Gateway</h1>",
        End::Close,
        "unexpected_response",
    ),
];

/// Returns how many bytes were sent after the response, once the client has closed the connection.
async fn respond(mut socket: TcpStream, response: &str, end: End) -> usize {
    // Errors are ignored: the client may have given up.
    let _ = socket.write_all(response.as_bytes()).await;
    let (piece, pause) = match end {
        End::Close => return 0,
        End::Reset => {
            socket.set_zero_linger().unwrap();
            return 0;
        }
        End::Flood(piece) => (piece.repeat(64 * 1024 / piece.len()), Duration::ZERO),
        End::Drip(piece) => (piece.to_owned(), Duration::from_millis(20)),
    };
    let mut sent = 0;
    while socket.write_all(piece.as_bytes()).await.is_ok() {
        sent += piece.len();
        sleep(pause).await;
    }
    sent
}

#[tokio::test(start_paused = true)]
async fn every_call_survives_every_fault() {
    // Created once: setting up TLS takes longer than the short timeout.
    let (patient, impatient) = (
        upstream(NOWHERE, LONG_TIMEOUT),
        upstream(NOWHERE, SHORT_TIMEOUT),
    );
    for fault in FAULTS {
        let upstream = if matches!(fault.1, End::Drip(_)) {
            &impatient
        } else {
            &patient
        };
        let mut running = JoinSet::new();
        for &call in Call::ALL {
            running.spawn(assert_fails(upstream.clone(), fault, call));
        }
        running.join_all().await;
    }
}

/// Makes a call to a server with a fault. The client closes the connection, and repeats nothing.
async fn assert_fails(
    upstream: Upstream,
    (response, end, name): (&'static str, End, &str),
    call: Call,
) {
    let (base, mut asked) = unanswered().await;
    let upstream = Upstream {
        base: Arc::new(base.parse().unwrap()),
        ..upstream
    };
    let caller = caller();
    let (mut outcome, mut responses) = (pin!(make_call(call, &upstream, &caller)), JoinSet::new());
    let ended = async {
        loop {
            select! {
                outcome = &mut outcome => return outcome,
                socket = asked.recv() => drop(responses.spawn(respond(socket.unwrap(), response, end))),
            }
        }
    };
    let outcome = timeout(2 * LONG_TIMEOUT, ended)
        .await
        .unwrap_or_else(|_| panic!("{call:?}, {response}"));
    assert_eq!(outcome.unwrap_err().name(), name, "{call:?}, {response}");
    assert!(
        responses.len() + asked.len() <= 1,
        "{call:?}, {response}: sent again"
    );
    let sent: usize = timeout(LONG_TIMEOUT, responses.join_all())
        .await
        .expect("every connection ends")
        .iter()
        .sum();
    assert!(sent < MAX_SENT, "{call:?}, {response}: {sent} bytes taken");
}

#[tokio::test]
async fn unreachable_server_gives_no_response() {
    let closed = TcpSocket::new_v4().unwrap();
    closed.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    for (base, cause) in [
        (
            &*format!("http://{}", closed.local_addr().unwrap()),
            "connection refused",
        ),
        (NOWHERE, "unreachable (failed to lookup address"),
        (
            "mailto:ana@example.com",
            "unreachable (URL scheme is not allowed)",
        ),
    ] {
        let error = upstream(base, LONG_TIMEOUT)
            .list_banks(&caller())
            .await
            .unwrap_err();
        let told = format!("no response from the upstream: {cause}");
        assert!(error.to_string().starts_with(&told), "{error}");
    }
}

/// The client discards a response without a request, on a connection that stays open, together with
/// the connection.
#[tokio::test]
async fn drops_connection_after_unsolicited_response() {
    let (base, mut asked) = unanswered().await;
    let (upstream, mut open) = (upstream(&base, LONG_TIMEOUT), Vec::new());
    for round in 0..60 {
        let whose = format!("client-{round}");
        let caller = Caller {
            token: LinkToken::parse(&whose),
            ..Caller::default()
        };
        let body = format!(r#"{{"data":[{{"name":"{whose}"}}]}}"#);
        let answer = format!(
            "HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        let twice = async {
            let mut socket = asked.recv().await.unwrap();
            let _ = socket.write_all(answer.repeat(2).as_bytes()).await;
            open.push(socket);
        };
        let listed = async { join!(upstream.list_accounts(&caller), twice).0 };
        let accounts = timeout(LONG_TIMEOUT, listed)
            .await
            .expect("a request on another connection")
            .unwrap()
            .data;
        assert_eq!(
            accounts
                .iter()
                .map(|account| &*account.name)
                .collect::<Vec<_>>(),
            [&whose]
        );
    }
}

/// If a host never accepts the connection, the call ends after the connect timeout, however long
/// its own timeout is.
#[tokio::test(start_paused = true)]
async fn connecting_ends_after_its_own_timeout() {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let listener = socket.listen(0).unwrap();
    let address = listener.local_addr().unwrap();
    let mut queue = Vec::new();
    while let Ok(waiting) = timeout(SHORT_TIMEOUT, TcpStream::connect(address)).await {
        queue.push(waiting.unwrap());
    }

    let call = upstream(&format!("http://{address}"), LONG_TIMEOUT);
    let before = Instant::now();
    let outcome = call.list_banks(&caller()).await;
    assert_eq!(
        outcome.unwrap_err(),
        CallError::NoResponse(NoResponseCause::TimedOut)
    );
    assert!(
        before.elapsed() < 2 * CONNECT_TIMEOUT,
        "{:?}",
        before.elapsed()
    );
}

/// The limit is inclusive: a body of exactly that size is read, one byte more is not.
#[tokio::test]
async fn limits_size_of_responses() {
    let most = 1024 * 1024;
    for (size, fits) in [(most, true), (most + 1, false)] {
        let sample = response_of(Call::ListAccounts);
        let body = format!("{sample}{}", " ".repeat(size - sample.len()));
        let head = "HTTP/1.1 200 OK\r\nconnection: close\r\n";
        let declared = format!("{head}content-length: {size}\r\n\r\n{body}");
        let chunked =
            format!("{head}transfer-encoding: chunked\r\n\r\n{size:x}\r\n{body}\r\n0\r\n\r\n");
        for answer in [declared, chunked] {
            let (base, mut asked) = unanswered().await;
            let served = async { respond(asked.recv().await.unwrap(), &answer, End::Close).await };
            let (upstream, caller) = (upstream(&base, LONG_TIMEOUT), caller());
            let outcome = join!(make_call(Call::ListAccounts, &upstream, &caller), served).0;
            let expected = if fits {
                Ok(())
            } else {
                Err(CallError::Unexpected(Unexpected::TooLarge))
            };
            assert_eq!(outcome, expected, "{size}");
        }
    }
}
