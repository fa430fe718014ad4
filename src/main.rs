//! Starts the product: configuration, log, sandbox if there is no widget API, server.

use std::{net::SocketAddr, process::ExitCode, time::Duration};

use clap::{ArgMatches, CommandFactory, FromArgMatches};
use vincula::{
    cli::{self, Cli, Command},
    config::{Config, MetricsAddr, Site},
    sandbox::{Sandbox, SandboxOptions},
    server::{self, AppState, assets::Assets},
    telemetry::{self, Metrics, Readiness, exposed},
};

/// A page is put together out of hundreds of short texts: docs/performance.md, "What holds the server back".
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// A setting is missing or not valid; clap ends with the same.
const BAD_SETTING: u8 = 2;

#[tokio::main]
async fn main() -> anyhow::Result<ExitCode> {
    let matches = Cli::command().get_matches();
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    match cli.command {
        Some(Command::Health) => {
            let is_alive = cli::health::is_alive(cli.config.listen_addr).await;
            Ok(if is_alive { ExitCode::SUCCESS } else { ExitCode::FAILURE })
        }
        Some(Command::Sandbox { addr, slow_ms }) => {
            let stop = server::asked_to_stop(Readiness::default(), Duration::ZERO);
            cli::sandbox::serve(addr, Duration::from_millis(slow_ms), cli.config.sandbox_public, stop).await?;
            Ok(ExitCode::SUCCESS)
        }
        None if cli.check_config => Ok(check(cli.config, &matches).await),
        None => serve(cli.config).await,
    }
}

async fn check(config: Config, matches: &ArgMatches) -> ExitCode {
    println!("Settings:\n\n{}", cli::check::settings(matches));
    let report = cli::check::check(config, &Site::find()).await;
    println!("{}", report.text());
    if report.is_good() {
        println!("Ready to serve.");
        ExitCode::SUCCESS
    } else {
        println!("Not ready: mend what is marked with ✗.");
        ExitCode::from(BAD_SETTING)
    }
}

async fn serve(config: Config) -> anyhow::Result<ExitCode> {
    let config = match config.check() {
        Ok(config) => config,
        Err(error) => {
            Cli::command().error(clap::error::ErrorKind::ValueValidation, error).exit();
        }
    };
    telemetry::init(&config)?;
    let site = Site::find();
    let sandbox = match config.is_sandbox() {
        true => Some(
            Sandbox::start(SandboxOptions { stylesheet: Some(Assets::find(&site).css), ..Default::default() }).await?,
        ),
        false => None,
    };
    let state = AppState::new(&config, &site, sandbox.as_ref())?;
    let (upstream, metrics, readiness) = (state.upstream.clone(), state.metrics.clone(), state.readiness.clone());
    let router = server::router(state, &site, sandbox.as_ref());
    let listener = server::listen("LISTEN_ADDR", config.listen_addr).await?;
    expose(config.metrics_addr, metrics, readiness.clone()).await?;
    if let Some(sandbox) = &sandbox {
        announce(sandbox, listener.local_addr()?);
    }
    let stop = server::asked_to_stop(readiness, config.shutdown_delay());
    server::serve(router, listener, upstream, stop).await?;
    Ok(ExitCode::SUCCESS)
}

/// Serves the metrics to the end of the process. Where nobody chose the address and it is taken, most likely by a second
/// copy on the same machine, the product goes on without.
async fn expose(address: MetricsAddr, metrics: Metrics, readiness: Readiness) -> anyhow::Result<()> {
    let Some(listens) = address.0 else { return Ok(()) };
    match server::listen("METRICS_ADDR", listens).await {
        Ok(listener) => {
            tracing::info!(metrics = %listener.local_addr()?, "metrics and health");
            tokio::spawn(async move { axum::serve(listener, exposed::router(metrics, readiness)).await });
        }
        Err(error) if address.is_default() => tracing::warn!(%error, "no metrics"),
        Err(error) => return Err(error),
    }
    Ok(())
}

/// The links of the sandbox, for whoever started it.
fn announce(sandbox: &Sandbox, address: SocketAddr) {
    println!("\nVincula on its embedded sandbox (no bank, no upstream). Open one of these:\n");
    for link in sandbox.links() {
        println!("  http://{address}{:<34} {}", link.path(), link.title);
    }
    println!("\n  http://{address}/sandbox shows them all.\n");
}
