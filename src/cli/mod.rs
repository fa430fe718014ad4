//! The command line: serve (no command), check the settings, or try a widget API.
#![expect(
    clippy::doc_markdown,
    reason = "these texts are those of --help, which shows no Markdown"
)]

pub mod check;
pub mod check_api;
pub mod serve;

use std::{
    io::{self, Write},
    process::ExitCode,
};

use clap::{Parser, Subcommand};

use crate::config::{Config, InvalidSetting, SiteFiles};

/// A setting is missing or invalid; clap exits with the same code.
const BAD_SETTING: u8 = 2;

/// Vincula: the client of an accounting firm links bank accounts over Open Finance.
///
/// Without a command it serves. Each setting is an environment variable, or the option of the same
/// meaning below. To see it without a widget API: WIDGET_API_URL=sandbox vincula
#[derive(Debug, Parser)]
#[command(
    name = "vincula",
    version,
    max_term_width = 100,
    after_help = "Exit codes: 0 success; 1 failure; 2 a setting is missing or unusable."
)]
pub struct Cli {
    /// Checks the settings, reads the files, sends one request to the widget API, and exits: 0
    /// ready to serve, 2 a setting is not usable.
    #[arg(long)]
    pub check_config: bool,

    #[command(flatten)]
    pub config: Config,

    #[command(subcommand)]
    pub command: Option<Command>,
}

/// Commands that do not serve the product.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Tries a widget API with the calls that change nothing, and shows what each returned.
    CheckApi(check_api::Options),
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
    let outcome = runtime.block_on(run_command());
    // Does not wait for DNS look-ups, which may hang.
    runtime.shutdown_background();
    outcome
}

async fn run_command() -> anyhow::Result<ExitCode> {
    let cli = Cli::parse();
    let is_well = match cli.command {
        Some(Command::CheckApi(options)) => {
            let configured = cli.config.widget_api.widget_api_url;
            let report = check_api::check(options, configured).await?;
            println!("{}", report.lines.join("\n"));
            report.is_good
        }
        None if cli.check_config => {
            for finding in check::check(cli.config, &SiteFiles::find()).await? {
                println!("{finding}");
            }
            println!("Ready to serve.");
            true
        }
        None => {
            serve::serve(cli.config).await?;
            true
        }
    };
    Ok(if is_well {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
