//! The server: its state, its layers and its routes.

pub mod assets;
pub mod brands;
pub mod listen;
mod page;
mod state;
#[cfg(test)]
pub(crate) mod tests;

use std::{net::SocketAddr, sync::Arc, time::Duration};

use axum::{
    Router,
    http::{StatusCode, Uri},
    middleware::{from_fn_with_state, map_response},
    routing::{get, post},
};
use leptos_axum::{LeptosRoutes, generate_route_list, render_app_async_with_context};
use listen::MAX_CONNECTIONS;
pub use state::AppState;
use tokio::{
    net::TcpListener,
    signal::unix::{Signal, SignalKind, signal},
};
use tower::ServiceBuilder;
use vincula_domain::routes;
use vincula_pages::{App, document};
use vincula_sandbox::Sandbox;
use vincula_upstream::Upstream;

use crate::{
    config::SiteFiles,
    gallery,
    http::{
        Limits,
        admin::{self, Readiness},
        compression, csrf, error_pages, limits, log,
        policy::{self, Policy},
        request_limits,
    },
    session::middleware,
    steps::{accounts, cancel, consent, entry},
    telemetry::Metrics,
};

/// Every route, and every layer in its order: in a list of layers, each is inside the one above it.
pub fn router(state: AppState, files: &SiteFiles, sandbox: Option<&Sandbox>) -> Router {
    let stylesheet = Arc::<str>::from(state.site.assets.css.as_str());
    let limits = Limits::new(state.trusted_proxies.clone(), state.site.assets.css.clone(), state.metrics.clone());
    let layers = ServiceBuilder::new()
        // Rejects bad methods, oversized requests and slow bodies.
        .layer(from_fn_with_state(Arc::clone(&stylesheet), request_limits::enforce))
        // Only our own pages may act.
        .layer(from_fn_with_state(Arc::clone(&stylesheet), csrf::same_origin))
        // Limits actions. Inside the origin check, so that a foreign page uses up nobody's quota.
        .layer(from_fn_with_state(limits, limits::enforce))
        // Opens the session and redirects to the page that the guard chooses.
        .layer(from_fn_with_state(state.actions.codec.clone(), middleware::open))
        .layer(from_fn_with_state(state.actions.clone(), accounts::list_on_server))
        .layer(map_response(error_pages::without_framework_mark));
    let wrong_method = {
        let stylesheet = Arc::clone(&stylesheet);
        async move |uri: Uri| error_pages::refused(StatusCode::METHOD_NOT_ALLOWED, uri.path(), &stylesheet)
    };
    let context = page::context(state.clone());
    let pages = Router::new()
        .leptos_routes_with_context(&state, generate_route_list(App), context.clone(), document)
        .route(&format!("{}/{{action}}", routes::API), post(error_pages::unknown))
        .route(routes::ENTRY, post(entry::post))
        .route(routes::WIDGET, post(consent::post))
        .route(routes::CANCEL_CONFIRM, post(cancel::post))
        .fallback(get(render_app_async_with_context(context, document)).fallback(wrong_method.clone()))
        .method_not_allowed_fallback(wrong_method)
        .layer(layers)
        .with_state(state.clone());
    let pages = pages
        .clone()
        .layer(from_fn_with_state(pages, entry::in_place))
        .layer(compression::layer())
        .layer(from_fn_with_state(Arc::clone(&stylesheet), compression::in_one_piece));
    let built = assets::router(files).merge(brands::router(Arc::clone(&state.brands)));
    let everything = pages.merge(built).merge(admin::health_router(state.readiness.clone()));
    let everything = match sandbox {
        Some(sandbox) => everything
            .merge(sandbox.pages())
            .merge(assets::sandbox_router(files))
            .merge(gallery::router(state.site.assets.css.clone(), page::context(state.framed_by_us()))),
        None => everything,
    };
    around(everything, state.policy.clone(), state.metrics.clone(), stylesheet)
}

/// Adds the layers of all responses.
fn around(router: Router, policy: Policy, metrics: Metrics, stylesheet: Arc<str>) -> Router {
    router.layer(
        ServiceBuilder::new()
            .layer(from_fn_with_state(metrics, log::observe))
            .layer(from_fn_with_state(policy, policy::headers))
            // A panic becomes a 500 with a text, headers and a log line, not a dropped connection.
            .layer(from_fn_with_state(stylesheet, error_pages::catch)),
    )
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
    readiness: Readiness,
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
        finished = listen::serve(router, listener, MAX_CONNECTIONS, readiness, stop, upstream.drain()) => finished,
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
