//! How long a session lives.

use std::time::Duration;

use clap::Args;

use super::values::session_seconds;

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Sessions")]
pub struct SessionConfig {
    /// Seconds after its link was opened until a session ends. Opening the link again restarts the
    /// time and keeps what was done.
    #[arg(
        long,
        env = "SESSION_SECS",
        default_value = "14400",
        value_parser = session_seconds
    )]
    pub session_secs: Duration,
}
