//! Starts the product: configuration, log, sandbox if there is no widget API, server.

use std::net::SocketAddr;

use clap::Parser;
use vincula::{
    config::{Config, Site},
    sandbox::{Sandbox, SandboxOptions},
    server::{self, AppState, assets::Assets},
    telemetry,
};

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let config = Config::parse().check()?;
    telemetry::init(&config)?;
    let site = Site::find();
    let sandbox = match config.is_sandbox() {
        true => Some(
            Sandbox::start(SandboxOptions { stylesheet: Some(Assets::find(&site).css), ..Default::default() }).await?,
        ),
        false => None,
    };
    let state = AppState::new(&config, &site, sandbox.as_ref())?;
    let upstream = state.upstream.clone();
    let router = server::router(state, &site, sandbox.as_ref());
    let listener = server::listen(config.listen_addr).await?;
    if let Some(sandbox) = &sandbox {
        announce(sandbox, listener.local_addr()?);
    }
    server::serve(router, listener, upstream).await
}

/// The links of the sandbox, for whoever started it.
fn announce(sandbox: &Sandbox, address: SocketAddr) {
    println!("\nVincula on its embedded sandbox (no bank, no upstream). Open one of these:\n");
    for link in sandbox.links() {
        println!("  http://{address}{:<34} {}", link.path(), link.title);
    }
    println!("\n  http://{address}/sandbox shows them all.\n");
}
