//! The log: a thread of its own writes the lines to standard error, so that no request waits for
//! the reader.
//!
//! If the reader stops (a full pipe, a hanging collector), lines wait in a queue. When the queue is
//! full, further lines are dropped, and the service goes on.

use std::{
    io::{BufWriter, IsTerminal, Write, stderr},
    sync::mpsc,
    thread,
    time::Duration,
};

use tracing::Metadata;
use tracing_appender::non_blocking::{NonBlocking, NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::{
    EnvFilter, Layer, Registry,
    filter::{FilterExt, FilterFn, LevelFilter},
    fmt::{MakeWriter, layer as written},
    layer::SubscriberExt,
    util::SubscriberInitExt,
};

use super::line::{JsonIds, JsonLine, TextFields};
use crate::config::InvalidSetting;

/// The format of log lines.
// Doc comments of the variants would be part of --help.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum LogFormat {
    // For humans.
    Text,
    // One JSON object per line.
    Json,
}

/// Capacity of the queue, in lines: more than a second of full load, about 1 MB.
const MAX_WAITING_LINES: usize = 4_096;

/// How long the shutdown waits for the last lines to be read.
const CLOSING_TIME: Duration = Duration::from_millis(1_500);

/// A layer of the process.
pub type BoxedLayer = Box<dyn Layer<Registry> + Send + Sync>;

/// The running log. Drop it at the end of the process: that writes the last lines, within 1.5 s.
#[derive(Debug)]
#[must_use]
pub struct Log {
    guard: Option<WorkerGuard>,
    /// How long the end waits for the last lines.
    closing_time: Duration,
}

/// Starts the log of the process. `directives`: `RUST_LOG`. `spans`: the layer that sends them, if
/// they are sent.
pub fn init(
    directives: &str,
    format: LogFormat,
    spans: Option<BoxedLayer>,
) -> Result<Log, InvalidSetting> {
    let filter = filter(directives)?;
    let (queue, log) = queue(BufWriter::new(stderr()));
    let lines = lines(filter, layer(format, stderr().is_terminal(), queue));
    let layers: Vec<_> = [lines].into_iter().chain(spans).collect();
    tracing_subscriber::registry().with(layers).init();
    Ok(log)
}

/// Parses the filter.
pub fn filter(directives: &str) -> Result<EnvFilter, InvalidSetting> {
    EnvFilter::try_new(directives).map_err(|error| {
        InvalidSetting(format!(
            "RUST_LOG is not valid: expected for example info,vincula=debug ({error})"
        ))
    })
}

/// The lines that pass the filter. Our spans always do: their ids are part of each line.
pub fn lines(filter: EnvFilter, layer: BoxedLayer) -> BoxedLayer {
    layer.with_filter(filter.or(our_spans())).boxed()
}

