//! The server: its state, its layers and its routes.

pub mod assets;
pub mod listen;
#[cfg(test)]
pub(crate) mod tests;

use std::{sync::Arc, time::Duration};

use axum::{
    Router,
    extract::{Request, State},
    http::{HeaderValue, StatusCode, header},
    middleware::{Next, from_fn, from_fn_with_state},
    response::Response,
    routing::{any, get, post},
};
use leptos_axum::{LeptosRoutes, generate_route_list, render_app_async_with_context};
use tokio::{
    net::TcpListener,
    signal::unix::{SignalKind, signal},
};
use tokio_util::sync::CancellationToken;
use tower::ServiceBuilder;
use tower_http::{catch_panic::CatchPanicLayer, compression::CompressionLayer};
use vincula_upstream::Upstream;

use crate::{
    app::provide_request,
    config::SiteFiles,
    http::{
        admin, body, csrf, error_pages, identify, log, policy,
        rate_limit::{self, RateLimits},
    },
    routes,
    session::middleware,
    state::AppState,
    steps::{App, cancel, consent, entry},
};

/// The router: the routes and all layers.
pub fn router(state: &AppState, files: &SiteFiles) -> Router {
    let rate_limits = Arc::new(RateLimits::new(state.trusted_proxies.clone()));
    let layers = ServiceBuilder::new()
        // Only our own pages may act.
        .layer(from_fn(csrf::same_origin))
        // Limits the actions of an address. Inside the origin check, so that another site cannot
        // use up a client's quota.
        .layer(from_fn_with_state(rate_limits, rate_limit::enforce))
        // Nothing below is held while a body is on its way.
        .layer(from_fn_with_state(state.draining.clone(), body::read_whole))
        // Opens the session and redirects to the page that the guard chooses.
        .layer(from_fn_with_state(
            state.codec.clone(),
            middleware::open_session,
        ));
    let wrong_method = async || error_pages::rejected(StatusCode::METHOD_NOT_ALLOWED);
    let context = provide_request(state.clone());
    let pages = Router::new()
        // Adds the pages of [`App`], and the path of every function with `#[server]`.
        .leptos_routes_with_context(state, generate_route_list(App), context.clone(), App)
        // The native forms.
        .route(routes::ENTRY, post(entry::actions::post))
        .route(routes::WIDGET, post(consent::actions::post))
        .route(routes::CANCEL_CONFIRM, post(cancel::actions::post))
        // Every other path of an action, whatever the method.
        .route(
            routes::ANY_ACTION,
            any(async || error_pages::rejected(StatusCode::NOT_FOUND)),
        )
        .fallback(get(render_app_async_with_context(context, App)).fallback(wrong_method))
        .method_not_allowed_fallback(wrong_method)
        .layer(layers)
        .with_state(state.clone());
    let around_pages = ServiceBuilder::new()
        // Files are compressed by the build.
        .layer(CompressionLayer::new())
        // May request a page from the router, which therefore does not contain this layer.
        .layer(from_fn_with_state(
            pages.clone(),
            entry::in_place::show_step,
        ));
    let pages = pages.layer(around_pages);
    let built = assets::router(files).merge(assets::logos(Arc::clone(&state.brands)));
    let everything = pages
        .merge(built)
        .merge(admin::health_router(state.draining.clone()));
    let everything = match &state.sandbox {
        Some(sandbox) => everything
            .merge(sandbox.pages())
            .merge(assets::sandbox_router(files)),
        None => everything,
    };
    with_common_layers(everything, state)
}

/// Adds the layers of all responses.
fn with_common_layers(router: Router, state: &AppState) -> Router {
    let stylesheet = Arc::<str>::from(state.site.manifest.built().css.as_str());
    let inner = ServiceBuilder::new()
        .layer(from_fn(policy::hide_entry_from_referrer))
        // Adds the body of a rejected request.
        .layer(from_fn_with_state(stylesheet, error_pages::render))
        // Turns a panic into a response, so that the connection is not dropped.
        .layer(CatchPanicLayer::custom(error_pages::broken));
    let outer = ServiceBuilder::new()
        .layer(from_fn_with_state(
            state.draining.clone(),
            close_connections,
        ))
        .layer(from_fn(identify::identify))
        .layer(from_fn_with_state(state.metrics.clone(), log::observe));
    policy::security_headers()
        .into_iter()
        .fold(router.layer(inner), Router::layer)
        .layer(outer)
}

/// Serves until `stop`. Then open requests may finish, and so may calls of `upstream` that outlive
/// their request, until `stop_now` at the latest.
pub async fn serve(
    router: Router,
    listener: TcpListener,
    upstream: Upstream,
    stop: impl Future<Output = ()>,
    stop_now: impl Future,
) -> anyhow::Result<()> {
    tracing::info!(address = %listener.local_addr()?, "listening");
    tokio::select! {
        () = listen::serve(router, listener, stop, upstream.drain()) => {}
        _ = stop_now => tracing::warn!("stopping at once: open requests and calls were cut off"),
    }
    Ok(())
}

/// How long the process still accepts connections after SIGTERM, so that load balancers can stop
/// sending traffic first.
const DRAINING: Duration = Duration::from_secs(2);

/// Waits for SIGTERM or SIGINT, and then cancels `draining`: the process reports that it is not
/// ready, and closes each connection after its response. After SIGTERM, waits for another
/// [`DRAINING`].
pub async fn shutdown_signal(draining: CancellationToken) {
    let signal = stop_signal().await;
    draining.cancel();
    tracing::info!("stopping");
    if signal == SignalKind::terminate() {
        tokio::time::sleep(DRAINING).await;
    }
}

/// Waits for another SIGTERM or SIGINT after the one that has cancelled `draining`.
pub async fn second_signal(draining: CancellationToken) {
    draining.cancelled().await;
    stop_signal().await;
}

/// Waits for the next SIGTERM or SIGINT.
async fn stop_signal() -> SignalKind {
    let listen = |kind| signal(kind).expect("a process may listen for its signals");
    let (mut terminate, mut interrupt) = (
        listen(SignalKind::terminate()),
        listen(SignalKind::interrupt()),
    );
    tokio::select! {
        _ = interrupt.recv() => SignalKind::interrupt(),
        _ = terminate.recv() => SignalKind::terminate(),
    }
}

/// Closes each connection after its response once `draining` is cancelled, so that no proxy sends a
/// request on a connection that the server is about to close.
async fn close_connections(
    State(draining): State<CancellationToken>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = next.run(request).await;
    if draining.is_cancelled() {
        response
            .headers_mut()
            .insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}
