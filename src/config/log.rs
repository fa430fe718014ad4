//! What is logged, and how.

use clap::Args;
use tracing_subscriber::{EnvFilter, filter::LevelFilter};

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
    let invalid = |why: &str| format!("expected for example info,vincula=debug ({why})");
    EnvFilter::try_new(text).map_err(|error| invalid(&error.to_string()))?;
    // A misspelt level is the name of a module.
    let is_level = |part: &str| !part.is_empty() && part.parse::<LevelFilter>().is_ok();
    let names_level = text.split([',', '=']).map(str::trim).any(is_level);
    if names_level {
        Ok(text.to_owned())
    } else {
        Err(invalid("it names no level"))
    }
}
