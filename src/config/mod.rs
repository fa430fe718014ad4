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

use std::{env, ffi::OsStr, time::Duration};

pub use brands::BrandConfig;
pub use calls::CallConfig;
use clap::Args;
pub use connect::{BankCodes, ConnectConfig};
pub use connect_settings::ConnectSettings;
pub use listening::{DEFAULT_METRICS_ADDR, ListeningConfig};
pub use log::LogConfig;
pub use session::SessionConfig;
pub use site_files::SiteFiles;
pub use values::{InvalidSetting, Unshown, http_url, is_unencrypted};
use widget_api::RequiredSettings;
pub use widget_api::{WidgetApi, WidgetApiConfig};

use crate::{
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
    pub brands: BrandConfig,
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
    /// Checks the values against each other. The error is the first one found.
    pub fn check(self) -> Result<Settings, InvalidSetting> {
        let RequiredSettings { api, keys, proxies } = self.widget_api.check()?;
        self.listening.check()?;
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
                brands: self.brands,
            },
            log: self.log,
        })
    }
}

impl Settings {
    /// What is allowed but rarely intended in production.
    pub fn warnings(&self) -> Vec<String> {
        let WidgetApi::Real(url) = &self.api else {
            return Vec::new();
        };
        let mut warnings = Vec::new();
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
