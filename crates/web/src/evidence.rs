//! What proves a consent: where it came from, and to which text (docs/decisions/0049).

use std::sync::Arc;

use axum::http::{header::USER_AGENT, request::Parts};
use vincula_domain::wire::AcceptConsent;
use vincula_upstream::{ConsentEvidence, Id};

use crate::{browser, http::client_address::TrustedProxies};

/// How consents are proved.
#[derive(Clone, Default)]
pub struct Evidence {
    /// Whether the evidence is sent; the session and its receipt keep the text's version anyway.
    pub is_sent: bool,
    /// Tell the client's address.
    pub proxies: TrustedProxies,
    /// SHA-256, in hexadecimal digits, of each text of the consent that was ever shown.
    pub texts: Vec<String>,
    /// The purposes that firms say themselves.
    pub purposes: Option<Arc<dyn Purposes>>,
}

/// Where the purposes are that firms say themselves.
pub trait Purposes: Send + Sync {
    /// The sentence that this firm's consent shows, if it has these digits.
    fn sentence(&self, firm: &Id, digits: &str) -> Option<String>;
}

/// What a client saw.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shown {
    /// SHA-256 of the text, in hexadecimal digits. Pages of an earlier version name none.
    sha256: Option<String>,
    /// What stood in the place for the firm's own purpose.
    purpose: Option<String>,
}

impl Evidence {
    /// What the page of this firm showed that names its text so ([`AcceptConsent::text`]). A closed list: no page can name
    /// another text, or another purpose than the firm's.
    pub fn shown(&self, text: Option<&str>, firm: &Id) -> Option<Shown> {
        let Some(text) = text else { return Some(Shown::default()) };
        let (text, purpose) = text.split_once('-').map_or((text, None), |(text, purpose)| (text, Some(purpose)));
        let is_it = |hash: &&String| hash.get(..AcceptConsent::TEXT_DIGITS) == Some(text);
        let sha256 = self.texts.iter().find(is_it)?.clone();
        let purpose = match purpose {
            Some(digits) => Some(self.purposes.as_ref()?.sentence(firm, digits)?),
            None => None,
        };
        Some(Shown { sha256: Some(sha256), purpose })
    }

    /// What goes to the upstream with a consent. Unknown parts are left out.
    pub fn of(&self, parts: &Parts, shown: Shown) -> ConsentEvidence {
        if !self.is_sent {
            return ConsentEvidence::default();
        }
        let user_agent = parts.headers.get(USER_AGENT).and_then(|value| value.to_str().ok());
        ConsentEvidence {
            client_address: self.proxies.address_of(parts),
            browser: user_agent.map(browser::family),
            text_sha256: shown.sha256,
            purpose: shown.purpose,
        }
    }
}

impl Shown {
    /// The first 32 bits of the text's hash, as the session keeps them; 0 if the page named none.
    pub fn version(&self) -> u32 {
        let digits = self.sha256.as_deref().and_then(|hash| hash.get(..AcceptConsent::TEXT_DIGITS));
        digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct OfFirm(&'static str);

    impl Purposes for OfFirm {
        fn sentence(&self, firm: &Id, digits: &str) -> Option<String> {
            (firm.to_string() == self.0 && digits == "00c0ffee").then(|| "para o balanço.".to_owned())
        }
    }

    fn firm(id: &str) -> Id {
        serde_json::from_value(serde_json::json!(id)).unwrap()
    }

    #[test]
    fn only_a_text_that_was_shown_is_found_by_its_first_digits() {
        let hash = "1f2e3d4c5b6a".to_owned();
        let purposes: Arc<dyn Purposes> = Arc::new(OfFirm("a"));
        let evidence =
            Evidence { texts: vec!["0".repeat(64), hash.clone()], purposes: Some(purposes), ..Evidence::default() };
        let shown = |text: &str, id: &str| evidence.shown(Some(text), &firm(id));
        let plain = Shown { sha256: Some(hash.clone()), purpose: None };
        assert_eq!((plain.version(), shown("1f2e3d4c", "a")), (0x1f2e_3d4c, Some(plain)));
        let own = Shown { sha256: Some(hash), purpose: Some("para o balanço.".to_owned()) };
        assert_eq!(shown("1f2e3d4c-00c0ffee", "a"), Some(own));
        let none = Shown::default();
        assert_eq!((none.version(), evidence.shown(None, &firm("a"))), (0, Some(none)));
        for (unknown, id) in [
            ("", "a"),
            ("1f2e3d4", "a"),
            ("1f2e3d4c5", "a"),
            ("1F2E3D4C", "a"),
            ("ffffffff", "a"),
            ("é", "a"),
            ("1f2e3d4c-", "a"),
            ("1f2e3d4c-00c0ffef", "a"),
            ("1f2e3d4c-00c0ffee-", "a"),
            ("ffffffff-00c0ffee", "a"),
            ("1f2e3d4c-00c0ffee", "b"),
        ] {
            assert_eq!(shown(unknown, id), None, "{unknown}");
        }
        assert_eq!(Evidence { purposes: None, ..evidence.clone() }.shown(Some("1f2e3d4c-00c0ffee"), &firm("a")), None);
    }
}
