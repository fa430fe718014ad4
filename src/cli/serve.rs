//! `vincula` without a command: starts the log, the sandbox if there is no widget API, and the
//! server.

use std::net::SocketAddr;

use tokio_util::sync::CancellationToken;
use vincula_sandbox::{DEMO_LINKS, SandboxOptions};

use crate::{
    cli::say,
    config::{Config, DEFAULT_METRICS_ADDR, Settings, SiteFiles, WidgetApi},
    http::admin,
    server::{self, listen},
    state::{self, AppState, Backend},
    telemetry::{self, Metrics},
};

/// Serves until SIGTERM or SIGINT. An error names the setting to check.
pub async fn serve(config: Config) -> anyhow::Result<()> {
    let settings = config.check()?;
    let _log = telemetry::log::init(settings.log.log_format, &settings.log.rust_log);
    for warning in settings.warnings() {
        tracing::warn!("{warning}");
    }
    let Settings {
        api,
        listening,
        product,
        ..
    } = settings;
    telemetry::panics::install_hook();
    let files = SiteFiles::find();
    let manifest = state::manifest(&files)?;
    let options = SandboxOptions {
        stylesheet: manifest.built().css.clone(),
        ..SandboxOptions::default()
    };
    let is_sandbox = api == WidgetApi::Sandbox;
    let backend = Backend::start(api, options).await?;
    let state = AppState::new(&product, &files, manifest, backend)?;
    let upstream = state.upstream.clone();
    let metrics = state.metrics.clone();
    let draining = state.draining.clone();
    let router = server::router(&state, &files);
    let listener = listen::listen("LISTEN_ADDR", listening.listen_addr).await?;
    expose(listening.metrics_addr, metrics, draining.clone()).await?;
    if is_sandbox {
        announce(listener.local_addr()?);
    }
    let stop = server::shutdown_signal(draining.clone());
    let stop_now = server::second_signal(draining);
    server::serve(router, listener, upstream, stop, stop_now).await
}

/// Serves the metrics until the process ends. If the default address is in use, probably by a
/// second process on the same machine, the product runs without metrics.
async fn expose(
    address: Option<SocketAddr>,
    metrics: Metrics,
    draining: CancellationToken,
) -> anyhow::Result<()> {
    let Some(address) = address else {
        return Ok(());
    };
    match listen::listen("METRICS_ADDR", address).await {
        Ok(listener) => {
            tracing::info!(metrics = %listener.local_addr()?, "metrics and health");
            tokio::spawn(
                async move { axum::serve(listener, admin::router(metrics, draining)).await },
            );
        }
        Err(error) if address.to_string() == DEFAULT_METRICS_ADDR => {
            tracing::warn!(%error, "no metrics");
        }
        Err(error) => return Err(error.into()),
    }
    Ok(())
}

fn announce(address: SocketAddr) {
    say("\nVincula on its embedded sandbox (no bank, no upstream). Open one of these:\n");
    for link in DEMO_LINKS {
        say(&format!(
            "  http://{address}{:<34} {}",
            link.path(),
            link.title
        ));
    }
    say(&format!("\n  http://{address}/sandbox shows them all.\n"));
}
