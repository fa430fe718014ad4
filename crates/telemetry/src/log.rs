//! The log: a thread of its own writes the lines to standard error, so that no request waits for the reader.
//!
//! If nobody reads (a full pipe, a hanging collector), lines wait in a queue. When it is full, further lines are
//! dropped and counted, and the service goes on.

use std::{
    fmt,
    io::{self, BufWriter, IsTerminal, Write, stderr},
    sync::{OnceLock, mpsc},
    thread,
    time::Duration,
};

use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeMetric},
    metrics::counter::ConstCounter,
};
use tracing::Subscriber;
use tracing_appender::non_blocking::{ErrorCounter, NonBlocking, NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::{
    EnvFilter, Layer,
    fmt::{MakeWriter, layer as written},
    layer::SubscriberExt,
    registry::LookupSpan,
    util::SubscriberInitExt,
};

use super::sanitize::{LineFormat, SanitizingWriter};

/// The format of log lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    /// For humans.
    Text,
    /// One JSON object per line.
    Json,
}

/// Capacity of the queue, in lines: more than a second of full load, about 1 MB.
const MAX_WAITING_LINES: usize = 4_096;

/// How long the thread sleeps after each batch of lines. Meanwhile lines only queue up, so that no request has to wake the
/// thread. At full load of one core 300 lines arrive in that time.
const REST: Duration = Duration::from_millis(10);

/// How long the shutdown waits for the last lines if nobody reads them.
const CLOSING_TIME: Duration = Duration::from_millis(1_500);

/// Counts the lines that the queue dropped.
static LOST: OnceLock<ErrorCounter> = OnceLock::new();

/// The running log. Drop it at the end of the process: that writes the last lines, within 1.5 s.
#[derive(Debug)]
#[must_use]
pub struct Log(Option<WorkerGuard>);

/// Starts the log of the process.
///
/// # Errors
/// If `directives` (`RUST_LOG`) is not a filter.
pub fn init(directives: &str, format: LogFormat) -> anyhow::Result<Log> {
    let filter = filter(directives)?;
    let line_format = line_format(format, stderr().is_terminal());
    let (queue, log) = queue(SanitizingWriter::new(BufWriter::new(stderr()), line_format));
    let _ = LOST.set(queue.error_counter());
    tracing_subscriber::registry().with(filter).with(layer(format, line_format, queue)).init();
    Ok(log)
}

/// Parses the filter.
///
/// # Errors
/// If `directives` (`RUST_LOG`) is not a filter.
pub fn filter(directives: &str) -> anyhow::Result<EnvFilter> {
    EnvFilter::try_new(directives)
        .map_err(|error| anyhow::anyhow!("RUST_LOG is not valid: expected for example info,vincula=debug ({error})"))
}

/// The line format of a log format: with colours on a terminal only, never in a file or a pipe.
pub fn line_format(format: LogFormat, is_terminal: bool) -> LineFormat {
    match (format, is_terminal) {
        (LogFormat::Text, false) => LineFormat::Text,
        (LogFormat::Text, true) => LineFormat::Coloured,
        (LogFormat::Json, _) => LineFormat::Json,
    }
}

/// The layer that formats events as lines. `NO_COLOR` disables the colours.
pub fn layer<S, W>(format: LogFormat, line_format: LineFormat, writer: W) -> Box<dyn Layer<S> + Send + Sync>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
{
    match (format, line_format) {
        (LogFormat::Text, LineFormat::Coloured) => written().with_writer(writer).boxed(),
        (LogFormat::Text, _) => written().with_ansi(false).with_writer(writer).boxed(),
        (LogFormat::Json, _) => written().json().flatten_event(true).with_writer(writer).boxed(),
    }
}

/// The queue and the thread that writes its lines.
fn queue(to: impl Write + Send + 'static) -> (NonBlocking, Log) {
    let builder = NonBlockingBuilder::default().lossy(true).buffered_lines_limit(MAX_WAITING_LINES).thread_name("log");
    let (queue, guard) = builder.finish(Resting(to));
    (queue, Log(Some(guard)))
}

/// A writer whose thread rests after each batch of lines, which ends with a flush.
struct Resting<W>(W);

impl<W: Write> Write for Resting<W> {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.0.write(line)
    }

    #[expect(clippy::disallowed_methods, reason = "this thread only writes the log")]
    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.0.flush();
        thread::sleep(REST);
        flushed
    }
}

impl Drop for Log {
    /// The library waits a second for the last lines. But if the queue is full, it prints that to standard output,
    /// which is often the same pipe, and would block for ever.
    fn drop(&mut self) {
        let Some(guard) = self.0.take() else { return };
        let (closed, waiting) = mpsc::channel();
        let closing = move || {
            drop(guard);
            let _ = closed.send(());
        };
        let _ = thread::Builder::new().name("log-end".into()).spawn(closing);
        let _ = waiting.recv_timeout(CLOSING_TIME);
    }
}

/// A metric: how many log lines this process has lost.
#[derive(Debug)]
pub struct LostLines;

impl Collector for LostLines {
    fn encode(&self, mut to: DescriptorEncoder) -> Result<(), fmt::Error> {
        let lost = LOST.get().map_or(0, ErrorCounter::dropped_lines);
        let counter = ConstCounter::new(u64::try_from(lost).unwrap_or(u64::MAX));
        let help = "Log lines that were lost because nobody read the log";
        counter.encode(to.encode_descriptor("log_lines_lost", help, None, counter.metric_type())?)
    }
}

#[cfg(test)]
mod tests {
    use std::{
        sync::{Arc, Mutex},
        time::Instant,
    };

    use super::*;
    use crate::lines::Lines;

    /// A pipe that nobody reads while the lock is held.
    struct Stalled(Arc<Mutex<()>>, Lines);

    impl Write for Stalled {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let _read = self.0.lock().unwrap();
            self.1.write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_log_that_nobody_reads_loses_lines_and_blocks_nobody() {
        let (pipe, lines) = (Arc::new(Mutex::new(())), Lines::default());
        let nobody_reads = pipe.lock().unwrap();
        let (mut queue, log) = queue(Stalled(Arc::clone(&pipe), lines.clone()));
        let sent = MAX_WAITING_LINES + 100;
        for _ in 0..sent {
            queue.write_all(b"line\n").unwrap();
        }
        // The writer thread may have taken one line already.
        let lost = queue.error_counter().dropped_lines();
        assert!((99..=100).contains(&lost), "{lost}");

        let before = Instant::now();
        drop(log);
        assert!(before.elapsed() < CLOSING_TIME * 2, "the end waits for nobody");
        drop(nobody_reads);
        while lines.so_far().lines().count() < sent - lost {
            thread::yield_now();
        }
    }

    #[test]
    fn the_last_lines_are_written_before_the_end() {
        let lines = Lines::default();
        let (mut queue, log) = queue(BufWriter::new(lines.clone()));
        for _ in 0..100 {
            queue.write_all(b"line\n").unwrap();
        }
        drop(log);
        assert_eq!(lines.take().lines().count(), 100);
        assert_eq!(queue.error_counter().dropped_lines(), 0);
    }

    #[test]
    fn only_text_on_a_terminal_has_colours() {
        for (format, is_terminal, expected) in [
            (LogFormat::Text, true, LineFormat::Coloured),
            (LogFormat::Text, false, LineFormat::Text),
            (LogFormat::Json, true, LineFormat::Json),
            (LogFormat::Json, false, LineFormat::Json),
        ] {
            assert_eq!(line_format(format, is_terminal), expected);
        }
    }
}
