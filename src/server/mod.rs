//! The server: its state, its layers and its routes, in one place.

pub mod actions;
pub mod assets;
pub mod listen;
#[cfg(test)]
pub(crate) mod tests;

use std::{
    net::SocketAddr,
    ops::Deref,
    sync::Arc,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use axum::{
    Router,
    extract::FromRef,
    middleware::{from_fn, from_fn_with_state},
    routing::{get, post},
};
use leptos::{config::LeptosOptions, prelude::provide_context};
use leptos_axum::{LeptosRoutes, generate_route_list, render_app_async_with_context};
use tokio::net::TcpListener;
use tower_http::catch_panic::CatchPanicLayer;

use crate::{
    app::{App, shell},
    config::{Config, Site},
    gallery,
    http::{
        Limits,
        client_address::TrustedProxies,
        compression, csp_report, limits, log, measure, origin, panics,
        policy::{self, Policy},
        request_id, shape,
        shared::Share,
    },
    islands::manifest::Manifest,
    routes,
    sandbox::Sandbox,
    session::{CookieKind, Keeper, SessionKeys, door},
    steps::{cancel, connect::ConnectSettings, consent, entry, reading},
    telemetry::{Metrics, Readiness, health},
    theme::{Theme, logo},
    upstream::{Upstream, UpstreamConfig},
};
use assets::Assets;

/// What pages and actions draw on; clones share it.
#[derive(Clone)]
pub struct AppState(Arc<Served>);

/// See [`AppState`].
#[derive(Clone)]
pub struct Served {
    pub keeper: Keeper,
    pub upstream: Upstream,
    pub connect: ConnectSettings,
    pub policy: Policy,
    pub assets: Assets,
    pub manifest: Manifest,
    pub theme: Theme,
    pub trusted_proxies: TrustedProxies,
    pub metrics: Metrics,
    pub readiness: Readiness,
    leptos: LeptosOptions,
}

impl Deref for AppState {
    type Target = Served;

    fn deref(&self) -> &Served {
        &self.0
    }
}

impl FromRef<AppState> for LeptosOptions {
    fn from_ref(state: &AppState) -> Self {
        state.leptos.clone()
    }
}

impl FromRef<AppState> for (Keeper, Upstream) {
    fn from_ref(state: &AppState) -> Self {
        (state.keeper.clone(), state.upstream.clone())
    }
}

impl AppState {
    /// Puts the state together. `sandbox` stands in for what the configuration leaves out.
    ///
    /// # Errors
    /// Where the site has not been built, or the configuration is not usable.
    pub fn new(config: &Config, site: &Site, sandbox: Option<&Sandbox>) -> anyhow::Result<Self> {
        let api = sandbox.map(|sandbox| sandbox.api_url().parse()).transpose()?;
        let base = api.or_else(|| config.widget_api_url.clone());
        let base = base.ok_or_else(|| anyhow::anyhow!("neither WIDGET_API_URL nor the sandbox is there"))?;
        let metrics = Metrics::default();
        let upstream = Upstream::new(&UpstreamConfig {
            base,
            timeout: config.upstream_timeout(),
            connect_timeout: config.upstream_connect_timeout(),
            bank_list_life: Duration::from_secs(config.bank_list_ttl_secs),
        })?
        .counting(metrics.clone());
        let connect_url = match sandbox {
            Some(_) => format!("{}/connect", routes::SANDBOX),
            None => config.pluggy_connect_url.to_string(),
        };
        let keys = config.session_keys()?.unwrap_or_else(SessionKeys::of_sandbox);
        let watched = site.reload_port.is_some();
        let manifest = Manifest::load(&site.react, watched).map_err(|error| {
            anyhow::anyhow!("{} holds no built islands ({error}): run `make run` or `make dev`", site.react.display())
        })?;
        Ok(Self(Arc::new(Served {
            keeper: Keeper::new(keys, CookieKind::of(config), config.session_idle(), unix_seconds),
            upstream,
            policy: Policy::new(config, &connect_url, site.reload_port),
            connect: ConnectSettings { url: connect_url, include_sandbox: config.pluggy_include_sandbox },
            assets: Assets::find(site),
            manifest,
            theme: Theme::load(config)?,
            trusted_proxies: config.trusted_proxies.clone().unwrap_or_default(),
            metrics,
            readiness: Readiness::default(),
            leptos: LeptosOptions::builder().output_name("vincula").build(),
        })))
    }

    /// The same for pages that a page of ours may show in a frame.
    fn framed_by_us(&self) -> Self {
        let policy = self.policy.clone().framed_by_us();
        Self(Arc::new(Served { policy, ..Served::clone(self) }))
    }
}

/// Everything that answers.
pub fn router(state: AppState, site: &Site, sandbox: Option<&Sandbox>) -> Router {
    let context = {
        let state = state.clone();
        move || provide_context(state.clone())
    };
    let rehearsing = {
        let state = state.framed_by_us();
        move || provide_context(state.clone())
    };
    let not_found = render_app_async_with_context(context.clone(), shell);
    let stylesheet = Arc::<str>::from(state.assets.css.as_str());
    let limits = Limits::new(state.trusted_proxies.clone(), state.assets.css.clone(), state.metrics.clone());
    let pages = Router::new()
        .route(&format!("{}/{{action}}", routes::API), post(actions::unknown))
        .leptos_routes_with_context(&state, generate_route_list(App), context, shell)
        .route(routes::ENTRY, post(entry::post))
        .route(routes::WIDGET, post(consent::post))
        .route(routes::CANCEL_CONFIRM, post(cancel::post))
        .fallback(get(not_found))
        .layer(Share)
        .layer((from_fn_with_state(state.upstream.clone(), reading::list_ahead), Share))
        .layer((from_fn(actions::in_our_words), Share))
        // How often a link may act, and whether there is room.
        .layer((from_fn_with_state(limits.clone(), limits::per_token), Share))
        // Opens the session and sends people to the page that fits.
        .layer((from_fn_with_state(state.keeper.clone(), door::door), Share))
        // How often an address may act. Behind the origin, so that a foreign page uses up nobody's allowance.
        .layer((from_fn_with_state(limits, limits::per_address), Share))
        // Before anything acts: only our own pages may.
        .layer((from_fn_with_state(Arc::clone(&stylesheet), origin::same_origin), Share))
        // What no page of ours would send, or not at that pace, goes no further.
        .layer((from_fn_with_state(stylesheet, shape::sound), Share))
        .layer(compression::layer());
    let files = assets::router(site).merge(logo::router(state.theme.logo()));
    let reports = csp_report::router(state.trusted_proxies.clone());
    let everything =
        pages.merge(files).merge(health::router(state.readiness.clone())).merge(reports).with_state(state.clone());
    let stylesheet = state.assets.css.clone();
    let everything = match sandbox {
        Some(sandbox) => everything
            .merge(sandbox.pages())
            .merge(assets::sandbox_router(site))
            .merge(gallery::router(stylesheet.clone(), rehearsing)),
        None => everything,
    };
    around(everything, state.policy.clone(), state.metrics.clone(), stylesheet)
}

/// What every answer goes through, whoever gives it. Each layer shares what stands behind it.
fn around(router: Router, policy: Policy, metrics: Metrics, stylesheet: String) -> Router {
    router
        // A panic is a 500 with words, headers and a log line, and not a dropped connection.
        .layer((CatchPanicLayer::custom(panics::caught), Share))
        .layer((from_fn_with_state(Arc::<str>::from(stylesheet), panics::in_our_words), Share))
        .layer((from_fn_with_state(Arc::new(policy), policy::headers), Share))
        .layer((from_fn(log::access), Share))
        .layer((from_fn_with_state(metrics, measure::count), Share))
        .layer((from_fn(request_id::assign), Share))
}

/// Takes the address of a setting.
///
/// # Errors
/// Where the address cannot be listened on.
pub async fn listen(setting: &str, address: SocketAddr) -> anyhow::Result<TcpListener> {
    TcpListener::bind(address).await.map_err(|error| {
        anyhow::anyhow!("{setting} {address} cannot be listened on ({error}): expected a free address of this machine")
    })
}

/// Serves until asked to stop, then lets open requests finish, and calls of `upstream` that outlive theirs.
///
/// # Errors
/// Where the listener breaks.
pub async fn serve(
    router: Router,
    listener: TcpListener,
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
    listen::serve(router, listener, listen::Manners::default(), stop, last).await;
    Ok(())
}

/// Waits for SIGTERM or SIGINT. From then on the process is not ready; after SIGTERM it goes on taking connections for
/// `delay`, so that whoever spreads the traffic can look away first. A second signal ends the delay.
pub async fn asked_to_stop(readiness: Readiness, delay: Duration) {
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

fn unix_seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
