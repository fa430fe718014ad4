//! The state of the server, built once at the start.

use std::{
    sync::{Arc, Once},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use anyhow::Context;
use axum::extract::FromRef;
use leptos::config::LeptosOptions;
use reqwest::Url;
use tokio_util::sync::CancellationToken;
use vincula_domain::routes;
use vincula_pages::{Screen, Site, brands::Brands, built::Manifest};
use vincula_sandbox::{Sandbox, SandboxOptions};
use vincula_upstream::{Upstream, UpstreamConfig};

use crate::{
    config::{Config, InvalidSetting, RealApi, SiteFiles, WidgetApi},
    http::{
        Deliveries,
        client_address::TrustedProxies,
        limits::{DELIVERIES, DELIVERIES_PER_LINK},
        log::LogBudget,
        policy::Policy,
    },
    server::assets,
    session::{CookieKind, SessionCodec, SessionKeys},
    steps::{
        connect_settings::{BankCodes, ConnectSettings},
        evidence::Evidence,
    },
    telemetry::Metrics,
};

/// The widget API of a running server.
#[derive(Debug, Clone)]
pub enum Backend {
    /// The embedded sandbox, which has been started.
    Sandbox(Sandbox),
    Real(RealApi),
}

/// What depends on whether the widget API is real.
struct FromBackend {
    base: Url,
    keys: SessionKeys,
    proxies: TrustedProxies,
    cookie: CookieKind,
    connect_url: String,
    bank_codes: BankCodes,
    sandbox: Option<Sandbox>,
}

/// State of pages and actions; clones share it.
#[derive(Clone)]
pub struct AppState {
    /// The sandbox whose pages the server has; `None` with a real widget API.
    pub sandbox: Option<Sandbox>,
    pub codec: SessionCodec,
    pub upstream: Upstream,
    pub connect: Arc<ConnectSettings>,
    pub evidence: Arc<Evidence>,
    pub deliveries: Deliveries,
    /// Lines of failed islands.
    pub reports: LogBudget,
    pub site: Arc<Site>,
    pub brands: Arc<Brands>,
    pub policy: Policy,
    pub trusted_proxies: TrustedProxies,
    pub metrics: Metrics,
    /// Cancelled by the first signal to stop.
    pub draining: CancellationToken,
    pub leptos: LeptosOptions,
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
            WidgetApi::Sandbox => {
                let sandbox = Sandbox::start(options)
                    .await
                    .context("the sandbox needs a free port on 127.0.0.1")?;
                Ok(Self::Sandbox(sandbox))
            }
            WidgetApi::Real(real) => Ok(Self::Real(real)),
        }
    }
}

impl FromBackend {
    fn new(backend: Backend, config: &Config) -> Self {
        match backend {
            Backend::Sandbox(sandbox) => Self {
                base: sandbox
                    .api_url()
                    .parse()
                    .expect("the sandbox's address is a URL"),
                keys: SessionKeys::of_sandbox(),
                proxies: TrustedProxies::default(),
                cookie: CookieKind::of_sandbox(config.listen_addr.ip()),
                connect_url: format!("{}/connect", routes::SANDBOX),
                bank_codes: config.bank_codes.unwrap_or(BankCodes::Connector),
                sandbox: Some(sandbox),
            },
            Backend::Real(RealApi { url, keys, proxies }) => Self {
                base: url,
                keys,
                proxies,
                cookie: CookieKind::HostOnly,
                connect_url: config.pluggy_connect_url.to_string(),
                bank_codes: config.bank_codes.unwrap_or(BankCodes::Compe),
                sandbox: None,
            },
        }
    }
}

impl AppState {
    /// Builds the state. Fails if the site has not been built, or a setting is not usable.
    pub fn new(config: &Config, files: &SiteFiles, backend: Backend) -> anyhow::Result<Self> {
        let FromBackend {
            base,
            keys,
            proxies,
            cookie,
            connect_url,
            bank_codes,
            sandbox,
        } = FromBackend::new(backend, config);
        let upstream = Upstream::new(&UpstreamConfig {
            base,
            timeout: Duration::from_millis(config.upstream_timeout_ms),
            connect_timeout: Duration::from_millis(config.upstream_connect_timeout_ms),
        })?;
        let metrics = Metrics::new(upstream.metrics());
        let reloads = files.reload_port.is_some();
        let manifest = Manifest::load(&files.react, reloads).map_err(|error| {
            anyhow::anyhow!(
                "{} holds no built islands ({error}): run `make run` or `cargo leptos watch`",
                files.react.display()
            )
        })?;
        let reports = config.csp_report_uri.as_deref();
        let policy = Policy::new(
            &config.frame_ancestors,
            &connect_url,
            files.reload_port,
            reports,
        );
        let texts = &manifest.built().island(Screen::Consent.name()).texts;
        let privacy_url = config.privacy_url.as_ref().map(Url::to_string);
        let (logo, dir) = (config.theme_logo.as_deref(), config.brands_dir.as_deref());
        let brands =
            Brands::read(config.theme_primary, logo, privacy_url, dir).map_err(InvalidSetting)?;
        let brands = Arc::new(brands);
        let evidence = Evidence {
            is_sent: config.consent_evidence,
            proxies: proxies.clone(),
            // The texts of this version come first. It knows them even if docs/consent/ has no file
            // for them yet.
            texts: [&texts.usual, &texts.own]
                .into_iter()
                .chain(&texts.known)
                .cloned()
                .collect(),
            purposes: brands
                .firms
                .iter()
                .filter_map(|(id, face)| Some((id.to_string(), face.purpose.clone()?)))
                .collect(),
        };
        Ok(Self {
            sandbox,
            codec: SessionCodec::new(keys, cookie, config.session_lifetime(), unix_seconds),
            upstream,
            connect: Arc::new(ConnectSettings {
                url: connect_url,
                include_sandbox: config.pluggy_include_sandbox,
                products: config.pluggy_products.clone(),
                bank_codes,
                connector_types: config.connector_types,
                warned: Once::new(),
            }),
            evidence: Arc::new(evidence),
            deliveries: Deliveries::new(DELIVERIES, DELIVERIES_PER_LINK),
            reports: LogBudget::default(),
            site: Arc::new(Site {
                assets: assets::find(files),
                manifest,
                connect_origin: policy.connect_origin().map(str::to_owned),
                scheme: cookie.scheme(),
            }),
            brands,
            policy,
            trusted_proxies: proxies,
            metrics,
            draining: CancellationToken::new(),
            leptos: LeptosOptions::builder().output_name("vincula").build(),
        })
    }
}

pub fn unix_seconds() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs())
}
