//! The settings, read once at the start.
#![allow(
    rustdoc::bare_urls,
    reason = "these texts are those of --help, where a link needs no brackets"
)]

mod collector;
mod site_files;
mod values;
mod widget_api;

use std::{
    net::{AddrParseError, SocketAddr},
    path::PathBuf,
    time::Duration,
};

use clap::Parser;
pub use collector::CollectorConfig;
use reqwest::Url;
pub use site_files::SiteFiles;
pub use values::{Unshown, http_url, is_unencrypted};
use values::{product, report_uri, source_list};
use vincula_pages::brands::{Color, https_url};
pub use widget_api::{RealApi, WidgetApi};

use crate::{
    http::client_address::TrustedProxies,
    session::{Lifetime, SessionKeys},
    steps::connect_settings::{BankCodes, ConnectorTypes},
    telemetry::log::LogFormat,
};

/// Vincula: the client of an accounting firm links bank accounts over Open Finance.
///
/// All settings are environment variables (or the options of the same meaning below).
#[derive(Debug, Clone, Parser)]
#[command(name = "vincula", version, about, max_term_width = 100)]
pub struct Config {
    /// Base address of the widget API, for example https://api.example.com/widget. Absent: the embedded sandbox, which
    /// does not start if SESSION_KEYS or TRUSTED_PROXIES is set.
    #[arg(long, env = "WIDGET_API_URL", value_parser = Unshown(http_url))]
    widget_api_url: Option<Url>,

    /// Address to listen on.
    #[arg(long, env = "LISTEN_ADDR", default_value = "127.0.0.1:3000")]
    pub listen_addr: SocketAddr,

    /// Keys of the session cookie: comma-separated, each at least 128 hexadecimal digits (64 bytes). The first seals,
    /// all open. Required with a real widget API. Make one with: openssl rand -hex 64.
    #[arg(long, env = "SESSION_KEYS", hide_env_values = true, value_parser = Unshown(SessionKeys::parse))]
    session_keys: Option<SessionKeys>,

    /// Seconds after the last use until a session ends.
    #[arg(long, env = "SESSION_IDLE_SECS", default_value_t = 7200, value_parser = clap::value_parser!(u64).range(120..=604_800))]
    pub session_idle_secs: u64,

    /// Seconds after its link was opened until a session ends, however much it is used. Not less than SESSION_IDLE_SECS.
    #[arg(long, env = "SESSION_MAX_SECS", default_value_t = 43_200, value_parser = clap::value_parser!(u64).range(120..=604_800))]
    pub session_max_secs: u64,

    /// Address of Pluggy Connect.
    #[arg(long, env = "PLUGGY_CONNECT_URL", default_value = "https://connect.pluggy.ai", value_parser = Unshown(http_url))]
    pub pluggy_connect_url: Url,

    /// Whether Connect offers its test banks too: true or false. Set it to false in production.
    #[arg(long, env = "PLUGGY_INCLUDE_SANDBOX", default_value_t = true, action = clap::ArgAction::Set)]
    pub pluggy_include_sandbox: bool,

    /// The only data that Connect asks the bank for: Pluggy's names, separated by commas. Those of the consent.
    #[arg(long, env = "PLUGGY_PRODUCTS", value_delimiter = ',', default_value = "ACCOUNTS,TRANSACTIONS", value_parser = product)]
    pub pluggy_products: Vec<String>,

    /// What the bank list's codes are. compe: COMPE codes, and Connect asks for the bank once more. connector: ids of
    /// Pluggy's connectors, and Connect opens at the chosen bank. Absent: compe; on the embedded sandbox connector.
    #[arg(long, env = "BANK_CODES", value_enum)]
    pub bank_codes: Option<BankCodes>,

    /// Which connectors Connect lists. by-client: those for companies or those for individuals, by the client's document.
    #[arg(long, env = "CONNECTOR_TYPES", value_enum, default_value_t = ConnectorTypes::All)]
    pub connector_types: ConnectorTypes,

    /// Longest time for one call to the widget API, in milliseconds.
    #[arg(long, env = "UPSTREAM_TIMEOUT_MS", default_value_t = 1_800_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub upstream_timeout_ms: u64,

    /// Longest time to connect to the widget API, in milliseconds.
    #[arg(long, env = "UPSTREAM_CONNECT_TIMEOUT_MS", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub upstream_connect_timeout_ms: u64,

    /// The proxies in front of us whose X-Forwarded-For is trusted: comma-separated addresses and networks, for example
    /// 10.0.0.0/8,2001:db8::1, or none if clients connect directly. Required with a real widget API.
    #[arg(long, env = "TRUSTED_PROXIES")]
    trusted_proxies: Option<TrustedProxies>,

