//! The listener over real sockets: its limits on connections, and how a stop ends them.

use std::{
    future::Future,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use axum::{
    Router,
    body::Bytes,
    extract::{ConnectInfo, State},
    routing::{get, post},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::{Notify, oneshot},
    task::JoinHandle,
    time::{Instant, sleep, timeout},
};
use tokio_util::sync::CancellationToken;
use vincula_testing::log_of_this_thread;

#[cfg(target_os = "linux")]
use crate::server::listen::open;
use crate::server::listen::{LAST_READ_TIMEOUT, MAX_CONNECTIONS, SHUTDOWN_TIMEOUT, listen, serve};

const LOOPBACK: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0);

/// More than the system buffers for a connection.
const LARGE: usize = 4 * 1024 * 1024;

/// A running server with a few routes.
pub struct Running {
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    server: JoinHandle<bool>,
    draining: CancellationToken,
    /// Lets `/slow` respond.
    go_on: Arc<Notify>,
    /// Notified when `/slow` has begun.
    begun: Arc<Notify>,
}

impl Running {
    pub async fn start() -> Self {
        Self::with(MAX_CONNECTIONS, async {}).await
    }

    async fn with(
        max_connections: usize,
        after_requests: impl Future<Output = ()> + Send + 'static,
    ) -> Self {
        Self::on(
            listen("", LOOPBACK).unwrap(),
            max_connections,
            after_requests,
        )
    }

    fn on(
        listener: TcpListener,
        max_connections: usize,
        after_requests: impl Future<Output = ()> + Send + 'static,
    ) -> Self {
        let address = listener.local_addr().unwrap();
        let (go_on, begun) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        let slow = async |State((begun, go_on)): State<(Arc<Notify>, Arc<Notify>)>| {
            begun.notify_one();
            go_on.notified().await;
            "done"
        };
        let router = Router::new()
            .route(
                "/",
                get(async |ConnectInfo(peer): ConnectInfo<SocketAddr>| peer.ip().to_string()),
            )
            .route(
                "/length",
                post(async |body: Bytes| format!("{} bytes", body.len())),
            )
            .route("/large", get(async || vec![b'a'; LARGE]))
            .route("/slow", get(slow))
            .with_state((Arc::clone(&begun), Arc::clone(&go_on)));
        let (stop, asked) = oneshot::channel();
        let asked = async { asked.await.unwrap() };
        let draining = CancellationToken::new();
        let server = tokio::spawn(serve(
            router,
            listener,
            max_connections,
            draining.clone(),
            asked,
            after_requests,
        ));
        Self {
            address,
            stop: Some(stop),
            server,
            draining,
            go_on,
            begun,
        }
    }

    pub async fn send(&self, text: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        stream.write_all(text.as_bytes()).await.unwrap();
        stream
    }

    pub fn stop(&mut self) {
        self.stop.take().unwrap().send(()).unwrap();
    }
}

/// All that the server sends until it closes.
pub async fn rest(mut stream: TcpStream) -> String {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes).await;
    String::from_utf8(bytes).unwrap()
}

pub const GET: &str = "GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n";
pub const KEPT: &str = "GET / HTTP/1.1\r\nhost: a\r\n\r\n";
pub const GET_SLOW: &str = "GET /slow HTTP/1.1\r\nhost: a\r\n\r\n";

#[tokio::test]
async fn limits_concurrent_connections() {
    let running = Running::with(1, async {}).await;
    let first = running.send(GET_SLOW).await;
    running.begun.notified().await;
    let second = running.send(GET).await;
    let mut byte = [0];
    assert!(second.try_read(&mut byte).is_err(), "no response yet");
    running.go_on.notify_one();
    drop(first);
    assert!(rest(second).await.contains("200 OK"));
}

