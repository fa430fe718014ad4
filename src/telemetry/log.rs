//! The log: one line per event on standard error, with the id of the request that it belongs to.
//!
//! A thread writes the lines, so that no request waits for the reader. If the reader stops, lines
//! are dropped, and the service goes on.

use std::io::{IsTerminal, stderr};

use tracing_appender::non_blocking::{NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::{
    EnvFilter, Layer, Registry,
    fmt::{MakeWriter, layer as written},
    layer::SubscriberExt,
    util::SubscriberInitExt,
};

/// Lines that wait for a slow reader. The longest has about 2 kB.
const QUEUED_LINES: usize = 16_384;

/// The format of log lines.
// Doc comments of the variants would be part of --help.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum LogFormat {
    // For humans.
    Text,
    // One JSON object per line.
    Json,
}

/// Starts the log of the process. Drop the guard at the end of the process: that writes the last
/// lines.
pub fn init(format: LogFormat, directives: &str) -> WorkerGuard {
    let (queue, guard) = NonBlockingBuilder::default()
        .buffered_lines_limit(QUEUED_LINES)
        .finish(stderr());
    let lines = layer(format, stderr().is_terminal(), queue);
    tracing_subscriber::registry()
        .with(lines.with_filter(filter(directives)))
        .init();
    guard
}

/// The filter of `RUST_LOG`. The line of a failed call has the cause that the excluded crate logs
/// too.
pub fn filter(directives: &str) -> EnvFilter {
    EnvFilter::new(directives).add_directive(
        "rustls_platform_verifier=off"
            .parse()
            .expect("the directive is valid"),
    )
}

/// The layer that formats events as lines: with colours on a terminal only, never in a file or a
/// pipe. `NO_COLOR` disables them.
pub fn layer(
    format: LogFormat,
    is_terminal: bool,
    writer: impl for<'a> MakeWriter<'a> + Send + Sync + 'static,
) -> Box<dyn Layer<Registry> + Send + Sync> {
    let lines = written().with_writer(writer);
    match format {
        LogFormat::Text if is_terminal => lines.compact().boxed(),
        LogFormat::Text => lines.compact().with_ansi(false).boxed(),
        LogFormat::Json => lines
            .json()
            .flatten_event(true)
            .with_span_list(false)
            .boxed(),
    }
}

#[cfg(test)]
mod tests {
    use tracing_subscriber::layer::SubscriberExt;
    use vincula_testing::{Lines, subscribe};

    use super::*;

    /// The lines that `log` writes within the span of a request.
    fn of_a_request(directives: &str, format: LogFormat, log: fn()) -> String {
        let captured = Lines::default();
        let writer = captured.clone();
        let layer = layer(format, false, move || writer.clone());
        let filtered = layer.with_filter(filter(directives));
        let _guard = subscribe(tracing_subscriber::registry().with(filtered));
        tracing::error_span!("request", request_id = %"0a1b2c3d4e5f").in_scope(log);
        captured.take()
    }

    #[test]
    fn every_line_has_the_id_of_its_request_at_any_level() {
        for directives in ["info", "error", "vincula=error"] {
            for format in [LogFormat::Text, LogFormat::Json] {
                let lines = of_a_request(directives, format, || tracing::error!("a line"));
                let id = lines.matches("0a1b2c3d4e5f").count();
                assert_eq!((lines.lines().count(), id), (1, 1), "{directives}: {lines}");
            }
        }
    }

    #[test]
    fn certificate_verifier_is_silent() {
        for directives in ["info", "rustls_platform_verifier=trace"] {
            let text = of_a_request(directives, LogFormat::Text, || {
                tracing::error!(target: "rustls_platform_verifier::verification", "a line");
            });
            assert_eq!(text, "", "{directives}");
        }
    }
}