    /// Sites that may show the product in a frame: a CSP source list, for example "'self' https://portal.example.com".
    #[arg(long, env = "FRAME_ANCESTORS", default_value = "'none'", value_parser = source_list)]
    pub frame_ancestors: String,

    /// The firm's primary colour as #rrggbb, in place of petrol. One on which no text is readable is rejected.
    #[arg(long, env = "THEME_PRIMARY")]
    pub theme_primary: Option<Color>,

    /// The firm's logo in place of ours: path of an SVG or PNG file of at most 100 kB, read once at the start.
    #[arg(long, env = "THEME_LOGO")]
    pub theme_logo: Option<PathBuf>,

    /// A folder with the brand of each firm, by customer_id: brand.json, and logo.svg or logo.png. Read once at the
    /// start.
    #[arg(long, env = "BRANDS_DIR")]
    pub brands_dir: Option<PathBuf>,

    /// Whether the widget API gets the evidence of a consent, in headers: the client's address, the browser and the
    /// SHA-256 of the text: true or false.
    #[arg(long, env = "CONSENT_EVIDENCE", default_value_t = true, action = clap::ArgAction::Set)]
    pub consent_evidence: bool,

    /// The privacy policy to link on the consent: an https:// address.
    #[arg(long, env = "PRIVACY_URL", value_parser = Unshown(https_url))]
    pub privacy_url: Option<Url>,

    /// Where browsers report what the content policy has blocked: an https:// address, or a path that the proxy serves.
    /// Absent: nowhere.
    #[arg(long, env = "CSP_REPORT_URI", value_parser = Unshown(report_uri))]
    pub csp_report_uri: Option<String>,

    /// Whether the embedded sandbox may be served on an address that others can reach: true or false.
    #[arg(long, env = "SANDBOX_PUBLIC", default_value_t = false, action = clap::ArgAction::Set)]
    pub sandbox_public: bool,

    /// Address of /metrics for Prometheus, apart from the product; empty: none. Keep it from the public.
    #[arg(long, env = "METRICS_ADDR", default_value = DEFAULT_METRICS_ADDR, value_parser = metrics_addr)]
    pub metrics_addr: MetricsAddr,

    /// Seconds for which the process still accepts connections after SIGTERM, while /readyz responds with 503.
    #[arg(long, env = "SHUTDOWN_DELAY_SECS", default_value_t = 0, value_parser = clap::value_parser!(u64).range(0..=300))]
    pub shutdown_delay_secs: u64,

    #[command(flatten)]
    pub collector: CollectorConfig,

    /// Filter of the log, in the form of tracing's EnvFilter, for example "info,vincula=debug".
    #[arg(long, env = "RUST_LOG", default_value = "info")]
    pub rust_log: String,

    /// Format of the log lines.
    #[arg(long, env = "LOG_FORMAT", value_enum, default_value_t = LogFormat::Text)]
    pub log_format: LogFormat,
}

/// The port of OpenTelemetry's exporters in Prometheus's list of ports, which has none for Vincula.
pub const DEFAULT_METRICS_ADDR: &str = "127.0.0.1:9464";

/// An address, or none. For clap, a field that is an `Option` by name would be one that may be absent.
type MetricsAddr = Option<SocketAddr>;

fn metrics_addr(text: &str) -> Result<MetricsAddr, AddrParseError> {
    if text.is_empty() {
        Ok(None)
    } else {
        text.parse().map(Some)
    }
}

/// A setting that is invalid by itself or together with another. The message names it, and what is
/// expected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidSetting(pub String);

/// Settings that fit each other.
#[derive(Debug, Clone)]
pub struct Settings {
    pub api: WidgetApi,
    /// The settings that do not depend on the widget API.
    pub config: Config,
}

impl Config {
    /// Checks the values against each other.
    pub fn check(mut self) -> Result<Settings, InvalidSetting> {
        let api = WidgetApi::of(
            self.widget_api_url.take(),
            self.session_keys.take(),
            self.trusted_proxies.take(),
        )?;
        let listen = self.listen_addr;
        if let Some(metrics) = self.metrics_addr
            && overlap(metrics, listen)
        {
            return Err(InvalidSetting(format!(
                "METRICS_ADDR is {metrics}, which LISTEN_ADDR, {listen}, takes: expected another port"
            )));
        }
        let idle = self.session_idle_secs;
        let longest = self.session_max_secs;
        if longest < idle {
            return Err(InvalidSetting(format!(
                "SESSION_MAX_SECS is {longest}, less than SESSION_IDLE_SECS, which is {idle}: expected at least as many \
                 seconds, or a shorter idle time"
            )));
        }
        if api.is_sandbox() && !listen.ip().is_loopback() && !self.sandbox_public {
            return Err(InvalidSetting(format!(
                "LISTEN_ADDR is {listen}, which others can reach, but WIDGET_API_URL is not set: expected the address of \
                 the widget API, or a loopback LISTEN_ADDR, or SANDBOX_PUBLIC=true to show the sandbox to everybody"
            )));
        }
        Ok(Settings { api, config: self })
    }

