//! A log that a test reads.

use std::{
    io,
    sync::{Arc, LazyLock, Mutex},
};

use tracing::{Dispatch, subscriber::DefaultGuard};
use tracing_subscriber::{fmt, layer::SubscriberExt};

/// While there is one log in the process, `tracing` asks the thread that first meets a line whether anybody wants it, and
/// remembers its no for all threads. With two it asks the logs.
static ANOTHER_LOG: LazyLock<Dispatch> = LazyLock::new(|| Dispatch::new(tracing_subscriber::registry()));

/// The log of this thread, until the guard is dropped.
pub fn log_of_this_thread() -> (Lines, DefaultGuard) {
    LazyLock::force(&ANOTHER_LOG);
    let lines = Lines::default();
    let writer = lines.clone();
    let layer = fmt::layer().with_ansi(false).with_writer(move || writer.clone());
    (lines, tracing::subscriber::set_default(tracing_subscriber::registry().with(layer)))
}

/// Everything that is logged.
#[derive(Clone, Default)]
pub struct Lines(Arc<Mutex<Vec<u8>>>);

impl Lines {
    /// What has been logged since this was asked last.
    pub fn take(&self) -> String {
        String::from_utf8(std::mem::take(&mut *self.0.lock().unwrap())).unwrap()
    }

    /// What has been logged.
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
