//! The server: its state, its layers and its routes.

mod arrival;
pub mod assets;
mod connection;
pub mod connection_limits;
mod files;
pub mod listen;
mod logo;
mod packed;
mod page;
mod show;
mod socket;
mod state;
mod template;
#[cfg(test)]
pub(crate) mod tests;

use std::{net::SocketAddr, sync::Arc, time::Duration};

use axum::{
    Router,
    middleware::{from_fn, from_fn_with_state},
    routing::{get, post},
};
use connection_limits::ConnectionLimits;
use leptos_axum::{LeptosRoutes, generate_route_list};
use tokio::net::TcpListener;
use tower_http::catch_panic::CatchPanicLayer;
use vincula_domain::routes;
use vincula_pages::{App, document};
use vincula_sandbox::Sandbox;
use vincula_telemetry::Metrics;
use vincula_upstream::Upstream;
use vincula_web::{
    Readiness,
    actions::{cancel, consent, entry, listed},
    health,
    http::{
        self, Limits,
        arc_layer::ArcLayer,
        compression, csp_report, framework, limits, log, measure, origin, panics,
        policy::{self, Policy},
        request_id, request_limits,
    },
    session::middleware,
};

use crate::{config::SiteFiles, gallery};

pub use state::AppState;

/// All routes with their layers.
pub fn router(state: AppState, files: &SiteFiles, sandbox: Option<&Sandbox>) -> Router {
    let context = page::context(state.clone());
    let rehearsing = page::context(state.framed_by_us());
    let show = show::handler(state.clone());
    let stylesheet = Arc::<str>::from(state.site.assets.css.as_str());
    let limits = Limits::new(state.trusted_proxies.clone(), state.site.assets.css.clone(), state.metrics.clone());
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
        .layer(ArcLayer)
        .layer((from_fn_with_state(state.actions.clone(), listed::list_on_server), ArcLayer))
        .layer((from_fn(http::actions::in_our_words), ArcLayer))
        .layer((from_fn_with_state(Arc::clone(&stylesheet), framework::in_our_words), ArcLayer))
        // Limits a link's actions, and takes the permits.
        .layer((from_fn_with_state(limits.clone(), limits::per_token), ArcLayer))
        // Opens the session and redirects to the page that the guard chooses.
        .layer((from_fn_with_state(state.actions.codec.clone(), middleware::open), ArcLayer))
        // Limits an address's actions. Inside the origin check, so that a foreign page uses up nobody's allowance.
        .layer((from_fn_with_state(limits, limits::per_address), ArcLayer))
        // Only our own pages may act.
        .layer((from_fn_with_state(Arc::clone(&stylesheet), origin::same_origin), ArcLayer))
        // Rejects bad methods, oversized requests and slow bodies.
        .layer((from_fn_with_state(stylesheet, request_limits::enforce), ArcLayer))
        .with_state(state.clone());
    let pages = pages.clone().layer(from_fn_with_state(pages, arrival::in_place)).layer(compression::layer());
    let built = assets::router(files).merge(logo::router(state.site.theme.logo()));
    let reports = csp_report::router(state.trusted_proxies.clone(), state.reports.clone());
    let everything = pages.merge(built).merge(health::router(state.readiness.clone())).merge(reports);
    let stylesheet = state.site.assets.css.clone();
    let everything = match sandbox {
        Some(sandbox) => everything
            .merge(sandbox.pages())
            .merge(assets::sandbox_router(files))
            .merge(gallery::router(stylesheet.clone(), rehearsing)),
        None => everything,
    };
    around(everything, state.policy.clone(), state.metrics.clone(), stylesheet)
}

/// The layers of all responses. Each layer shares the service inside it.
fn around(router: Router, policy: Policy, metrics: Metrics, stylesheet: String) -> Router {
    router
        // A panic becomes a 500 with a text, headers and a log line, not a dropped connection.
        .layer((CatchPanicLayer::custom(panics::caught), ArcLayer))
        .layer((from_fn_with_state(Arc::<str>::from(stylesheet), panics::in_our_words), ArcLayer))
        .layer((from_fn_with_state(Arc::new(policy), policy::headers), ArcLayer))
        .layer((from_fn(log::access), ArcLayer))
        .layer((from_fn_with_state(metrics, measure::count), ArcLayer))
        .layer((from_fn(request_id::assign), ArcLayer))
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

/// Serves until `stop`, then lets open requests finish, and calls of `upstream` that outlive theirs.
///
/// # Errors
/// If the listener has no address.
pub async fn serve(
    router: Router,
    listener: TcpListener,
    limits: ConnectionLimits,
    upstream: Upstream,
    stop: impl Future<Output = ()>,
) -> anyhow::Result<()> {
    tracing::info!(address = %listener.local_addr()?, "listening");
    let stop = {
        let upstream = upstream.clone();
        async move {
            stop.await;
            upstream.hurry();
        }
    };
    let last = async move { upstream.finish().await };
    listen::serve(router, listener, limits, stop, last).await;
    Ok(())
}

/// Waits for SIGTERM or SIGINT. From then on the process is not ready; after SIGTERM it still accepts connections for
/// `delay`, so that load balancers can stop sending traffic first. A second signal ends the delay.
pub async fn shutdown_signal(readiness: Readiness, delay: Duration) {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate()).expect("a process may listen for SIGTERM");
    let mut interrupt = signal(SignalKind::interrupt()).expect("a process may listen for SIGINT");
    let delay = tokio::select! {
        _ = interrupt.recv() => Duration::ZERO,
        _ = terminate.recv() => delay,
    };
    readiness.drain();
    tracing::info!(delay_secs = delay.as_secs(), "stopping");
    tokio::select! {
        () = tokio::time::sleep(delay) => {}
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
}
