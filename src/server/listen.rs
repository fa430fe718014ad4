//! The listener: limits on the time and memory of connections, and how the server stops.

use std::{
    convert::Infallible, future::Future, io, net::SocketAddr, pin::pin, sync::Arc, time::Duration,
};

use axum::{
    Router,
    body::Body,
    extract::ConnectInfo,
    http::{HeaderValue, Request, header},
    serve::Listener,
};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
};
#[cfg(target_os = "linux")]
use socket2::SockRef;
use tokio::{
    net::{TcpListener, TcpSocket},
    sync::Semaphore,
    time::{Instant, sleep, sleep_until, timeout_at},
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tower::ServiceExt;

/// Concurrent connections; further ones wait in the system's queue.
pub const MAX_CONNECTIONS: usize = 2_000;

/// Connections that wait in the system's queue.
const BACKLOG: u32 = 1_024;

/// Size of the system's buffer for a connection in each direction, in bytes. The system takes twice
/// as much; its default grows to some megabytes. A nearby proxy needs no more for full speed.
pub const SYSTEM_BUFFER_BYTES: u32 = 16 * 1024;

/// Longest wait for a request's head, also on an idle connection. Common proxies keep idle
/// connections for 60 s. The wait is longer, so that we never close a connection that a proxy is
/// about to use.
const HEAD_TIMEOUT: Duration = Duration::from_secs(75);

/// Largest head, in bytes: a link of 8 kB, a cookie of 4 kB and the browser's own headers.
pub const MAX_HEAD_BYTES: usize = 16 * 1024;

/// Most headers of a request. Browsers behind two proxies send about thirty.
const MAX_HEADERS: usize = 64;

/// Longest time in which a client reads nothing of a response. After it the system closes the
/// connection.
pub const READ_TIMEOUT: Duration = Duration::from_secs(30);

/// The same during a shutdown, once every request has its response. Also the limit for incomplete
/// heads during a shutdown.
pub const LAST_READ_TIMEOUT: Duration = Duration::from_secs(5);

/// Longest time for open requests after a stop: less than the 30 s after which common supervisors
/// kill the process.
pub const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(25);

/// Listens on the address of a setting.
pub fn listen(setting: &str, address: SocketAddr) -> anyhow::Result<TcpListener> {
    open(address, READ_TIMEOUT).map_err(|error| {
        anyhow::anyhow!("{setting} {address} cannot be listened on ({error}): expected a free address of this machine")
    })
}

/// Opens the listener, from which connections inherit their options. Only Linux has an option for
/// `read_timeout`.
pub(super) fn open(address: SocketAddr, read_timeout: Duration) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() {
        TcpSocket::new_v4()
    } else {
        TcpSocket::new_v6()
    }?;
    socket.set_reuseaddr(true)?;
    socket.set_send_buffer_size(SYSTEM_BUFFER_BYTES)?;
    socket.set_recv_buffer_size(SYSTEM_BUFFER_BYTES)?;
    #[cfg(target_os = "linux")]
    SockRef::from(&socket).set_tcp_user_timeout(Some(read_timeout))?;
    #[cfg(not(target_os = "linux"))]
    let _ = read_timeout;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Serves until `stop`. Then it accepts no new connection, and open requests have
/// [`SHUTDOWN_TIMEOUT`] to finish. Afterwards, `after_requests` (calls that outlive their requests)
/// has the rest of that time. Once `draining` is cancelled, every response closes its connection.
///
/// Returns whether every request got its response and every call ended. A client that does not read
/// its response within [`LAST_READ_TIMEOUT`] is disconnected and logged, and does not count.
pub async fn serve(
    router: Router,
    mut listener: TcpListener,
    max_connections: usize,
    draining: CancellationToken,
    stop: impl Future<Output = ()>,
    after_requests: impl Future<Output = ()>,
) -> bool {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT)
        .max_header_size(MAX_HEAD_BYTES)
        .max_buf_size(MAX_HEAD_BYTES)
        .max_headers(MAX_HEADERS);
    let permits = Arc::new(Semaphore::new(max_connections));
    let (connections, requests) = (GracefulShutdown::new(), TaskTracker::new());
    let mut stop = pin!(stop);
    loop {
        let permit = Arc::clone(&permits).acquire_owned();
        let arrival = async {
            (
                permit.await.expect("nobody closes the semaphore"),
                Listener::accept(&mut listener).await,
            )
        };
        let (permit, (stream, peer)) = tokio::select! {
            () = &mut stop => break,
            arrival = arrival => arrival,
        };
        // Responses are small and written at once, so waiting for more gains nothing. If the option
        // cannot be set, responses are only slower.
        let _ = stream.set_nodelay(true);
        let (router, draining, requests) = (router.clone(), draining.clone(), requests.clone());
        let service = service_fn(move |mut request: Request<Incoming>| {
            let in_flight = requests.token();
            // If a request has both a length and a transfer coding, hyper removes the length. A
            // proxy that goes by the length would take the rest of the body for the next request
            // (RFC 9112, 6.1). Browsers send the requests of our pages with a length.
            let is_chunked = request.headers().contains_key(header::TRANSFER_ENCODING);
            request.extensions_mut().insert(ConnectInfo(peer));
            let (response, draining) = (
                router.clone().oneshot(request.map(Body::new)),
                draining.clone(),
            );
            async move {
                let mut response = response.await?;
                if is_chunked || draining.is_cancelled() {
                    response
                        .headers_mut()
                        .insert(header::CONNECTION, HeaderValue::from_static("close"));
                }
                drop(in_flight);
                Ok::<_, Infallible>(response)
            }
        });
        let connection = connections.watch(http.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "connection ended");
            }
            drop(permit);
        });
    }
    drop(listener);
    let until = Instant::now() + SHUTDOWN_TIMEOUT;
    requests.close();
    let unread = async {
        requests.wait().await;
        sleep(LAST_READ_TIMEOUT).await;
    };
    let answered = tokio::select! {
        () = connections.shutdown() => true,
        () = unread => {
            let connections = max_connections - permits.available_permits();
            tracing::warn!(connections, "closed connections whose clients did not finish their request or read their response");
            true
        }
        () = sleep_until(until) => false,
    };
    if !answered {
        tracing::warn!(requests = requests.len(), "open requests were cut off");
    }
    let called = timeout_at(until, after_requests).await.is_ok();
    if !called {
        tracing::warn!("calls under way were cut off");
    }
    answered && called
}