/// And then the last calls.
#[tokio::test]
async fn shutdown_finishes_open_requests_and_closes_idle_connections() {
    let (finished, last) = oneshot::channel();
    let mut running =
        Running::with(MAX_CONNECTIONS, async move { finished.send(()).unwrap() }).await;
    let idle = running.send("").await;
    let open = running.send(GET_SLOW).await;
    running.begun.notified().await;
    running.stop();
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

#[tokio::test(start_paused = true)]
async fn shutdown_ends_in_time_with_open_requests() {
    let mut running = Running::with(MAX_CONNECTIONS, std::future::pending()).await;
    let _open = running.send(GET_SLOW).await;
    running.begun.notified().await;
    let before = Instant::now();
    running.stop();
    running.server.await.unwrap();
    assert_eq!(before.elapsed().as_secs(), SHUTDOWN_TIMEOUT.as_secs());
}

/// The system closes the connection, which makes room for the next.
/// This is a timeout of the system (`TCP_USER_TIMEOUT`), so no clock of a test can skip it.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn closes_connection_whose_client_does_not_read() {
    let running = Running::on(
        open(LOOPBACK, Duration::from_millis(100)).unwrap(),
        1,
        async {},
    );
    let _reading_nothing = running.send("GET /large HTTP/1.1\r\nhost: a\r\n\r\n").await;
    let next = running.send(GET).await;
    let answer = timeout(Duration::from_secs(60), rest(next))
        .await
        .expect("the first connection ends");
    assert!(answer.contains("200 OK"), "{answer}");
}

#[tokio::test(start_paused = true)]
async fn shutdown_waits_briefly_for_incomplete_heads() {
    let mut running = Running::start().await;
    let first = running.send("GET / HTTP/1.1\r\nhost:").await;
    let mut later = running.send(KEPT).await;
    let mut answer = [0; 12];
    later.read_exact(&mut answer).await.unwrap();
    later.write_all(b"GET / HTTP/1.1\r\nhost:").await.unwrap();
    settle().await;
    let before = Instant::now();
    running.stop();
    assert!(
        !rest(later).await.contains("HTTP/1.1"),
        "one answer and no more"
    );
    assert!(running.server.await.unwrap(), "nothing was cut off");
    drop(first);
    assert!(
        before.elapsed() <= LAST_READ_TIMEOUT,
        "{:?}",
        before.elapsed()
    );
}

#[tokio::test(start_paused = true)]
async fn shutdown_waits_briefly_for_clients_that_do_not_read() {
    let (lines, _guard) = log_of_this_thread();
    let mut running = Running::start().await;
    let _taking_nothing = running.send("GET /large HTTP/1.1\r\nhost: a\r\n\r\n").await;
    settle().await;
    let before = Instant::now();
    running.stop();
    assert!(
        running.server.await.unwrap(),
        "every request got its response"
    );
    assert!(
        before.elapsed() <= LAST_READ_TIMEOUT,
        "{:?}",
        before.elapsed()
    );
    let log = lines.take();
    assert!(log.contains("connections=1"), "{log}");
}

/// After the shutdown signal no proxy may keep a connection that the server is about to close.
#[tokio::test]
async fn closes_connection_after_response_while_draining() {
    let running = Running::start().await;
    let mut kept = running.send(KEPT).await;
    let mut answer = Vec::new();
    while !answer.ends_with(b"127.0.0.1") {
        kept.read_buf(&mut answer).await.unwrap();
    }
    assert!(!String::from_utf8(answer).unwrap().contains("connection:"));
    let open = running.send(GET_SLOW).await;
    running.begun.notified().await;
    running.draining.cancel();
    running.go_on.notify_one();
    kept.write_all(KEPT.as_bytes()).await.unwrap();
    for connection in [kept, open, running.send(KEPT).await] {
        let answer = rest(connection).await;
        assert!(
            answer.contains("200 OK\r\n") && answer.contains("connection: close\r\n"),
            "{answer}"
        );
    }
}

/// Lets the server do all that it can do. The clock of these tests is paused otherwise.
pub async fn settle() {
    sleep(Duration::from_secs(1)).await;
}
