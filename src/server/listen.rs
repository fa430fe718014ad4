//! The listener: HTTP/1 connections, and how they end when the server stops.

use std::{convert::Infallible, future::Future, net::SocketAddr, pin::pin, time::Duration};

use axum::{Router, extract::Request, serve::Listener};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
};
use tokio::{
    net::{TcpListener, TcpStream},
    time::{sleep, timeout},
};
use tower::Service;

use crate::config::InvalidSettings;

/// Longest wait for a request's head, also on an idle connection. Common proxies keep idle
/// connections for 60 s. The wait is longer, so that we never close a connection that a proxy is
/// about to use.
const HEAD_TIMEOUT: Duration = Duration::from_secs(75);

/// Longest head of a request: what nginx forwards with `deploy/nginx.conf`.
const MAX_HEAD_BYTES: usize = 64 * 1024;

/// Longest time for open requests after a stop: less than the 30 s after which common supervisors
/// kill the process.
pub const GRACE_PERIOD: Duration = Duration::from_secs(25);

/// Longest time until the first request of an accepted connection is read.
const FIRST_READ: Duration = Duration::from_millis(200);

/// Accepts the connections that wait, and closes the listener. A proxy may already have sent a
/// request on them, which it does not repeat if it is a POST.
fn accept_waiting(listener: TcpListener, open: impl Fn(TcpStream, SocketAddr)) {
    // Unlike tokio's, the system's listener does not wait for the event loop to notice a connection.
    let Ok(listener) = listener.into_std() else {
        return;
    };
    while let Ok((stream, peer)) = listener.accept() {
        if stream.set_nonblocking(true).is_ok()
            && let Ok(stream) = TcpStream::from_std(stream)
        {
            open(stream, peer);
        }
    }
}

/// Listens on the address of a setting.
pub async fn listen(setting: &str, address: SocketAddr) -> Result<TcpListener, InvalidSettings> {
    TcpListener::bind(address).await.map_err(|error| {
        InvalidSettings::from(format!(
            "{setting} {address} cannot be listened on ({error}): expected a free address of this \
             machine"
        ))
    })
}

/// Serves until `stop`. Then it accepts no new connection and closes idle ones. Open requests, and
/// after them `background` (calls that outlive their requests), have [`GRACE_PERIOD`] to finish.
pub async fn serve(
    router: Router,
    mut listener: TcpListener,
    stop: impl Future<Output = ()>,
    background: impl Future<Output = ()>,
) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT)
        .max_buf_size(MAX_HEAD_BYTES);
    let services = router.into_make_service_with_connect_info::<SocketAddr>();
    let connections = GracefulShutdown::new();
    let open = |stream: TcpStream, peer| {
        // Responses are small and written at once, so waiting for more gains nothing. If the option
        // cannot be set, responses are only slower.
        let _ = stream.set_nodelay(true);
        let (http, mut services) = (http.clone(), services.clone());
        let watcher = connections.watcher();
        tokio::spawn(async move {
            let Ok::<_, Infallible>(router) = services.call(peer).await;
            let service =
                service_fn(move |request: Request<Incoming>| router.clone().call(request));
            let connection = http.serve_connection(TokioIo::new(stream), service);
            if let Err(error) = watcher.watch(connection).await {
                tracing::debug!(%error, "connection ended");
            }
        });
    };
    let mut stop = pin!(stop);
    loop {
        tokio::select! {
            (stream, peer) = Listener::accept(&mut listener) => open(stream, peer),
            () = &mut stop => break,
        }
    }
    accept_waiting(listener, open);
    let ended = async {
        // Hyper closes a connection whose first request it has not read yet.
        sleep(FIRST_READ).await;
        connections.shutdown().await;
        background.await;
    };
    if timeout(GRACE_PERIOD, ended).await.is_err() {
        tracing::warn!("open requests or calls were cut off");
    }
}
