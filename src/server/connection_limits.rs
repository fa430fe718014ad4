//! How much of its time and memory the server gives to connections.

use std::time::Duration;

use vincula_web::{health::Readiness, http::client_address::TrustedProxies};

/// How the server treats connections. What each costs at most is in docs/operations.md, "How much memory one replica
/// takes at most".
#[derive(Debug, Clone)]
pub struct ConnectionLimits {
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
            drain_time: Duration::from_secs(25),
        }
    }
}
