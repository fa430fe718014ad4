//! The listening end: connections that come slowly or too many, and how the server stops.

use std::{convert::Infallible, future::Future, io, net::SocketAddr, pin::pin, sync::Arc, time::Duration};

use axum::{Router, body::Body, extract::ConnectInfo};
use hyper::{Request, body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{Semaphore, watch},
    time::{Instant, sleep, timeout_at},
};
use tokio_util::task::TaskTracker;
use tower::ServiceExt;

/// How the server treats connections.
#[derive(Debug, Clone, Copy)]
pub struct Manners {
    /// Connections at the same time; further ones wait in the system's queue.
    pub max_connections: usize,
    /// Longest wait for a request's head, on a connection that has been idle too. Longer than the 60 s for which
    /// common proxies keep theirs, so that it is never us who close a connection that a proxy is about to use.
    pub head_time: Duration,
    /// Largest head, in bytes: a link of 8 kB, a cookie of 4 kB and the browser's own headers.
    pub head_bytes: usize,
    /// Most headers of a request. Browsers behind two proxies send about thirty.
    pub max_headers: usize,
    /// How long open requests may go on after the server was asked to stop: less than the 30 s after which common
    /// supervisors kill.
    pub drain_time: Duration,
}

impl Default for Manners {
    fn default() -> Self {
        Self {
            max_connections: 2_000,
            head_time: Duration::from_secs(75),
            head_bytes: 32 * 1024,
            max_headers: 64,
            drain_time: Duration::from_secs(25),
        }
    }
}

/// After an error of the listener itself (no file descriptors left), in which time connections end.
const PAUSE_AFTER_ERROR: Duration = Duration::from_secs(1);

/// Serves until `stop`, then takes no new connection and lets the open requests finish for as long as the manners say.
/// Then `last` (calls that outlive their requests) may finish in what is left of that time.
pub async fn serve(
    router: Router,
    listener: TcpListener,
    manners: Manners,
    stop: impl Future<Output = ()>,
    last: impl Future<Output = ()>,
) {
    let places = Arc::new(Semaphore::new(manners.max_connections));
    let (open, (stopping, stopped)) = (TaskTracker::new(), watch::channel(()));
    let mut stop = pin!(stop);
    loop {
        let place = Arc::clone(&places).acquire_owned();
        let arrival = async { (place.await.expect("nobody closes the places"), listener.accept().await) };
        let (place, accepted) = tokio::select! {
            () = &mut stop => break,
            arrival = arrival => arrival,
        };
        match accepted {
            Ok((stream, peer)) => {
                let connection = connection(router.clone(), stream, peer, manners, stopped.clone());
                open.spawn(async move {
                    connection.await;
                    drop(place);
                });
            }
            Err(error) if is_of_the_connection(&error) => {}
            Err(error) => {
                tracing::error!(%error, "connections cannot be accepted");
                sleep(PAUSE_AFTER_ERROR).await;
            }
        }
    }
    drop(listener);
    drop((stopping, stopped));
    open.close();
    let until = Instant::now() + manners.drain_time;
    if timeout_at(until, open.wait()).await.is_err() {
        tracing::warn!(connections = open.len(), "open requests were cut off");
    }
    if timeout_at(until, last).await.is_err() {
        tracing::warn!("calls under way were cut off");
    }
}

/// One connection, until it ends or, after a stop, its current request is answered.
async fn connection(
    router: Router,
    stream: TcpStream,
    peer: SocketAddr,
    manners: Manners,
    mut stopped: watch::Receiver<()>,
) {
    // Answers are small and written at once: nothing is gained by waiting for more. If it fails, they are later.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(peer));
        let router = router.clone();
        async move {
            Ok::<_, Infallible>(router.oneshot(request.map(Body::new)).await.unwrap_or_else(|never| match never {}))
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(manners.head_time)
        .max_header_size(manners.head_bytes)
        .max_buf_size(2 * manners.head_bytes)
        .max_headers(manners.max_headers)
        .serve_connection(TokioIo::new(stream), service);
    let mut connection = pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        // Fails when the other end has been dropped, which is the sign.
        _ = stopped.changed() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "connection ended");
    }
}

fn is_of_the_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

