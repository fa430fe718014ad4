//! What is logged, and how.

use clap::Args;

use crate::telemetry::log::LogFormat;

#[derive(Debug, Clone, Args)]
pub struct LogConfig {
    /// Filter of the log, in the form of tracing's EnvFilter, for example "info,vincula=debug".
    #[arg(long, env = "RUST_LOG", default_value = "info")]
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
