//! The listener over real sockets, and how a stop ends its connections.

use std::{
    future::{Future, pending},
    io::Write,
    net::SocketAddr,
    sync::Arc,
    time::Duration,
};

use axum::{Router, extract::ConnectInfo, middleware::from_fn_with_state, routing::get};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::{Notify, oneshot},
    task::JoinHandle,
    time::Instant,
};
use tokio_util::sync::CancellationToken;

use crate::{
    http::body,
    server::{
        close_connections,
        listen::{GRACE_PERIOD, serve},
    },
};

/// A running server with a few routes.
struct Running {
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    server: JoinHandle<()>,
    draining: CancellationToken,
    /// Lets `/slow` respond.
    go_on: Arc<Notify>,
    /// Notified when `/slow` has begun.
    begun: Arc<Notify>,
}

impl Running {
    /// `background`: the calls that outlive their requests.
    async fn start(background: impl Future<Output = ()> + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (go_on, begun) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        let slow = {
            let (go_on, begun) = (Arc::clone(&go_on), Arc::clone(&begun));
            async move || {
                begun.notify_one();
                go_on.notified().await;
                "done"
            }
        };
        let draining = CancellationToken::new();
        let peer = async |ConnectInfo(peer): ConnectInfo<SocketAddr>| peer.ip().to_string();
        let router = Router::new()
            .route("/", get(peer))
            .route("/slow", get(slow))
            .layer(from_fn_with_state(draining.clone(), body::read_whole))
            .layer(from_fn_with_state(draining.clone(), close_connections));
        let (stop, stopped) = oneshot::channel();
        let stopped = async { stopped.await.unwrap() };
        let server = tokio::spawn(serve(router, listener, stopped, background));
        Self {
            address,
            stop,
            server,
            draining,
            go_on,
            begun,
        }
    }

    async fn send(&self, text: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        stream.write_all(text.as_bytes()).await.unwrap();
        stream
    }
}

/// All that the server sends until it closes.
async fn rest(mut stream: TcpStream) -> String {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes).await;
    String::from_utf8(bytes).unwrap()
}

const GET: &str = "GET / HTTP/1.1\r\nhost: a\r\n\r\n";
const GET_SLOW: &str = "GET /slow HTTP/1.1\r\nhost: a\r\n\r\n";

/// nginx forwards heads of 64 kB. Hyper reads at most one buffer more.
#[tokio::test]
async fn heads_are_limited() {
    let running = Running::start(async {}).await;
    for (length, status) in [(60_000, "200 OK"), (200_000, "431 ")] {
        let cookie = "a".repeat(length);
        let head =
            format!("GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncookie: {cookie}\r\n\r\n");
        let answer = rest(running.send(&head).await).await;
        let expected = format!("HTTP/1.1 {status}");
        assert!(answer.starts_with(&expected), "{length}: {answer}");
    }
}

#[tokio::test(start_paused = true)]
async fn closes_connection_without_a_request_head_in_time() {
    let running = Running::start(async {}).await;
    let before = Instant::now();
    let answer = rest(running.send("GET / HTTP/1.1\r\nhost:").await).await;
    assert!(!answer.starts_with("HTTP/1.1 200"), "{answer}");
    let waited = before.elapsed();
    assert!(
        waited >= Duration::from_secs(75) && waited < Duration::from_secs(80),
        "{waited:?}"
    );
}

/// And then the calls in the background.
#[tokio::test]
async fn shutdown_finishes_open_requests_and_closes_idle_connections() {
    let (finished, last) = oneshot::channel();
    let running = Running::start(async move { finished.send(()).unwrap() }).await;
    let idle = running.send("").await;
    let open = running.send(GET_SLOW).await;
    running.begun.notified().await;
    running.stop.send(()).unwrap();
    assert_eq!(rest(idle).await, "");
    assert!(
        TcpStream::connect(running.address).await.is_err(),
        "no new connections"
    );
    running.go_on.notify_one();
    let answer = rest(open).await;
    assert!(answer.ends_with("done"), "{answer}");
    running.server.await.unwrap();
    assert_eq!(last.await, Ok(()));
}

/// A proxy that opened it does not send a POST again.
#[tokio::test]
async fn shutdown_serves_connection_that_waits_to_be_accepted() {
    let running = Running::start(async {}).await;
    running.stop.send(()).unwrap();
    // Blocks, so that the server sees the stop and the connection at once.
    let mut waiting = std::net::TcpStream::connect(running.address).unwrap();
    waiting.write_all(GET.as_bytes()).unwrap();
    waiting.set_nonblocking(true).unwrap();
    let answer = rest(TcpStream::from_std(waiting).unwrap()).await;
    assert!(answer.contains("200 OK\r\n"), "{answer}");
    running.server.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn shutdown_ends_in_time_with_open_requests_or_calls() {
    for (request, background) in [(GET_SLOW, false), ("", true)] {
        let running = Running::start(async move {
            if background {
                pending::<()>().await;
            }
        })
        .await;
        let _open = running.send(request).await;
        if !background {
            running.begun.notified().await;
        }
        let before = Instant::now();
        running.stop.send(()).unwrap();
        running.server.await.unwrap();
        assert_eq!(before.elapsed().as_secs(), GRACE_PERIOD.as_secs());
    }
}

#[tokio::test(start_paused = true)]
async fn shutdown_does_not_wait_for_missing_body() {
    let running = Running::start(async {}).await;
    let unfinished = "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\n";
    let open = running.send(unfinished).await;
    let before = Instant::now();
    running.draining.cancel();
    running.stop.send(()).unwrap();
    let answer = rest(open).await;
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    running.server.await.unwrap();
    let waited = before.elapsed();
    assert!(waited < Duration::from_secs(4), "{waited:?}");
}

/// After the shutdown signal no proxy may keep a connection that the server is about to close.
#[tokio::test]
async fn closes_connection_after_response_while_draining() {
    let running = Running::start(async {}).await;
    let mut kept = running.send(GET).await;
    let mut answer = Vec::new();
    while !answer.ends_with(b"127.0.0.1") {
        kept.read_buf(&mut answer).await.unwrap();
    }
    assert!(!String::from_utf8(answer).unwrap().contains("connection:"));
    let open = running.send(GET_SLOW).await;
    running.begun.notified().await;
    running.draining.cancel();
    running.go_on.notify_one();
    kept.write_all(GET.as_bytes()).await.unwrap();
    for connection in [kept, open, running.send(GET).await] {
        let answer = rest(connection).await;
        assert!(
            answer.contains("200 OK\r\n") && answer.contains("connection: close\r\n"),
            "{answer}"
        );
    }
}
