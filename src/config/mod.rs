//! The settings, read once at the start: one file and one struct for each concern.
#![allow(
    rustdoc::bare_urls,
    reason = "these texts are those of --help, where a link needs no brackets"
)]

mod brands;
mod calls;
mod connect;
mod content_policy;
mod listening;
mod log;
mod session;
mod site_files;
mod values;
mod widget_api;

pub use brands::BrandConfig;
pub use calls::CallConfig;
use clap::Parser;
pub use connect::ConnectConfig;
pub use content_policy::ContentPolicyConfig;
pub use listening::{DEFAULT_METRICS_ADDR, ListeningConfig};
pub use log::LogConfig;
pub use session::SessionConfig;
pub use site_files::SiteFiles;
pub use values::{Unshown, http_url, is_unencrypted};
pub use widget_api::{RealApi, WidgetApi, WidgetApiConfig};

use crate::session::Lifetime;

/// Vincula: the client of an accounting firm links bank accounts over Open Finance.
///
/// All settings are environment variables (or the options of the same meaning below).
#[derive(Debug, Clone, Parser)]
#[command(name = "vincula", version, about, max_term_width = 100)]
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
    content_policy: ContentPolicyConfig,
    #[command(flatten)]
    log: LogConfig,
}

/// A setting that is invalid by itself or together with another. The message names it, and what is
/// expected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidSetting(pub String);

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
    pub lifetime: Lifetime,
    pub connect: ConnectConfig,
    pub calls: CallConfig,
    pub brands: BrandConfig,
    pub content_policy: ContentPolicyConfig,
}

impl Config {
    /// Checks the values against each other. The error is the first one found.
    pub fn check(self) -> Result<Settings, InvalidSetting> {
        let api = self.widget_api.check(self.listening.listen_addr)?;
        self.listening.check()?;
        let lifetime = self.session.check()?;
        Ok(Settings {
            api,
            listening: self.listening,
            product: ProductConfig {
                lifetime,
                connect: self.connect,
                calls: self.calls,
                brands: self.brands,
                content_policy: self.content_policy,
            },
            log: self.log,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub fn parse(args: &[&str]) -> Result<Config, clap::Error> {
        Config::try_parse_from([&["vincula"], args].concat())
    }

    /// The settings of these options, which are valid.
    pub fn settings(args: &[&str]) -> Settings {
        parse(args).unwrap().check().unwrap()
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
}
