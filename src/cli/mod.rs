//! The command line: serve (no command), check the settings, ask for health, or be the widget API for others' tests.

pub mod check;
pub mod health;
pub mod sandbox;

use std::net::SocketAddr;

use clap::{Parser, Subcommand};

use crate::config::Config;

/// Vincula: the client of an accounting firm links bank accounts over Open Finance.
///
/// Without a command: serves. Everything is set by environment variables (or the options of the same meaning below).
#[derive(Debug, Parser)]
#[command(
    name = "vincula",
    version,
    max_term_width = 100,
    after_help = "Exit codes: 0 well, 1 failed, 2 a setting is missing or not valid.\n\
                  Start: set WIDGET_API_URL and SESSION_KEYS, run `vincula --check-config`, then `vincula`.\n\
                  Without WIDGET_API_URL it runs on its embedded sandbox and prints links to open."
)]
pub struct Cli {
    #[command(flatten)]
    pub config: Config,

    /// Prints every setting, tries what can be tried without changing anything, and ends: 0 ready to serve, 2 not.
    #[arg(long)]
    pub check_config: bool,

    #[command(subcommand)]
    pub command: Option<Command>,
}

/// What the program does instead of serving.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Asks the process that serves at LISTEN_ADDR whether it is alive: exit code 0 or 1. For container health checks.
    Health,
    /// Serves the embedded widget API alone, for the tests of other programs, and prints its tokens.
    Sandbox {
        /// Where to listen. Others than this machine need SANDBOX_PUBLIC=true.
        #[arg(long, default_value = "127.0.0.1:3900")]
        addr: SocketAddr,
        /// How long each call with the token demo-lento takes, in milliseconds.
        #[arg(long, default_value_t = 12_000)]
        slow_ms: u64,
    },
}
