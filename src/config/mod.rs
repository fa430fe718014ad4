//! The settings, read once at the start: one file and one struct for each concern.
#![allow(
    clippy::doc_markdown,
    rustdoc::bare_urls,
    reason = "these texts are those of --help, which shows no Markdown"
)]

mod brands;
mod calls;
mod connect;
mod connect_settings;
mod listening;
mod log;
mod session;
mod site_files;
mod values;
mod widget_api;

use std::{env, ffi::OsStr, sync::Arc, time::Duration};

use brands::BrandConfig;
pub use calls::CallConfig;
use clap::Args;
pub use connect::{BankCodes, ConnectConfig};
pub use connect_settings::ConnectSettings;
pub use listening::{DEFAULT_METRICS_ADDR, ListeningConfig};
pub use log::LogConfig;
pub use session::SessionConfig;
pub use site_files::SiteFiles;
pub use values::{InvalidSettings, Unshown, http_url, is_unencrypted};
use widget_api::RequiredSettings;
pub use widget_api::{WidgetApi, WidgetApiConfig};

use crate::{
    brands::Brands,
    http::client_address::TrustedProxies,
    session::{CookieKind, SessionKeys},
};

/// All settings, as read.
#[derive(Debug, Clone, Args)]
pub struct Config {
    #[command(flatten)]
    pub widget_api: WidgetApiConfig,
    #[command(flatten)]
    pub listening: ListeningConfig,
    #[command(flatten)]
    session: SessionConfig,
    #[command(flatten)]
    connect: ConnectConfig,
    #[command(flatten)]
    calls: CallConfig,
    #[command(flatten)]
    brands: BrandConfig,
    #[command(flatten)]
    log: LogConfig,
}

/// Settings that fit each other, by who needs them.
#[derive(Debug, Clone)]
pub struct Settings {
    pub api: WidgetApi,
    pub listening: ListeningConfig,
    pub product: ProductConfig,
    pub log: LogConfig,
}

/// What pages and actions depend on besides the widget API.
#[derive(Debug, Clone)]
pub struct ProductConfig {
    pub keys: SessionKeys,
    pub cookie: CookieKind,
    /// How long a session lives.
    pub session_secs: Duration,
    pub proxies: TrustedProxies,
    pub connect: ConnectConfig,
    pub calls: CallConfig,
    pub brands: Arc<Brands>,
}

