//! The listener: limits on connections, and how the server stops.

use std::{future::Future, io, net::SocketAddr, pin::pin, sync::Arc, time::Duration};

use axum::Router;
use tokio::{
    net::{TcpListener, TcpSocket},
    sync::{Semaphore, watch},
    time::{Instant, sleep, timeout_at},
};
use tokio_util::task::TaskTracker;

use super::{connection, connection_limits::ConnectionLimits};
use crate::http::concurrency::ConcurrencyLimit;

/// Size of the system's buffer for a connection in each direction, in bytes; the system takes twice as much. Its
/// default grows to some megabytes. A proxy is near and needs no more for full speed.
pub const SYSTEM_BUFFER_BYTES: u32 = 16 * 1024;

/// Connections that wait in the system's queue.
const QUEUE: u32 = 1_024;

/// Pause after an error of the listener itself (no file descriptors left), in which connections can end.
const PAUSE_AFTER_ERROR: Duration = Duration::from_secs(1);

/// Binds a listener; connections inherit the size of its buffers.
///
/// # Errors
/// If the address cannot be bound.
pub fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    socket.set_reuseaddr(true)?;
    socket.set_send_buffer_size(SYSTEM_BUFFER_BYTES)?;
    socket.set_recv_buffer_size(SYSTEM_BUFFER_BYTES)?;
    socket.bind(address)?;
    socket.listen(QUEUE)
}

/// Serves until `stop`, then accepts no new connection and lets open requests finish within the limits'
/// `shutdown_timeout`. Then `after_requests` (calls that outlive their requests) may finish in the rest of that time.
/// Returns whether all of them did.
pub async fn serve(
    router: Router,
    listener: TcpListener,
    limits: ConnectionLimits,
    stop: impl Future<Output = ()>,
    after_requests: impl Future<Output = ()>,
) -> bool {
    let permits = Arc::new(Semaphore::new(limits.max_connections));
    let by_address = ConcurrencyLimit::new(limits.max_connections);
    let (open, (stopping, stopped)) = (TaskTracker::new(), watch::channel(()));
    let mut stop = pin!(stop);
    loop {
        let permit = Arc::clone(&permits).acquire_owned();
        let arrival = async { (permit.await.expect("nobody closes the permits"), listener.accept().await) };
        let (permit, accepted) = tokio::select! {
            () = &mut stop => break,
            arrival = arrival => arrival,
        };
        match accepted {
            Ok((stream, peer)) => {
                let stranger = limits.trusted.stranger(peer.ip());
                let of_address = stranger.map(|address| (address, limits.connections_of_address));
                // An address with too many connections gets no response, which would cost another one.
                let Some(one) = by_address.take(of_address) else { continue };
                let connection = connection::serve(router.clone(), stream, peer, limits.clone(), stopped.clone());
                open.spawn(async move {
                    connection.await;
                    drop((permit, one));
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
    let until = Instant::now() + limits.shutdown_timeout;
    let answered = timeout_at(until, open.wait()).await.is_ok();
    if !answered {
        tracing::warn!(connections = open.len(), "open requests were cut off");
    }
    let called = timeout_at(until, after_requests).await.is_ok();
    if !called {
        tracing::warn!("calls under way were cut off");
    }
    answered && called
}

fn is_of_the_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}
