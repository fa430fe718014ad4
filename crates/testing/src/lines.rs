//! A log that tests can read.

use std::{
    io,
    sync::{Arc, LazyLock, Mutex},
};

use tracing::{Dispatch, subscriber::DefaultGuard};
use tracing_subscriber::{fmt, layer::SubscriberExt};

/// With a single dispatcher in the process, `tracing` caches the interest of the first thread that
/// reaches a callsite for all threads. With two, it asks the dispatchers.
static ANOTHER_LOG: LazyLock<Dispatch> =
    LazyLock::new(|| Dispatch::new(tracing_subscriber::registry()));

/// Captures the log of this thread until the guard is dropped.
pub fn log_of_this_thread() -> (Lines, DefaultGuard) {
    let lines = Lines::default();
    let writer = lines.clone();
    let layer = fmt::layer()
        .compact()
        .with_ansi(false)
        .with_writer(move || writer.clone());
    let guard = subscribe(tracing_subscriber::registry().with(layer));
    (lines, guard)
}

/// Sends the events and spans of this thread to a subscriber until the guard is dropped.
pub fn subscribe(subscriber: impl Into<Dispatch>) -> DefaultGuard {
    LazyLock::force(&ANOTHER_LOG);
    tracing::dispatcher::set_default(&subscriber.into())
}

/// The captured log.
#[derive(Clone, Default)]
pub struct Lines(Arc<Mutex<Vec<u8>>>);

impl Lines {
    /// The text logged since the last call.
    pub fn take(&self) -> String {
        String::from_utf8(std::mem::take(&mut *self.0.lock().unwrap())).unwrap()
    }

    /// The text logged since the last [`Lines::take`].
    pub fn so_far(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl io::Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
