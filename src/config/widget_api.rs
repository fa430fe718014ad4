//! The widget API that the product calls, and the settings that protect its clients.

use clap::Args;
use reqwest::Url;

use super::values::{Unshown, http_url};
use crate::{http::client_address::TrustedProxies, session::SessionKeys};

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Widget API")]
pub struct WidgetApiConfig {
    /// Base address of the widget API, for example https://api.example.com/widget. Required.
    /// sandbox: the embedded one, with invented clients.
    #[arg(long, env = "WIDGET_API_URL", value_parser = Unshown(widget_api))]
    pub widget_api_url: Option<WidgetApi>,

    /// Set by `cargo leptos watch`: the sandbox is the default.
    #[arg(long, env = "LEPTOS_WATCH", hide = true)]
    leptos_watch: Option<String>,

    /// Keys of the session cookie: comma-separated, each at least 128 hexadecimal digits (64
    /// bytes). The first encrypts, all decrypt. Required except on the sandbox. Make one with:
    /// openssl rand -hex 64.
    #[arg(
        long,
        env = "SESSION_KEYS",
        hide_env_values = true,
        value_parser = Unshown(SessionKeys::parse)
    )]
    session_keys: Option<SessionKeys>,

    /// The proxies in front of the product whose X-Forwarded-For is trusted: comma-separated
    /// addresses and networks, for example 10.0.0.0/8,2001:db8::1, or none on a
    /// developer's machine. Required except on the sandbox.
    #[arg(long, env = "TRUSTED_PROXIES")]
    trusted_proxies: Option<TrustedProxies>,
}

/// The widget API that the product calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WidgetApi {
    /// The embedded sandbox.
    Sandbox,
    Real(Url),
}

/// The settings that must fit the widget API.
#[derive(Debug)]
pub(super) struct RequiredSettings {
    pub api: WidgetApi,
    pub keys: SessionKeys,
    pub proxies: TrustedProxies,
}

fn widget_api(text: &str) -> Result<WidgetApi, String> {
    if text == "sandbox" {
        Ok(WidgetApi::Sandbox)
    } else {
        http_url(text)
            .map(WidgetApi::Real)
            .map_err(|error| format!("{error}, or sandbox"))
    }
}

impl WidgetApiConfig {
    /// Requires an address, and with a real widget API the keys and the proxies. The sessions of
    /// the sandbox hold invented people, so its key may be public. The errors are those of all
    /// settings that are missing.
    pub(super) fn check(self) -> Result<RequiredSettings, Vec<String>> {
        let watched = self.leptos_watch.map(|_| WidgetApi::Sandbox);
        let api = self.widget_api_url.or(watched);
        let is_sandbox = api == Some(WidgetApi::Sandbox);
        let keys = self.session_keys;
        let keys = keys.or_else(|| is_sandbox.then(SessionKeys::of_sandbox));
        let proxies = self.trusted_proxies;
        let proxies = proxies.or_else(|| is_sandbox.then(TrustedProxies::default));
        let missing = [
            (api.is_none(), NO_API),
            (keys.is_none(), NO_KEYS),
            (proxies.is_none(), NO_PROXIES),
        ];
        let (Some(api), Some(keys), Some(proxies)) = (api, keys, proxies) else {
            let missing = missing.iter().filter(|(is_missing, _)| *is_missing);
            return Err(missing.map(|(_, error)| (*error).to_owned()).collect());
        };
        Ok(RequiredSettings { api, keys, proxies })
    }
}

const NO_API: &str = "WIDGET_API_URL is required: expected the address of the widget API, \
                      for example https://api.example.com/widget, or sandbox for the embedded \
                      sandbox with invented clients";

const NO_KEYS: &str = "SESSION_KEYS is required, except on the sandbox: expected one or more keys \
                       of at least 128 hexadecimal digits, separated by commas (make one with: \
                       openssl rand -hex 64)";

const NO_PROXIES: &str = "TRUSTED_PROXIES is required, except on the sandbox: expected the \
                          addresses or networks of the proxies in front, separated by commas, \
                          or none on a developer's machine";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{config::tests::parse, tests::SESSION_KEY};

    const URL: [&str; 2] = ["--widget-api-url", "https://api.example.com/widget"];

    #[test]
    fn without_a_widget_api_the_error_names_both_ways() {
        for others in [
            &[][..],
            &["--session-keys", SESSION_KEY, "--trusted-proxies", "none"],
        ] {
            let error = parse(others).unwrap().check().unwrap_err().to_string();
            for part in [
                "WIDGET_API_URL is required",
                "https://api.example.com/widget",
                "sandbox",
            ] {
                assert!(error.contains(part), "{error}");
            }
            assert!(!error.contains(&SESSION_KEY[..8]), "{error}");
        }
    }

    #[test]
    fn sandbox_starts_by_its_name_and_under_cargo_leptos_watch() {
        let api = |args| parse(args).unwrap().check().unwrap().api;
        assert_eq!(api(&["--widget-api-url", "sandbox"]), WidgetApi::Sandbox);
        assert_eq!(api(&["--leptos-watch", "true"]), WidgetApi::Sandbox);
        let keys = ["--session-keys", SESSION_KEY, "--trusted-proxies", "none"];
        let real = [&URL[..], &keys, &["--leptos-watch", "true"]].concat();
        assert_ne!(api(&real), WidgetApi::Sandbox);
    }

    #[test]
    fn real_upstream_requires_keys_and_proxies() {
        let refused = |args: &[&str]| parse(args).unwrap().check().unwrap_err().to_string();
        assert!(refused(&URL).starts_with("SESSION_KEYS is required"));
        let keyed = [&URL[..], &["--session-keys", SESSION_KEY]].concat();
        assert!(refused(&keyed).starts_with("TRUSTED_PROXIES is required"));
        for proxies in ["none", "10.0.0.0/8"] {
            let real = [&keyed[..], &["--trusted-proxies", proxies]].concat();
            assert!(parse(&real).unwrap().check().is_ok());
        }
    }

    #[test]
    fn bad_keys_are_refused_without_repeating_them() {
        for keys in ["secret-but-short", &format!("{SESSION_KEY},abc")] {
            let error = parse(&["--session-keys", keys]).unwrap_err().to_string();
            for part in [
                "--session-keys <SESSION_KEYS>",
                "128 hexadecimal",
                "openssl rand",
            ] {
                assert!(error.contains(part), "{error}");
            }
            assert!(
                !error.contains("secret") && !error.contains(&SESSION_KEY[..8]),
                "{error}"
            );
        }
        assert!(
            !format!("{:?}", parse(&["--session-keys", SESSION_KEY]).unwrap())
                .contains(&SESSION_KEY[..8])
        );
    }
}
