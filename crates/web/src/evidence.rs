//! What proves a consent: where it came from, and to which text (docs/decisions/0049).

use axum::http::{header::USER_AGENT, request::Parts};
use vincula_domain::wire::AcceptConsent;
use vincula_upstream::ConsentEvidence;

use crate::{browser, http::client_address::TrustedProxies};

/// How consents are proved.
#[derive(Debug, Clone, Default)]
pub struct Evidence {
    /// Whether the evidence is sent; the session and its receipt keep the text's version anyway.
    pub is_sent: bool,
    /// Tell the client's address.
    pub proxies: TrustedProxies,
    /// SHA-256, in hexadecimal digits, of each text of the consent that was ever shown.
    pub texts: Vec<String>,
}

impl Evidence {
    /// The hash that begins with the digits of a page. A closed list: no page can name another.
    pub fn text(&self, shown: &str) -> Option<&str> {
        let is_it = |hash: &&String| hash.get(..AcceptConsent::TEXT_DIGITS) == Some(shown);
        self.texts.iter().find(is_it).map(String::as_str)
    }

    /// What goes to the upstream with a consent. Unknown parts are left out.
    pub fn of(&self, parts: &Parts, text: Option<&str>) -> ConsentEvidence {
        if !self.is_sent {
            return ConsentEvidence::default();
        }
        let user_agent = parts.headers.get(USER_AGENT).and_then(|value| value.to_str().ok());
        ConsentEvidence {
            client_address: self.proxies.address_of(parts),
            browser: user_agent.map(browser::family),
            text_sha256: text.and_then(|text| self.text(text)).map(str::to_owned),
        }
    }
}

/// The first 32 bits of the hash that begins with these digits, as the session keeps them; 0 if there are none.
pub fn version(shown: Option<&str>) -> u32 {
    shown.and_then(|digits| u32::from_str_radix(digits, 16).ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_text_that_was_shown_is_found_by_its_first_digits() {
        let hash = "1f2e3d4c5b6a".to_owned();
        let evidence = Evidence { texts: vec!["0".repeat(64), hash.clone()], ..Evidence::default() };
        assert_eq!(evidence.text("1f2e3d4c"), Some(&*hash));
        for unknown in ["", "1f2e3d4", "1f2e3d4c5", "1F2E3D4C", "ffffffff", "é"] {
            assert_eq!(evidence.text(unknown), None, "{unknown}");
        }
        assert_eq!((version(Some("1f2e3d4c")), version(None)), (0x1f2e_3d4c, 0));
    }
}
