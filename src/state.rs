//! The state of the server, built once at the start.

use std::{
    sync::{Arc, Once},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use axum::extract::FromRef;
use leptos::config::LeptosOptions;
use reqwest::Url;
use tokio_util::sync::CancellationToken;
use vincula_domain::routes;
use vincula_pages::{Site, View, brands::Brands, built::Manifest};
use vincula_sandbox::Sandbox;
use vincula_upstream::{Upstream, UpstreamConfig};

use crate::{
    config::{Config, SiteFiles},
    http::{
        Deliveries,
        client_address::TrustedProxies,
        limits::{DELIVERIES, DELIVERIES_PER_LINK},
        log::LogBudget,
        policy::Policy,
    },
    server::assets,
    session::{CookieKind, SessionCodec, SessionKeys},
    steps::{connect_settings::ConnectSettings, evidence::Evidence},
    telemetry::Metrics,
};

/// State of pages and actions; clones share it.
#[derive(Clone)]
pub struct AppState {
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

impl AppState {
    /// Builds the state. `sandbox` replaces the settings that the configuration lacks. Fails if the site has not been
    /// built, or the configuration is not usable.
    pub fn new(config: &Config, files: &SiteFiles, sandbox: Option<&Sandbox>) -> anyhow::Result<Self> {
        let api = sandbox.map(|sandbox| sandbox.api_url().parse()).transpose()?;
        let base = api.or_else(|| config.widget_api_url.clone());
        let base = base.ok_or_else(|| anyhow::anyhow!("neither WIDGET_API_URL nor the sandbox is there"))?;
        let upstream = Upstream::new(&UpstreamConfig {
            base,
            timeout: Duration::from_millis(config.upstream_timeout_ms),
            connect_timeout: Duration::from_millis(config.upstream_connect_timeout_ms),
            bank_list_ttl: Duration::from_secs(config.bank_list_ttl_secs),
        })?;
        let metrics = Metrics::new(upstream.metrics());
        let connect_url = match sandbox {
            Some(_) => format!("{}/connect", routes::SANDBOX),
            None => config.pluggy_connect_url.to_string(),
        };
        let keys = config.session_keys.clone().unwrap_or_else(SessionKeys::of_sandbox);
        let reloads = files.reload_port.is_some();
        let manifest = Manifest::load(&files.react, reloads).map_err(|error| {
            anyhow::anyhow!("{} holds no built islands ({error}): run `make run` or `make dev`", files.react.display())
        })?;
        let reports = config.csp_report_uri.as_deref();
        let policy = Policy::new(&config.frame_ancestors, &connect_url, files.reload_port, reports);
        let cookie = CookieKind::of(config.is_sandbox(), config.listen_addr.ip());
        let texts = &manifest.built().island(View::Consent.name()).texts;
        let proxies = config.trusted_proxies.clone().unwrap_or_default();
        let privacy_url = config.privacy_url.as_ref().map(Url::to_string);
        let (logo, dir) = (config.theme_logo.as_deref(), config.brands_dir.as_deref());
        let brands = Brands::read(config.theme_primary, logo, privacy_url, dir).map_err(anyhow::Error::msg)?;
        let brands = Arc::new(brands);
        let evidence = Evidence {
            is_sent: config.consent_evidence,
            proxies: proxies.clone(),
            // Those of this version come first: a build whose words have no file yet knows them, too.
            texts: [&texts.usual, &texts.own].into_iter().chain(&texts.known).cloned().collect(),
            purposes: brands
                .firms
                .iter()
                .filter_map(|(id, face)| Some((id.to_string(), face.purpose.clone()?)))
                .collect(),
        };
        Ok(Self {
            codec: SessionCodec::new(keys, cookie, config.session_lifetime(), unix_seconds),
            upstream,
            connect: Arc::new(ConnectSettings {
                url: connect_url,
                include_sandbox: config.pluggy_include_sandbox,
                products: config.pluggy_products.clone(),
                bank_codes: config.bank_codes(),
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
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