/// A variable of the environment that cargo-leptos sets, not an operator. Empty counts as absent.
#[expect(clippy::disallowed_methods, reason = "this module reads the settings")]
fn from_env(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

/// Whether a variable of the environment is there, but empty, as blank lines of container files leave
/// it.
pub fn is_empty_variable(name: &OsStr) -> bool {
    env::var_os(name).is_some_and(|value| value.is_empty())
}

impl Config {
    /// Checks the values against each other, and reads the brands. The error names all that is
    /// wrong.
    pub fn check(self) -> Result<Settings, InvalidSettings> {
        let mut errors = Vec::new();
        let required = self.widget_api.check();
        let required = required.map_err(|missing| errors.extend(missing));
        let brands = self.brands.read().map_err(|error| errors.push(error));
        let addresses = self.listening.check().map_err(|error| errors.push(error));
        let (Ok(required), Ok(brands), Ok(())) = (required, brands, addresses) else {
            return Err(InvalidSettings(errors));
        };
        let RequiredSettings { api, keys, proxies } = required;
        let cookie = match api {
            WidgetApi::Sandbox => CookieKind::of_sandbox(self.listening.listen_addr.ip()),
            WidgetApi::Real(_) => CookieKind::HostOnly,
        };
        Ok(Settings {
            api,
            listening: self.listening,
            product: ProductConfig {
                keys,
                cookie,
                session_secs: self.session.session_secs,
                proxies,
                connect: self.connect,
                calls: self.calls,
                brands: Arc::new(brands),
            },
            log: self.log,
        })
    }
}

/// A time-out that was probably meant in seconds.
const SHORT: Duration = Duration::from_secs(1);

impl Settings {
    /// What is allowed but rarely intended in production.
    pub fn warnings(&self) -> Vec<String> {
        let unused = self.product.brands.unused.iter();
        let mut warnings: Vec<String> = unused
            .map(|unused| format!("BRANDS_DIR: {unused}"))
            .collect();
        let WidgetApi::Real(url) = &self.api else {
            return warnings;
        };
        if self.product.connect.pluggy_include_sandbox {
            warnings.push(
                "PLUGGY_INCLUDE_SANDBOX is true: clients are offered Pluggy's test banks; set it \
                 to false in production"
                    .to_owned(),
            );
        }
        if is_unencrypted(url) {
            warnings.push(
                "WIDGET_API_URL is http: tokens cross the network unencrypted; expected https"
                    .to_owned(),
            );
        }
        let timeout = self.product.calls.upstream_timeout_ms;
        if timeout < SHORT {
            warnings.push(format!(
                "UPSTREAM_TIMEOUT_MS is {}: few calls end so soon; expected milliseconds, for \
                 example 30000",
                timeout.as_millis()
            ));
        }
        for network in self.product.proxies.public_networks() {
            warnings.push(format!(
                "TRUSTED_PROXIES has the public network {network}: whoever has an address in it can \
                 claim any other; expected the proxies in front alone"
            ));
        }
        warnings
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::{cli::Cli, tests::SESSION_KEY};

    pub const SANDBOX: [&str; 2] = ["--widget-api-url", "sandbox"];

    pub fn parse(args: &[&str]) -> Result<Config, clap::Error> {
        Cli::try_parse_from([&["vincula"], args].concat()).map(|cli| cli.config)
    }

    /// The settings of these options on the sandbox.
    pub fn settings(args: &[&str]) -> Settings {
        parse(&[&SANDBOX, args].concat()).unwrap().check().unwrap()
    }

    #[test]
    fn warns_of_test_banks_and_of_unencrypted_tokens() {
        let real = |url, banks| {
            let protected = ["--session-keys", SESSION_KEY, "--trusted-proxies", "none"];
            let more = ["--widget-api-url", url, "--pluggy-include-sandbox", banks];
            let config = parse(&[&protected[..], &more].concat()).unwrap();
            config.check().unwrap().warnings().len()
        };
        assert_eq!(real("http://api.example", "true"), 2);
        assert_eq!(real("https://api.example", "true"), 1);
        assert_eq!(real("http://127.0.0.1:4000", "false"), 0);
        assert!(settings(&[]).warnings().is_empty());
    }

    #[test]
    fn warns_of_time_out_under_a_second() {
        let warnings = |ms| {
            let real = ["--widget-api-url", "https://api.example"];
            let more = ["--session-keys", SESSION_KEY, "--trusted-proxies", "none"];
            let options = [
                "--pluggy-include-sandbox",
                "false",
                "--upstream-timeout-ms",
                ms,
            ];
            let config = parse(&[&real[..], &more, &options].concat()).unwrap();
            config.check().unwrap().warnings()
        };
        assert_eq!(warnings("1000"), [""; 0]);
        let [warning] = &warnings("30")[..] else {
            panic!("one warning")
        };
        assert!(
            warning.starts_with("UPSTREAM_TIMEOUT_MS is 30: "),
            "{warning}"
        );
    }

    #[test]
    fn error_names_everything_that_is_wrong() {
        let options = [
            "--brands-dir",
            "/nowhere",
            "--metrics-addr",
            "127.0.0.1:3000",
            "--listen-addr",
            "127.0.0.1:3000",
        ];
        let InvalidSettings(errors) = parse(&options).unwrap().check().unwrap_err();
        let names = errors
            .iter()
            .map(|error| error.split([' ', ':']).next().unwrap());
        assert_eq!(
            names.collect::<Vec<_>>(),
            [
                "WIDGET_API_URL",
                "SESSION_KEYS",
                "TRUSTED_PROXIES",
                "BRANDS_DIR",
                "METRICS_ADDR"
            ]
        );
    }

    #[test]
    fn warns_of_public_networks_as_proxies() {
        let warnings = |proxies| {
            let real = ["--widget-api-url", "https://api.example"];
            let more = ["--session-keys", SESSION_KEY, "--trusted-proxies", proxies];
            let banks = ["--pluggy-include-sandbox", "false"];
            let config = parse(&[&real[..], &more, &banks].concat()).unwrap();
            config.check().unwrap().warnings()
        };
        assert_eq!(warnings("10.0.0.0/8,203.0.113.7"), [""; 0]);
        let [warning] = &warnings("10.0.0.0/8,173.245.48.0/20")[..] else {
            panic!("one warning")
        };
        assert!(warning.contains("TRUSTED_PROXIES") && warning.contains("173.245.48.0/20"));
    }

    #[test]
    fn errors_of_values_give_an_example() {
        for (option, value, example) in [
            ("--listen-addr", "localhost:3000", "127.0.0.1:3000"),
            ("--metrics-addr", "9464", "127.0.0.1:3000"),
            ("--upstream-timeout-ms", "30s", "30000"),
            ("--session-secs", "4h", "14400"),
            ("--trusted-proxies", "proxy.example", "10.0.0.0/8"),
            ("--trusted-proxies", "0.0.0.0/0", "10.0.0.0/8"),
            ("--trusted-proxies", "10.0.0.0/8,::/0", "or none"),
            ("--rust-log", "a=b=c", "info,vincula=debug"),
            ("--rust-log", "inf", "info,vincula=debug"),
            ("--rust-log", "", "info,vincula=debug"),
        ] {
            let error = parse(&[option, value]).unwrap_err().to_string();
            assert!(
                error.contains(option) && error.contains(example),
                "{option}: {error}"
            );
        }
    }

    #[test]
    fn bad_values_are_refused_with_their_name() {
        for (option, value) in [
            ("--widget-api-url", "ftp://api"),
            ("--widget-api-url", "https://user:pass@api"),
            ("--session-secs", "119"),
            ("--upstream-timeout-ms", "0"),
            ("--trusted-proxies", "proxy.example"),
            ("--metrics-addr", "9464"),
        ] {
            let error = parse(&[option, value]).unwrap_err().to_string();
            assert!(error.contains(option), "{option} {value:?}: {error}");
        }
    }

    #[test]
    fn errors_do_not_repeat_a_secret_in_an_address() {
        for option in ["--widget-api-url", "--pluggy-connect-url"] {
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
}
