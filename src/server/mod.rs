//! The server: its state, its layers and its routes.

mod arrival;
pub mod assets;
pub mod brands;
mod connection;
pub mod connection_limits;
mod detour;
mod files;
mod layers;
pub mod listen;
mod logo;
mod packed;
mod page;
mod piece;
pub(crate) mod show;
mod socket;
mod state;
mod template;
#[cfg(test)]
pub(crate) mod tests;

use std::{net::SocketAddr, sync::Arc, time::Duration};

use axum::{
    Router,
    middleware::from_fn_with_state,
    routing::{get, post},
};
use connection_limits::ConnectionLimits;
use leptos_axum::{LeptosRoutes, generate_route_list};
pub use state::AppState;
use tokio::{
    net::TcpListener,
    signal::unix::{Signal, SignalKind, signal},
};
use vincula_domain::routes;
use vincula_pages::{App, document};
use vincula_sandbox::Sandbox;
use vincula_telemetry::Metrics;
use vincula_upstream::Upstream;

use crate::{
    config::SiteFiles,
    gallery,
    http::{self, Limits, compression, health, health::Readiness, policy::Policy},
    steps::{cancel, consent, entry},
};

/// All routes with their layers.
pub fn router(state: AppState, files: &SiteFiles, sandbox: Option<&Sandbox>) -> Router {
    let context = page::context(state.clone());
    let scenario_context = page::context(state.framed_by_us());
    let show = show::handler(state.clone());
    let stylesheet = Arc::<str>::from(state.site.assets.css.as_str());
    let limits = Limits::new(state.trusted_proxies.clone(), state.site.assets.css.clone(), state.metrics.clone());
    let layers = layers::OfPages { actions: state.actions.clone(), limits, stylesheet: Arc::clone(&stylesheet) };
    let pages = Router::new()
        .route(&format!("{}/{{action}}", routes::API), post(http::actions::unknown))
        // Only the server functions: our own handler shows the pages.
        .leptos_routes_with_context(&state, Vec::new(), context, document);
    let pages = generate_route_list(App)
        .iter()
        .fold(pages, |pages, page| pages.route(page.path(), get(show.clone())))
        .route(routes::ENTRY, post(entry::post))
        .route(routes::WIDGET, post(consent::post))
        .route(routes::CANCEL_CONFIRM, post(cancel::post))
        .fallback(get(show))
        .layer(from_fn_with_state(Arc::new(layers), layers::of_pages))
        .with_state(state.clone());
    let pages = pages
        .clone()
        .layer(from_fn_with_state(pages, arrival::in_place))
        .layer(compression::layer())
        .layer(from_fn_with_state(Arc::clone(&stylesheet), compression::in_one_piece));
    let built = assets::router(files).merge(logo::router(Arc::clone(&state.faces)));
    let everything = pages.merge(built).merge(health::router(state.readiness.clone()));
    let stylesheet = state.site.assets.css.clone();
    let everything = match sandbox {
        Some(sandbox) => everything
            .merge(sandbox.pages())
            .merge(assets::sandbox_router(files))
            .merge(gallery::router(stylesheet.clone(), scenario_context)),
        None => everything,
    };
    around(everything, state.policy.clone(), state.metrics.clone(), stylesheet)
}

/// Adds the layers of all responses.
fn around(router: Router, policy: Policy, metrics: Metrics, stylesheet: String) -> Router {
    let layers = layers::OfAll { policy, metrics, stylesheet: stylesheet.into() };
    router.layer(from_fn_with_state(Arc::new(layers), layers::of_all))
}

/// Binds the address of a setting.
///
/// # Errors
/// If the address cannot be bound.
pub async fn listen(setting: &str, address: SocketAddr) -> anyhow::Result<TcpListener> {
    listen::bind(address).map_err(|error| {
        anyhow::anyhow!("{setting} {address} cannot be listened on ({error}): expected a free address of this machine")
    })
}

/// Serves until `stop`, then lets open requests finish, and calls of `upstream` that outlive theirs, until `at_once` at
/// the latest. Before it returns, each item of Connect that was not delivered is in the log. Returns whether nothing was
/// cut off.
///
/// # Errors
/// If the listener has no address.
pub async fn serve(
    router: Router,
    listener: TcpListener,
    limits: ConnectionLimits,
    upstream: Upstream,
    stop: impl Future<Output = ()>,
    at_once: impl Future<Output = ()>,
) -> anyhow::Result<bool> {
    tracing::info!(address = %listener.local_addr()?, "listening");
    let stop = async {
        stop.await;
        upstream.begin_shutdown();
    };
    let at_once = async {
        upstream.shutting_down().await;
        at_once.await;
    };
    let finished = tokio::select! {
        finished = listen::serve(router, listener, limits, stop, upstream.drain()) => finished,
        () = at_once => {
            tracing::warn!("stopping at once: open requests and calls were cut off");
            false
        }
    };
    let lost = upstream.give_up_deliveries().await;
    Ok(finished && lost == 0)
}

/// Waits for SIGTERM or SIGINT. From then on the process is not ready; after SIGTERM it still accepts connections for
/// `delay`, so that load balancers can stop sending traffic first. A second signal ends the delay.
pub async fn shutdown_signal(readiness: Readiness, delay: Duration) {
    let mut signals = Signals::listen();
    let delay = if signals.next().await == SignalKind::interrupt() { Duration::ZERO } else { delay };
    readiness.drain();
    tracing::info!(delay_secs = delay.as_secs(), "stopping");
    let _ = tokio::time::timeout(delay, signals.next()).await;
}

/// Waits for a further SIGTERM or SIGINT.
pub async fn further_signal() {
    Signals::listen().next().await;
}

struct Signals {
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    /// From now on.
    fn listen() -> Self {
        let listen = |kind| signal(kind).expect("a process may listen for its signals");
        Self { terminate: listen(SignalKind::terminate()), interrupt: listen(SignalKind::interrupt()) }
    }

    async fn next(&mut self) -> SignalKind {
        tokio::select! {
            _ = self.interrupt.recv() => SignalKind::interrupt(),
            _ = self.terminate.recv() => SignalKind::terminate(),
        }
    }
}
