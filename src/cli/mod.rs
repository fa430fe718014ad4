//! The command line: serve (no command), check the settings, check the health, test a widget API,
//! or serve the sandbox's widget API.

pub mod check;
pub mod check_api;
pub mod health;
pub mod sandbox;
pub mod serve;

use std::{
    io::{self, Write},
    net::SocketAddr,
    process::ExitCode,
    time::Duration,
};

use clap::{Parser, Subcommand};
use tokio_util::sync::CancellationToken;

use crate::{
    config::{Config, InvalidSetting, SiteFiles},
    server::shutdown_signal,
};

/// A setting is missing or invalid; clap exits with the same code.
const BAD_SETTING: u8 = 2;

/// Vincula: the client of an accounting firm links bank accounts over Open Finance.
///
/// Without a command: serves. All settings are environment variables (or the options of the same
/// meaning below).
#[derive(Debug, Parser)]
#[command(
    name = "vincula",
    version,
    max_term_width = 100,
    after_help = "Exit codes: 0 success; 1 failure, or shutdown interrupted requests or calls; 2 a setting is missing or invalid.\n\
                  Start: set WIDGET_API_URL, SESSION_KEYS and TRUSTED_PROXIES, run `vincula --check-config`, then `vincula`.\n\
                  Without these three it runs on its embedded sandbox and prints links to open."
)]
pub struct Cli {
    #[command(flatten)]
    pub config: Config,

    /// Checks the settings without changing anything, and exits: 0 ready to serve, 2 not ready.
    #[arg(long)]
    pub check_config: bool,

    #[command(subcommand)]
    pub command: Option<Command>,
}

/// Commands that do not serve the product.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Checks whether the process at LISTEN_ADDR is alive: exit code 0 or 1. For container health
    /// checks.
    Health,
    /// Tests a widget API as the product uses it, and reports the findings by call.
    CheckApi(Box<check_api::Options>),
    /// Serves only the sandbox's widget API, for tests of other programs, and prints its tokens.
    Sandbox {
        /// Address to listen on. One that other machines can reach needs SANDBOX_PUBLIC=true.
        #[arg(long, default_value = "127.0.0.1:3900")]
        addr: SocketAddr,
        /// How long each call with the token demo-lento takes, in milliseconds.
        #[arg(long, default_value_t = 12_000)]
        slow_ms: u64,
    },
}

/// Runs the command line. Prints errors without a backtrace, because their causes are settings,
/// ports and files.
pub fn main() -> ExitCode {
    run().unwrap_or_else(|error| {
        let _ = writeln!(io::stderr(), "Error: {error:#}");
        if error.is::<InvalidSetting>() {
            ExitCode::from(BAD_SETTING)
        } else {
            ExitCode::FAILURE
        }
    })
}

fn run() -> anyhow::Result<ExitCode> {
    let runtime = tokio::runtime::Runtime::new()?;
    let outcome = runtime.block_on(answer());
    // Does not wait for DNS look-ups, which may hang.
    runtime.shutdown_background();
    outcome
}

async fn answer() -> anyhow::Result<ExitCode> {
    let cli = Cli::parse();
    let is_well = match cli.command {
        Some(Command::Health) => health::is_alive(cli.config.listening.listen_addr).await,
        Some(Command::Sandbox { addr, slow_ms }) => {
            let stop = shutdown_signal(CancellationToken::new());
            sandbox::serve(
                addr,
                Duration::from_millis(slow_ms),
                cli.config.widget_api.sandbox_public,
                stop,
            )
            .await?;
            true
        }
        Some(Command::CheckApi(options)) => {
            let report = check_api::check(&options).await?;
            println!("{}", report.text());
            report.is_good()
        }
        None if cli.check_config => {
            let report = check::check(cli.config, &SiteFiles::find()).await;
            println!("{}", report.text);
            if !report.is_good {
                println!("Not ready. Fix the items marked ✗.");
                return Ok(ExitCode::from(BAD_SETTING));
            }
            println!("Ready to serve.");
            true
        }
        None => serve::serve(cli.config).await?,
    };
    Ok(if is_well {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
