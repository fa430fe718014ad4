//! What is logged, and how.

use clap::Args;
use tracing_subscriber::EnvFilter;

use crate::telemetry::log::LogFormat;

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Log")]
pub struct LogConfig {
    /// Filter of the log, in the form of tracing's EnvFilter, for example "info,vincula=debug".
    #[arg(long, env = "RUST_LOG", default_value = "info", value_parser = directives)]
    pub rust_log: String,

    /// Format of the log lines.
    #[arg(
        long,
        env = "LOG_FORMAT",
        value_enum,
        default_value_t = LogFormat::Text
    )]
    pub log_format: LogFormat,
}

fn directives(text: &str) -> Result<String, String> {
    EnvFilter::try_new(text)
        .map(|_| text.to_owned())
        .map_err(|error| format!("expected for example info,vincula=debug ({error})"))
}
