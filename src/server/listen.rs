//! The listening end: connections that come slowly or too many, and how the server stops.

use std::{future::Future, io, net::SocketAddr, pin::pin, sync::Arc, time::Duration};

use axum::Router;
use tokio::{
    net::{TcpListener, TcpSocket},
    sync::{Semaphore, watch},
    time::{Instant, sleep, timeout_at},
};
use tokio_util::task::TaskTracker;

use super::connection;
use crate::{
    http::{client_address::TrustedProxies, places::Places},
    telemetry::Readiness,
};

/// How the server treats connections. What each costs at most is in docs/operations.md, "How much memory one replica
/// takes at most".
#[derive(Debug, Clone)]
pub struct Manners {
    /// Connections at the same time; further ones wait in the system's queue.
    pub max_connections: usize,
    /// Of these, for one address that is no trusted proxy: an office behind one address needs some dozens.
    pub connections_of_address: usize,
    /// The proxies that may have all of them.
    pub trusted: TrustedProxies,
    /// Longest wait for a request's head, on a connection that has been idle too. Longer than the 60 s for which
    /// common proxies keep theirs, so that it is never us who close a connection that a proxy is about to use.
    pub head_time: Duration,
    /// Largest head, in bytes: a link of 8 kB, a cookie of 4 kB and the browser's own headers.
    pub head_bytes: usize,
    /// Most headers of a request. Browsers behind two proxies send about thirty.
    pub max_headers: usize,
    /// Longest time in which a client takes nothing of an answer: a telephone in a tunnel behind a proxy that does not
    /// buffer.
    pub write_time: Duration,
    /// The same after a stop.
    pub last_write_time: Duration,
    /// From when on every answer says that its connection ends with it.
    pub leaving: Readiness,
    /// How long open requests may go on after the server was asked to stop: less than the 30 s after which common
    /// supervisors kill.
    pub drain_time: Duration,
}

impl Default for Manners {
    fn default() -> Self {
        Self {
            max_connections: 2_000,
            connections_of_address: 256,
            trusted: TrustedProxies::default(),
            head_time: Duration::from_secs(75),
            head_bytes: 16 * 1024,
            max_headers: 64,
            write_time: Duration::from_secs(30),
            last_write_time: Duration::from_secs(5),
            leaving: Readiness::default(),
            drain_time: Duration::from_secs(25),
        }
    }
}

/// What the system is asked to keep for a connection in each direction, in bytes; it takes twice as much. By itself it
/// would go up to some megabytes. A proxy is near and needs no more for full speed.
pub const SYSTEM_BUFFER_BYTES: u32 = 16 * 1024;

/// Connections that wait in the system's queue.
const QUEUE: u32 = 1_024;

/// After an error of the listener itself (no file descriptors left), in which time connections end.
const PAUSE_AFTER_ERROR: Duration = Duration::from_secs(1);

/// Listens at an address; connections inherit the size of their buffers.
///
/// # Errors
/// Where the address cannot be had.
pub fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    socket.set_reuseaddr(true)?;
    socket.set_send_buffer_size(SYSTEM_BUFFER_BYTES)?;
    socket.set_recv_buffer_size(SYSTEM_BUFFER_BYTES)?;
    socket.bind(address)?;
    socket.listen(QUEUE)
}

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
    let by_address = Places::new(manners.max_connections);
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
                let stranger = manners.trusted.stranger(peer.ip());
                let of_address = stranger.map(|address| (address, manners.connections_of_address));
                // Who has too many is not answered: that would take what they have too much of.
                let Some(one) = by_address.take(of_address.as_slice()) else { continue };
                let connection = connection::serve(router.clone(), stream, peer, manners.clone(), stopped.clone());
                open.spawn(async move {
                    connection.await;
                    drop((place, one));
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

fn is_of_the_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}