    pub fn session_lifetime(&self) -> Lifetime {
        Lifetime {
            idle: Duration::from_secs(self.session_idle_secs),
            longest: Duration::from_secs(self.session_max_secs),
        }
    }
}

/// Whether only one of two addresses can be listened on. The system chooses a free port for port 0.
fn overlap(one: SocketAddr, other: SocketAddr) -> bool {
    let [a, b] = [one.ip(), other.ip()];
    one.port() == other.port()
        && one.port() != 0
        && (a == b || a.is_unspecified() || b.is_unspecified())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::SESSION_KEY;

    fn parse(args: &[&str]) -> Result<Config, clap::Error> {
        Config::try_parse_from([&["vincula"], args].concat())
    }

    #[test]
    fn absent_settings_have_their_defaults() {
        let Settings { api, config } = parse(&[]).unwrap().check().unwrap();
        assert!(api.is_sandbox());
        assert_eq!(config.listen_addr.to_string(), "127.0.0.1:3000");
        let life = config.session_lifetime();
        assert_eq!(
            (life.idle, life.longest),
            (Duration::from_secs(7_200), Duration::from_secs(43_200))
        );
        assert_eq!(
            config.pluggy_connect_url.as_str(),
            "https://connect.pluggy.ai/"
        );
        assert!(config.pluggy_include_sandbox);
        assert_eq!(config.pluggy_products, ["ACCOUNTS", "TRANSACTIONS"]);
        assert_eq!(
            (
                config.upstream_timeout_ms,
                config.upstream_connect_timeout_ms
            ),
            (1_800_000, 10_000)
        );
        assert_eq!(config.bank_codes, None);
        assert_eq!(config.connector_types, ConnectorTypes::All);
        assert_eq!(config.frame_ancestors, "'none'");
        assert!(
            config.theme_primary.is_none()
                && config.theme_logo.is_none()
                && config.brands_dir.is_none()
        );
        assert!(config.privacy_url.is_none() && config.csp_report_uri.is_none());
        assert_eq!(
            config.metrics_addr.unwrap().to_string(),
            DEFAULT_METRICS_ADDR
        );
        assert_eq!(parse(&["--metrics-addr", ""]).unwrap().metrics_addr, None);
    }

    #[test]
    fn bad_values_are_refused_with_their_name() {
        for (option, value) in [
            ("--widget-api-url", "ftp://api"),
            ("--widget-api-url", "https://user:pass@api"),
            ("--session-idle-secs", "119"),
            ("--upstream-timeout-ms", "0"),
            ("--trusted-proxies", "proxy.example"),
            ("--frame-ancestors", "'self'; script-src *"),
            ("--theme-primary", "petrol"),
            ("--privacy-url", "http://firm.example/privacy"),
            ("--privacy-url", "https://user@firm.example"),
            ("--csp-report-uri", "http://reports.example"),
            ("--csp-report-uri", "https://reports.example/;script-src *"),
            ("--csp-report-uri", "/a,b"),
            ("--csp-report-uri", "/\""),
            ("--metrics-addr", "9464"),
            ("--shutdown-delay-secs", "301"),
        ] {
            let error = parse(&[option, value]).unwrap_err().to_string();
            assert!(error.contains(option), "{option} {value:?}: {error}");
        }
    }

    #[test]
    fn errors_do_not_repeat_a_secret_in_an_address() {
        for option in [
            "--widget-api-url",
            "--pluggy-connect-url",
            "--privacy-url",
            "--csp-report-uri",
        ] {
            for value in [
                "http://user:s3cret@api",
                "http://api:port/?k=s3cret",
                "ftp://s3cret",
                "s3cret",
            ] {
                let error = parse(&[option, value]).unwrap_err().to_string();
                assert!(
                    error.contains(option) && error.contains("expected"),
                    "{option}: {error}"
                );
                assert!(
                    error.ends_with('\n') && !error.contains("s3cret"),
                    "{option}: {error}"
                );
            }
        }
    }

    #[test]
    fn real_upstream_requires_keys_and_proxies() {
        let url = ["--widget-api-url", "https://api.example.com/widget"];
        let refused = |args: &[&str]| parse(args).unwrap().check().unwrap_err().to_string();
        assert!(refused(&url).starts_with("SESSION_KEYS is required"));
        let keyed = [&url[..], &["--session-keys", SESSION_KEY]].concat();
        assert!(refused(&keyed).starts_with("TRUSTED_PROXIES is required"));
        for proxies in ["none", "10.0.0.0/8"] {
            let real = parse(&[&keyed[..], &["--trusted-proxies", proxies]].concat())
                .unwrap()
                .check()
                .unwrap();
            assert!(!real.api.is_sandbox());
        }
    }

    #[test]
    fn settings_of_production_do_not_start_the_sandbox() {
        let keys = ["--session-keys", SESSION_KEY];
        let proxies = ["--trusted-proxies", "none"];
        let public = ["--sandbox-public", "true"];
        for (args, set) in [
            (keys.to_vec(), "SESSION_KEYS is set"),
            (proxies.to_vec(), "TRUSTED_PROXIES is set"),
            (
                [keys, proxies].concat(),
                "SESSION_KEYS and TRUSTED_PROXIES are set",
            ),
            ([keys, public].concat(), "SESSION_KEYS is set"),
        ] {
            let error = parse(&args).unwrap().check().unwrap_err().to_string();
            assert!(error.starts_with("WIDGET_API_URL is required"), "{error}");
            assert!(error.contains(set), "{error}");
            assert!(!error.contains(&SESSION_KEY[..8]), "{error}");
        }
    }

    #[test]
    fn metrics_have_an_address_of_their_own() {
        let check = |listen, metrics| {
            let addresses = [
                "--listen-addr",
                listen,
                "--metrics-addr",
                metrics,
                "--sandbox-public",
                "true",
            ];
            parse(&addresses).unwrap().check().is_ok()
        };
        for (listen, metrics, fits) in [
            ("127.0.0.1:3000", "127.0.0.1:3000", false),
            ("0.0.0.0:3000", "127.0.0.1:3000", false),
            ("127.0.0.1:3000", "[::]:3000", false),
            ("127.0.0.1:3000", "127.0.0.1:3001", true),
            ("127.0.0.1:3000", "127.0.0.2:3000", true),
            ("127.0.0.1:0", "127.0.0.1:0", true),
            ("127.0.0.1:3000", "", true),
        ] {
            assert_eq!(check(listen, metrics), fits, "{listen} and {metrics:?}");
        }
    }

    #[test]
    fn bad_keys_are_refused_without_repeating_them() {
        for (keys, why) in [
            ("secret-but-short", "128 hexadecimal"),
            (&format!("{SESSION_KEY},abc"), "128 hexadecimal"),
            (&"56".repeat(64), "can be guessed"),
            (
                &format!("{SESSION_KEY},{}", "56".repeat(64)),
                "can be guessed",
            ),
        ] {
            let error = parse(&["--session-keys", keys]).unwrap_err().to_string();
            assert!(
                error.contains("--session-keys <SESSION_KEYS>") && error.contains(why),
                "{error}"
            );
            assert!(
                !error.contains("secret")
                    && !error.contains("5656")
                    && !error.contains(&SESSION_KEY[..8]),
                "{error}"
            );
        }
        assert!(
            !format!("{:?}", parse(&["--session-keys", SESSION_KEY]).unwrap())
                .contains(&SESSION_KEY[..8])
        );
    }

    #[test]
    fn rejects_session_lifetime_below_idle_time() {
        let seconds = |idle, longest| {
            parse(&["--session-idle-secs", idle, "--session-max-secs", longest])
                .unwrap()
                .check()
        };
        assert!(seconds("3600", "3600").is_ok());
        let error = seconds("3600", "3599").unwrap_err().to_string();
        assert!(
            error.starts_with(
                "SESSION_MAX_SECS is 3599, less than SESSION_IDLE_SECS, which is 3600"
            ),
            "{error}"
        );
    }

    #[test]
    fn sandbox_rejects_public_address_by_default() {
        let open = ["--listen-addr", "0.0.0.0:3000"];
        let error = parse(&open).unwrap().check().unwrap_err().to_string();
        assert!(
            error.starts_with("LISTEN_ADDR is 0.0.0.0:3000, which others can reach"),
            "{error}"
        );
        assert!(
            parse(&[&open[..], &["--sandbox-public", "true"]].concat())
                .unwrap()
                .check()
                .is_ok()
        );
    }
}
