//! The command line: serve (no command), check the settings, or try a widget API.
#![expect(
    clippy::doc_markdown,
    reason = "these texts are those of --help, which shows no Markdown"
)]

pub mod check;
pub mod check_api;
pub mod serve;

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    io::{self, Write},
    process::ExitCode,
};

use clap::{
    Arg, ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand, builder::Resettable,
    error::ErrorKind,
};
use vincula_upstream::MAX_CALLS;

use crate::{
    VERSION,
    config::{Config, InvalidSettings, SiteFiles, is_empty_variable},
};

/// Threads for look-ups of names and for files: enough that files are served while every call to the
/// widget API, and those that have timed out before, wait for a resolver that hangs.
const BLOCKING_THREADS: usize = 4 * MAX_CALLS;

/// A setting is missing or invalid; clap exits with the same code.
const BAD_SETTING: u8 = 2;

/// Vincula: the client of an accounting firm links bank accounts over Open Finance.
///
/// Without a command it serves. Each setting is an environment variable, or the option of the same
/// meaning below. To see it without a widget API: WIDGET_API_URL=sandbox vincula
#[derive(Debug, Parser)]
#[command(
    name = "vincula",
    version = VERSION,
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

impl Cli {
    /// Reads the command line and the environment, in which an empty variable is not set. Exits with
    /// the help, or on an error of the command line. Otherwise the error names all variables that are
    /// wrong.
    fn read() -> Result<Self, InvalidSettings> {
        let command = without_variables(Self::command(), &is_empty_variable);
        Self::of(command.clone().try_get_matches()).map_err(|error| {
            let invalid = invalid_variables(&command);
            let is_of_value = matches!(
                error.kind(),
                ErrorKind::ValueValidation | ErrorKind::InvalidValue
            );
            if !is_of_value || invalid.is_empty() {
                error.exit();
            }
            let is_invalid = |name: &OsStr| invalid.iter().any(|(invalid, _)| invalid == name);
            let others = without_variables(command, &is_invalid).try_get_matches();
            let others = Self::of(others).map(|cli| cli.config.check());
            let mut errors: Vec<_> = invalid.values().cloned().collect();
            if let Ok(Err(InvalidSettings(more))) = others {
                // Those that are left out are not missing.
                let is_new = |error: &String| {
                    let names = invalid.keys().map(|name| name.to_string_lossy());
                    !names.into_iter().any(|name| error.starts_with(&*name))
                };
                errors.extend(more.into_iter().filter(is_new));
            }
            InvalidSettings(errors)
        })
    }

    fn of(matches: Result<ArgMatches, clap::Error>) -> Result<Self, clap::Error> {
        Self::from_arg_matches(&matches?)
    }
}

/// The variables whose values are invalid, with the error of each.
fn invalid_variables(command: &clap::Command) -> BTreeMap<OsString, String> {
    let variables = command.get_arguments().filter_map(Arg::get_env);
    let check = |name: &OsStr| {
        let alone = without_variables(command.clone(), &|other| other != name);
        let error = alone.try_get_matches_from(["vincula"]).err()?.to_string();
        // Without the hint about --help.
        let (error, _) = error.split_once("\n\n")?;
        Some((
            name.to_owned(),
            error.trim_start_matches("error: ").to_owned(),
        ))
    };
    variables.filter_map(check).collect()
}

/// The command and its own commands, without these variables.
fn without_variables(
    command: clap::Command,
    is_left_out: &dyn Fn(&OsStr) -> bool,
) -> clap::Command {
    let set = |argument: Arg| {
        if argument.get_env().is_some_and(is_left_out) {
            argument.env(Resettable::Reset)
        } else {
            argument
        }
    };
    command
        .mut_args(set)
        .mut_subcommands(|command| without_variables(command, is_left_out))
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
        if error.is::<InvalidSettings>() {
            ExitCode::from(BAD_SETTING)
        } else {
            ExitCode::FAILURE
        }
    })
}

/// Prints a line. A closed or full standard output does not matter: the exit code says the result.
pub fn say(line: &str) {
    let _ = writeln!(io::stdout(), "{line}");
}

fn run() -> anyhow::Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .max_blocking_threads(BLOCKING_THREADS)
        .build()?;
    let outcome = runtime.block_on(run_command());
    // Does not wait for DNS look-ups, which may hang.
    runtime.shutdown_background();
    outcome
}

async fn run_command() -> anyhow::Result<ExitCode> {
    let cli = Cli::read()?;
    let is_well = match cli.command {
        Some(Command::CheckApi(options)) => {
            let configured = cli.config.widget_api.widget_api_url;
            let report = check_api::check(options, configured).await?;
            say(&report.lines.join("\n"));
            report.is_good
        }
        None if cli.check_config => {
            for finding in check::check(cli.config, &SiteFiles::find()).await? {
                say(&finding);
            }
            say("Ready to serve.");
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The variables of a command and of its own commands.
    fn variables(command: &clap::Command) -> Vec<String> {
        let own = command.get_arguments().filter_map(Arg::get_env);
        let own = own.map(|name| name.to_string_lossy().into_owned());
        own.chain(command.get_subcommands().flat_map(variables))
            .collect()
    }

    #[test]
    fn leaves_out_any_variable() {
        let all = variables(&Cli::command());
        for name in ["WIDGET_API_URL", "RUST_LOG", "CHECK_API_TOKEN"] {
            assert!(
                all.iter().any(|variable| variable == name),
                "{name}: {all:?}"
            );
        }
        assert_eq!(
            variables(&without_variables(Cli::command(), &|_| false)),
            all
        );
        let rest = without_variables(Cli::command(), &|name| name != "RUST_LOG");
        assert_eq!(variables(&rest), ["RUST_LOG"]);
    }
}
