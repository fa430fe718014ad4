//! Nothing personal and nothing secret gets into the log, at any level.

use std::{
    io,
    sync::{Arc, Mutex},
};

use tracing_subscriber::{fmt, layer::SubscriberExt, util::SubscriberInitExt};

use super::{
    ways::{PERSONAL, every_way},
    *,
};

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

#[tokio::test]
async fn nothing_personal_is_logged_on_any_way_through_the_product() {
    let lines = Lines::default();
    let writer = lines.clone();
    let layer = fmt::layer().with_ansi(false).with_writer(move || writer.clone());
    // For the whole process: what other tests do at the same time must not be logged either.
    tracing_subscriber::registry().with(layer).try_init().unwrap();
    let house = House::on_the_sandbox().await;
    let secrets = every_way(&house).await;
    let log = lines.take();
    for evidence in ["/api/accept_consent", "/integration/success", "upstream call failed", "island failed"] {
        assert!(log.contains(evidence), "the log has been captured: {evidence}");
    }
    let found = |value: &&str| log.lines().find(|line| line.contains(value)).map(|line| format!("{value}: {line}"));
    let leaks: Vec<_> =
        secrets.iter().map(String::as_str).chain(PERSONAL.iter().copied()).filter_map(|value| found(&value)).collect();
    assert!(leaks.is_empty(), "{leaks:#?}");
}
