//! The widget API that the product calls, and the settings that protect its clients.

use std::net::SocketAddr;

use clap::Args;
use reqwest::Url;

use super::{
    InvalidSetting,
    values::{Unshown, http_url},
};
use crate::{
    http::client_address::TrustedProxies,
    session::{CookieKind, SessionKeys},
};

#[derive(Debug, Clone, Args)]
pub struct WidgetApiConfig {
    /// Base address of the widget API, for example https://api.example.com/widget. Absent: the
    /// embedded sandbox, which does not start if SESSION_KEYS or TRUSTED_PROXIES is set.
    #[arg(long, env = "WIDGET_API_URL", value_parser = Unshown(http_url))]
    widget_api_url: Option<Url>,

    /// Keys of the session cookie: comma-separated, each at least 128 hexadecimal digits (64
    /// bytes). The first encrypts, all decrypt. Required with a real widget API. Make one with:
    /// openssl rand -hex 64.
    #[arg(
        long,
        env = "SESSION_KEYS",
        hide_env_values = true,
        value_parser = Unshown(SessionKeys::parse)
    )]
    session_keys: Option<SessionKeys>,

    /// The proxies in front of the product whose X-Forwarded-For is trusted: comma-separated
    /// addresses and networks, for example 10.0.0.0/8,2001:db8::1, or none if clients connect
    /// directly. Required with a real widget API.
    #[arg(long, env = "TRUSTED_PROXIES")]
    trusted_proxies: Option<TrustedProxies>,

    /// Whether the embedded sandbox may be served on an address that others can reach: true or
    /// false.
    #[arg(
        long,
        env = "SANDBOX_PUBLIC",
        default_value_t = false,
        action = clap::ArgAction::Set
    )]
    pub sandbox_public: bool,
}

/// The widget API that the product calls.
#[derive(Debug, Clone)]
pub enum WidgetApi {
    /// The embedded sandbox. Its sessions hold invented people, so its key may be public. The kind
    /// of its cookies depends on who can reach it.
    Sandbox(CookieKind),
    Real(RealApi),
}

/// A widget API with real clients, and the settings that protect them.
#[derive(Debug, Clone)]
pub struct RealApi {
    pub url: Url,
    pub keys: SessionKeys,
    pub proxies: TrustedProxies,
}

impl WidgetApiConfig {
    /// The widget API of a product that listens on this address. The address of a real one, its
    /// keys and its proxies are set together or not at all, so that the sandbox never replaces a
    /// widget API whose address has been forgotten or misspelt.
    pub(super) fn check(self, listen: SocketAddr) -> Result<WidgetApi, InvalidSetting> {
        match (
            self.widget_api_url,
            self.session_keys,
            self.trusted_proxies,
        ) {
            (Some(url), Some(keys), Some(proxies)) => {
                Ok(WidgetApi::Real(RealApi { url, keys, proxies }))
            }
            (Some(_), None, _) => Err(InvalidSetting(
                "SESSION_KEYS is required when WIDGET_API_URL is set: expected one or more keys of \
                 at least 128 hexadecimal digits, separated by commas (make one with: \
                 openssl rand -hex 64)"
                    .to_owned(),
            )),
            (Some(_), Some(_), None) => Err(InvalidSetting(
                "TRUSTED_PROXIES is required when WIDGET_API_URL is set: expected the addresses or \
                 networks of the proxies in front, separated by commas, or none if clients connect \
                 directly"
                    .to_owned(),
            )),
            (None, Some(_), Some(_)) => {
                Err(address_required("SESSION_KEYS and TRUSTED_PROXIES are set"))
            }
            (None, Some(_), None) => Err(address_required("SESSION_KEYS is set")),
            (None, None, Some(_)) => Err(address_required("TRUSTED_PROXIES is set")),
            (None, None, None) if !listen.ip().is_loopback() && !self.sandbox_public => {
                Err(InvalidSetting(format!(
                    "LISTEN_ADDR is {listen}, which others can reach, but WIDGET_API_URL is not \
                     set: expected the address of the widget API, or a loopback LISTEN_ADDR, or \
                     SANDBOX_PUBLIC=true to show the sandbox to everybody"
                )))
            }
            (None, None, None) => Ok(WidgetApi::Sandbox(CookieKind::of_sandbox(listen.ip()))),
        }
    }
}

/// The error for settings of production without the widget API's address. `set` is the beginning of
/// the sentence's condition.
fn address_required(set: &str) -> InvalidSetting {
    InvalidSetting(format!(
        "WIDGET_API_URL is required when {set}: expected the address of the widget API, for \
         example https://api.example.com/widget, or neither SESSION_KEYS nor TRUSTED_PROXIES for \
         the embedded sandbox"
    ))
}

impl WidgetApi {
    pub fn is_sandbox(&self) -> bool {
        matches!(self, Self::Sandbox(_))
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        config::tests::{parse, settings},
        tests::SESSION_KEY,
    };

    #[test]
    fn sandbox_is_used_by_default() {
        assert!(settings(&[]).api.is_sandbox());
    }

    #[test]
    fn real_upstream_requires_keys_and_proxies() {
        let url = ["--widget-api-url", "https://api.example.com/widget"];
        let refused = |args: &[&str]| parse(args).unwrap().check().unwrap_err().to_string();
        assert!(refused(&url).starts_with("SESSION_KEYS is required"));
        let keyed = [&url[..], &["--session-keys", SESSION_KEY]].concat();
        assert!(refused(&keyed).starts_with("TRUSTED_PROXIES is required"));
        for proxies in ["none", "10.0.0.0/8"] {
            let real = settings(&[&keyed[..], &["--trusted-proxies", proxies]].concat());
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