#[cfg(test)]
mod tests {
    use axum::{extract::State, routing::get};
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        sync::{Notify, oneshot},
        task::JoinHandle,
    };

    use super::*;

    struct Running {
        address: SocketAddr,
        stop: Option<oneshot::Sender<()>>,
        server: JoinHandle<()>,
        /// What `/slow` waits for.
        go_on: Arc<Notify>,
        /// Told when `/slow` has begun.
        begun: Arc<Notify>,
    }

    impl Running {
        async fn with(manners: Manners, last: impl Future<Output = ()> + Send + 'static) -> Self {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let address = listener.local_addr().unwrap();
            let (go_on, begun) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
            let slow = async |State((begun, go_on)): State<(Arc<Notify>, Arc<Notify>)>| {
                begun.notify_one();
                go_on.notified().await;
                "done"
            };
            let router = Router::new()
                .route("/", get(async |ConnectInfo(peer): ConnectInfo<SocketAddr>| peer.ip().to_string()))
                .route("/slow", get(slow))
                .with_state((Arc::clone(&begun), Arc::clone(&go_on)));
            let (stop, asked) = oneshot::channel();
            let asked = async { asked.await.unwrap() };
            let server = tokio::spawn(serve(router, listener, manners, asked, last));
            Self { address, stop: Some(stop), server, go_on, begun }
        }

        async fn send(&self, text: &str) -> TcpStream {
            let mut stream = TcpStream::connect(self.address).await.unwrap();
            stream.write_all(text.as_bytes()).await.unwrap();
            stream
        }

        fn stop(&mut self) {
            self.stop.take().unwrap().send(()).unwrap();
        }
    }

    /// Everything until the server closes.
    async fn rest(mut stream: TcpStream) -> String {
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes).await;
        String::from_utf8(bytes).unwrap()
    }

    const GET: &str = "GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n";
    const GET_SLOW: &str = "GET /slow HTTP/1.1\r\nhost: a\r\n\r\n";

    #[tokio::test]
    async fn requests_know_their_peer() {
        let running = Running::with(Manners::default(), async {}).await;
        let answer = rest(running.send(GET).await).await;
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.ends_with("127.0.0.1"), "{answer}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_head_that_does_not_arrive_is_given_up() {
        let running = Running::with(Manners::default(), async {}).await;
        let before = Instant::now();
        let answer = rest(running.send("GET / HTTP/1.1\r\nhost:").await).await;
        assert!(!answer.contains("200"), "{answer}");
        let waited = before.elapsed();
        assert!(waited >= Duration::from_secs(75) && waited < Duration::from_secs(80), "{waited:?}");
    }

    #[tokio::test]
    async fn heads_have_a_largest() {
        let running = Running::with(Manners::default(), async {}).await;
        let long = format!("GET / HTTP/1.1\r\nhost: a\r\na: {}\r\n\r\n", "a".repeat(40_000));
        let many = format!("GET / HTTP/1.1\r\nhost: a\r\n{}\r\n", "a: b\r\n".repeat(65));
        for head in [long, many] {
            // Where much is left unread, the connection is reset and the answer may be lost.
            let answer = rest(running.send(&head).await).await;
            assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 431 "), "{answer}");
        }
    }

    #[tokio::test]
    async fn no_more_connections_than_places() {
        let running = Running::with(Manners { max_connections: 1, ..Manners::default() }, async {}).await;
        let first = running.send(GET_SLOW).await;
        running.begun.notified().await;
        let second = running.send(GET).await;
        let mut byte = [0];
        assert!(second.try_read(&mut byte).is_err(), "nobody has answered yet");
        running.go_on.notify_one();
        drop(first);
        assert!(rest(second).await.contains("200 OK"));
    }

    #[tokio::test]
    async fn a_stop_lets_open_requests_finish_and_closes_idle_connections() {
        let mut running = Running::with(Manners::default(), async {}).await;
        let idle = running.send("").await;
        let open = running.send(GET_SLOW).await;
        running.begun.notified().await;
        running.stop();
        assert_eq!(rest(idle).await, "");
        assert!(TcpStream::connect(running.address).await.is_err(), "no new connections");
        running.go_on.notify_one();
        let answer = rest(open).await;
        assert!(answer.ends_with("done"), "{answer}");
        running.server.await.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn a_stop_ends_in_time_whatever_is_still_open() {
        let mut running = Running::with(Manners::default(), std::future::pending()).await;
        let _open = running.send(GET_SLOW).await;
        running.begun.notified().await;
        let before = Instant::now();
        running.stop();
        running.server.await.unwrap();
        assert_eq!(before.elapsed().as_secs(), Manners::default().drain_time.as_secs());
    }

    #[tokio::test]
    async fn the_last_calls_finish_after_the_requests() {
        let (finished, last) = oneshot::channel();
        let mut running = Running::with(Manners::default(), async move { finished.send(()).unwrap() }).await;
        running.stop();
        running.server.await.unwrap();
        assert_eq!(last.await, Ok(()));
    }
}
