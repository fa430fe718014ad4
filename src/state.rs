//! The state of the server, built once at the start.

use std::{
    ops::Deref,
    sync::{Arc, Once},
    time::{SystemTime, UNIX_EPOCH},
};

use anyhow::Context;
use axum::extract::FromRef;
use leptos::config::LeptosOptions;
use reqwest::Url;
use tokio_util::sync::CancellationToken;
use vincula_sandbox::{Sandbox, SandboxOptions};
use vincula_upstream::{MAX_CALLS, Upstream, UpstreamConfig};

use crate::{
    brands::Brands,
    config::ConnectSettings,
    config::{BankCodes, ConnectConfig, ProductConfig, SiteFiles, WidgetApi},
    http::{client_address::TrustedProxies, policy::Policy},
    routes,
    session::SessionCodec,
    site::{Manifest, Site},
    telemetry::Metrics,
};

/// Why no client of the widget API can be made.
pub const NO_CERTIFICATES: &str =
    "TLS needs CA certificates (on Debian: apt install ca-certificates)";

/// The widget API of a running server.
#[derive(Debug, Clone)]
pub enum Backend {
    /// The embedded sandbox, which has been started.
    Sandbox(Sandbox),
    Real(Url),
}

/// What depends on whether the widget API is real.
struct BackendSettings {
    base: Url,
    connect_url: String,
    bank_codes: BankCodes,
    sandbox: Option<Sandbox>,
}

/// State of pages and actions; clones share it.
#[derive(Clone)]
pub struct AppState(Arc<Shared>);

/// What the clones of an [`AppState`] share.
#[cfg_attr(test, derive(Clone))]
pub struct Shared {
    /// The sandbox whose pages the server has; `None` with a real widget API.
    pub sandbox: Option<Sandbox>,
    pub codec: SessionCodec,
    pub upstream: Upstream,
    pub connect: Arc<ConnectSettings>,
    /// Whether a consent is sent with its evidence.
    pub sends_consent_evidence: bool,
    pub site: Arc<Site>,
    pub brands: Arc<Brands>,
    pub policy: Policy,
    pub trusted_proxies: TrustedProxies,
    pub metrics: Metrics,
    /// Cancelled by the first signal to stop.
    pub draining: CancellationToken,
    pub leptos: LeptosOptions,
}

impl Deref for AppState {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

impl FromRef<AppState> for LeptosOptions {
    fn from_ref(state: &AppState) -> Self {
        state.leptos.clone()
    }
}

impl Backend {
    /// Starts the sandbox with these options, unless there is a real widget API.
    pub async fn start(api: WidgetApi, options: SandboxOptions) -> anyhow::Result<Self> {
        match api {
            WidgetApi::Sandbox => Sandbox::start(options)
                .await
                .context("the sandbox needs a free port on 127.0.0.1")
                .map(Self::Sandbox),
            WidgetApi::Real(url) => Ok(Self::Real(url)),
        }
    }
}

impl BackendSettings {
    fn new(backend: Backend, connect: &ConnectConfig) -> Self {
        match backend {
            Backend::Sandbox(sandbox) => Self {
                base: sandbox
                    .api_url()
                    .parse()
                    .expect("the sandbox's address is a URL"),
                connect_url: format!("{}/connect", routes::SANDBOX),
                bank_codes: connect.bank_codes.unwrap_or(BankCodes::Connector),
                sandbox: Some(sandbox),
            },
            Backend::Real(url) => Self {
                base: url,
                connect_url: connect.pluggy_connect_url.to_string(),
                bank_codes: connect.bank_codes.unwrap_or(BankCodes::Compe),
                sandbox: None,
            },
        }
    }
}

impl AppState {
    /// Builds the state. Fails if a setting is not usable.
    pub fn new(
        config: &ProductConfig,
        files: &SiteFiles,
        manifest: Manifest,
        backend: Backend,
    ) -> anyhow::Result<Self> {
        let ProductConfig {
            keys,
            cookie,
            session_secs,
            proxies,
            connect,
            calls,
            brands,
        } = config;
        let BackendSettings {
            base,
            connect_url,
            bank_codes,
            sandbox,
        } = BackendSettings::new(backend, connect);
        let upstream = Upstream::new(&UpstreamConfig {
            base,
            timeout: calls.upstream_timeout_ms,
            max_calls: MAX_CALLS,
        })
        .context(NO_CERTIFICATES)?;
        let metrics = Metrics::new(upstream.metrics(), unix_seconds());
        let policy = Policy::new(&connect_url, files.reload_port);
        let leptos = files.leptos_options();
        Ok(Self(Arc::new(Shared {
            sandbox,
            codec: SessionCodec::new(keys.clone(), *cookie, *session_secs, unix_seconds),
            upstream,
            connect: Arc::new(ConnectSettings {
                url: connect_url,
                include_sandbox: connect.pluggy_include_sandbox,
                bank_codes,
                warned: Once::new(),
            }),
            sends_consent_evidence: calls.consent_evidence,
            site: Arc::new(Site {
                manifest,
                options: leptos.clone(),
                connect_origin: policy.connect_origin().map(str::to_owned),
                scheme: cookie.scheme(),
            }),
            brands: Arc::clone(brands),
            policy,
            trusted_proxies: proxies.clone(),
            metrics,
            draining: CancellationToken::new(),
            leptos,
        })))
    }
}

#[cfg(test)]
impl AppState {
    /// The same state with another client of the widget API.
    pub fn with_upstream(&self, upstream: Upstream) -> Self {
        Self(Arc::new(Shared {
            upstream,
            ..Shared::clone(self)
        }))
    }
}

/// The list of React's built files. Fails with instructions if a file that a document names cannot be
/// read.
pub fn manifest(files: &SiteFiles) -> anyhow::Result<Manifest> {
    Manifest::load(files).context(
        "the built site is not complete: install the whole folder that `make dist` leaves, readable \
         by the user of the service; in a checkout, run `make run`",
    )
}

/// The time in seconds since 1970.
pub fn unix_seconds() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs())
}
