//! Limits on the time and memory that connections may take.

use std::time::Duration;

use crate::http::{client_address::TrustedProxies, health::Readiness};

/// Limits of all connections. docs/operations.md, "How much memory one replica takes at most", has the cost of each.
#[derive(Debug, Clone)]
pub struct ConnectionLimits {
    /// Concurrent connections; further ones wait in the system's queue.
    pub max_connections: usize,
    /// Of these, for one address that is no trusted proxy: an office behind one address needs some dozens.
    pub connections_of_address: usize,
    /// The proxies that may use all of them.
    pub trusted: TrustedProxies,
    /// Longest wait for a request's head, on an idle connection, too. Longer than the 60 s for which common proxies
    /// keep theirs, so that we never close a connection that a proxy is about to use.
    pub head_time: Duration,
    /// Largest head, in bytes: a link of 8 kB, a cookie of 4 kB and the browser's own headers.
    pub head_bytes: usize,
    /// Most headers of a request. Browsers behind two proxies send about thirty.
    pub max_headers: usize,
    /// Longest time in which a client reads nothing of a response: a phone in a tunnel behind a proxy that does not
    /// buffer.
    pub write_time: Duration,
    /// The same after a stop.
    pub last_write_time: Duration,
    /// Once it is draining, every response closes its connection.
    pub leaving: Readiness,
    /// Longest time for open requests after a stop: less than the 30 s after which common supervisors kill.
    pub shutdown_timeout: Duration,
}

impl Default for ConnectionLimits {
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
            shutdown_timeout: Duration::from_secs(25),
        }
    }
}
