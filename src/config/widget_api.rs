//! The widget API that the settings name, with the settings that it requires.

use reqwest::Url;

use super::InvalidSetting;
use crate::{http::client_address::TrustedProxies, session::SessionKeys};

/// The widget API that the product calls.
#[derive(Debug, Clone)]
pub enum WidgetApi {
    /// The embedded sandbox. Its sessions hold invented people, so its key may be public.
    Sandbox,
    Real(RealApi),
}

/// A widget API with real clients, and the settings that protect them.
#[derive(Debug, Clone)]
pub struct RealApi {
    pub url: Url,
    pub keys: SessionKeys,
    pub proxies: TrustedProxies,
}

impl WidgetApi {
    /// All three settings, or none of them. The sandbox never replaces a widget API whose address has been forgotten or
    /// misspelt.
    pub(super) fn of(
        url: Option<Url>,
        keys: Option<SessionKeys>,
        proxies: Option<TrustedProxies>,
    ) -> Result<Self, InvalidSetting> {
        let error = match (url, keys, proxies) {
            (None, None, None) => return Ok(Self::Sandbox),
            (Some(url), Some(keys), Some(proxies)) => return Ok(Self::Real(RealApi { url, keys, proxies })),
            (None, keys, proxies) => {
                let set = match (keys, proxies) {
                    (Some(_), Some(_)) => "SESSION_KEYS and TRUSTED_PROXIES are set",
                    (Some(_), None) => "SESSION_KEYS is set",
                    (None, _) => "TRUSTED_PROXIES is set",
                };
                format!(
                    "WIDGET_API_URL is required when {set}: expected the address of the widget API, for example \
                     https://api.example.com/widget, or neither SESSION_KEYS nor TRUSTED_PROXIES for the embedded sandbox"
                )
            }
            (Some(_), None, _) => "SESSION_KEYS is required when WIDGET_API_URL is set: expected one or more keys of at \
                                   least 128 hexadecimal digits, separated by commas (make one with: openssl rand -hex 64)"
                .to_owned(),
            (Some(_), Some(_), None) => "TRUSTED_PROXIES is required when WIDGET_API_URL is set: expected the addresses \
                                         or networks of the proxies in front, separated by commas, or none if clients \
                                         connect directly"
                .to_owned(),
        };
        Err(InvalidSetting(error))
    }

    pub fn is_sandbox(&self) -> bool {
        matches!(self, Self::Sandbox)
    }
}