/// Our spans, whose ids are part of each line that is written, at whatever level.
fn our_spans() -> FilterFn {
    fn is_ours(metadata: &Metadata<'_>) -> bool {
        metadata.is_span() && metadata.target().starts_with("vincula")
    }
    FilterFn::new(is_ours as fn(&Metadata<'_>) -> bool).with_max_level_hint(LevelFilter::INFO)
}

/// The layer that formats events as lines: with colours on a terminal only, never in a file or a
/// pipe. `NO_COLOR` disables them.
pub fn layer(
    format: LogFormat,
    is_terminal: bool,
    writer: impl for<'a> MakeWriter<'a> + Send + Sync + 'static,
) -> BoxedLayer {
    let text = || written().compact().fmt_fields(TextFields);
    match (format, is_terminal) {
        (LogFormat::Text, true) => text().with_writer(writer).boxed(),
        (LogFormat::Text, false) => text().with_ansi(false).with_writer(writer).boxed(),
        (LogFormat::Json, _) => written()
            .fmt_fields(JsonIds)
            .event_format(JsonLine::default())
            .with_writer(writer)
            .boxed(),
    }
}

/// The queue and the thread that writes its lines.
fn queue(to: impl Write + Send + 'static) -> (NonBlocking, Log) {
    let builder = NonBlockingBuilder::default()
        .lossy(true)
        .buffered_lines_limit(MAX_WAITING_LINES)
        .thread_name("log");
    let (queue, guard) = builder.finish(to);
    let log = Log {
        guard: Some(guard),
        closing_time: CLOSING_TIME,
    };
    (queue, log)
}

impl Drop for Log {
    /// The library waits a second for the last lines. But if the queue is full, it prints that to
    /// standard output, which is often the same pipe, and would block for ever.
    fn drop(&mut self) {
        let Some(guard) = self.guard.take() else {
            return;
        };
        let (closed, waiting) = mpsc::channel();
        let closing = move || {
            drop(guard);
            let _ = closed.send(());
        };
        let _ = thread::Builder::new().name("log-end".into()).spawn(closing);
        let _ = waiting.recv_timeout(self.closing_time);
    }
}

/// Whether a character is visible as itself: no control character, nothing of Unicode's category Cf
/// (text direction, zero width), no space but U+0020. Beyond ASCII, these are the characters that
/// Rust's `Debug` does not escape. Text of others is logged without the rest: it would colour,
/// reverse, hide or break the text next to it.
pub fn is_visible(c: char) -> bool {
    c == ' ' || c.is_ascii_graphic() || (!c.is_ascii() && c.escape_debug().len() == 1)
}

#[cfg(test)]
mod tests {
    use std::{
        io,
        sync::{Arc, Mutex},
    };

    use proptest::prelude::*;
    use tracing::{Dispatch, subscriber::with_default};

    use super::*;
    use vincula_testing::Lines;

    /// A pipe that is not read while the lock is held.
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
    fn drops_lines_instead_of_blocking_if_the_log_is_not_read() {
        let (pipe, lines) = (Arc::new(Mutex::new(())), Lines::default());
        let nobody_reads = pipe.lock().unwrap();
        let (mut queue, mut log) = queue(Stalled(Arc::clone(&pipe), lines.clone()));
        let sent = MAX_WAITING_LINES + 100;
        for _ in 0..sent {
            queue.write_all(b"line\n").unwrap();
        }
        // The writer thread may have taken one line already.
        let lost = queue.error_counter().dropped_lines();
        assert!((99..=100).contains(&lost), "{lost}");

        // The end of the log does not wait for the reader: this test would not go on.
        log.closing_time = Duration::ZERO;
        drop(log);
        drop(nobody_reads);
        while lines.so_far().lines().count() < sent - lost {
            thread::yield_now();
        }
    }

    #[test]
    fn writes_the_last_lines_before_exit() {
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
        let wants_colours = std::env::var_os("NO_COLOR").is_none();
        for (format, is_terminal, has_colours) in [
            (LogFormat::Text, true, wants_colours),
            (LogFormat::Text, false, false),
            (LogFormat::Json, true, false),
            (LogFormat::Json, false, false),
        ] {
            let lines = Lines::default();
            let writer = lines.clone();
            let log = tracing_subscriber::registry()
                .with(layer(format, is_terminal, move || writer.clone()));
            // With a single dispatcher, `tracing` caches the first thread's interest in a callsite
            // for all threads.
            let _another = Dispatch::new(tracing_subscriber::registry());
            with_default(log, || tracing::warn!("a line"));
            assert_eq!(
                lines.take().contains('\u{1b}'),
                has_colours,
                "{format:?} {is_terminal}"
            );
        }
    }

    /// The lines in each format that `log` writes within the span of a request.
    fn of_a_request(directives: &str, log: fn()) -> [String; 2] {
        [LogFormat::Text, LogFormat::Json].map(|format| {
            let captured = Lines::default();
            let writer = captured.clone();
            let layer = layer(format, false, move || writer.clone());
            let log_layer = lines(filter(directives).unwrap(), layer);
            let subscriber = tracing_subscriber::registry().with(log_layer);
            let _another = Dispatch::new(tracing_subscriber::registry());
            with_default(subscriber, || {
                let request = tracing::info_span!(
                    "request",
                    request_id = "0a1b2c3d4e5f",
                    trace_id = %"4bf9",
                    http.route = "/integration/accounts",
                );
                let call = tracing::info_span!(parent: &request, "call", url.template = "/log");
                let within = call.enter();
                log();
                drop(within);
                drop(call);
            });
            captured.take()
        })
    }

    #[test]
    fn every_line_has_the_ids_of_its_request_at_any_level() {
        for directives in ["info", "error", "vincula=error"] {
            let [text, json] = of_a_request(directives, || {
                tracing::error!(status = 500, "a \"line\"");
                tracing::debug!("not this one");
            });
            assert!(
                text.ends_with("a \"line\" status=500 request_id=\"0a1b2c3d4e5f\" trace_id=4bf9\n"),
                "{directives}: {text}"
            );
            assert!(!text.contains("/integration") && !text.contains("not this"));
            let line: serde_json::Value = serde_json::from_str(&json).unwrap();
            let mut fields: Vec<_> = line.as_object().unwrap().keys().collect();
            fields.sort_unstable();
            let expected = [
                "level",
                "message",
                "request_id",
                "status",
                "target",
                "timestamp",
                "trace_id",
            ];
            assert_eq!(fields, expected, "{directives}: {json}");
            assert_eq!(line["request_id"], "0a1b2c3d4e5f");
            assert_eq!(line["trace_id"], "4bf9");
            assert_eq!(line["message"], "a \"line\"");
        }
    }

    proptest! {
        #[test]
        fn escapes_every_format_character(c in "[\\p{Cf}\\p{Cc}\\p{Zl}\\p{Zp}\\p{Co}]") {
            prop_assert!(!c.chars().any(is_visible), "{c:?}");
        }

        #[test]
        fn letters_of_any_language_are_visible(text in "[\\p{L}\\p{Nd}\\p{Sc} ]{0,20}") {
            // Combining marks are not visible as themselves; precomposed letters contain none.
            prop_assume!(text.chars().all(|c| c.escape_debug().len() == 1));
            prop_assert!(text.chars().all(is_visible));
        }
    }
}
