//! What proves a consent: where it came from, and to which text. An unknown value is left out, never guessed.

use std::sync::Arc;

use axum::http::{header::USER_AGENT, request::Parts};
use vincula_domain::wire::AcceptConsent;
use vincula_upstream::{ConsentEvidence, Id};

use crate::http::client_address::TrustedProxies;

/// Longest User-Agent that is kept, in characters.
const MAX_USER_AGENT: usize = 200;

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
    /// What this firm's consent shows, if the firm says something itself.
    fn of(&self, firm: &Id) -> Option<Purpose>;
}

/// A purpose in the firm's own words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Purpose {
    pub sentence: String,
    /// By which a page names it.
    pub digits: String,
}

/// What a client saw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// SHA-256 of the text, in hexadecimal digits.
    sha256: String,
    /// What stood in the place for the firm's own purpose.
    purpose: Option<String>,
}

impl Evidence {
    /// What the page of this firm showed that names its text so ([`AcceptConsent::text`]). A closed list: no page can name
    /// another text, or another purpose than the firm's, or leave either out.
    pub fn shown(&self, text: &str, firm: &Id) -> Option<Shown> {
        let (text, digits) = text.split_once('-').map_or((text, None), |(text, digits)| (text, Some(digits)));
        let is_it = |hash: &&String| hash.get(..AcceptConsent::TEXT_DIGITS) == Some(text);
        let sha256 = self.texts.iter().find(is_it)?.clone();
        let own = self.purposes.as_ref().and_then(|purposes| purposes.of(firm));
        let is_shown = own.as_ref().map(|own| own.digits.as_str()) == digits;
        is_shown.then(|| Shown { sha256, purpose: own.map(|own| own.sentence) })
    }

    /// What goes to the upstream with a consent. Unknown parts are left out.
    pub fn of(&self, parts: &Parts, shown: Shown) -> ConsentEvidence {
        if !self.is_sent {
            return ConsentEvidence::default();
        }
        ConsentEvidence {
            client_address: self.proxies.address_of(parts),
            browser: browser_of(parts),
            text_sha256: Some(shown.sha256),
            purpose: shown.purpose,
        }
    }
}

/// The visible characters of the browser's User-Agent, up to a limit.
fn browser_of(parts: &Parts) -> Option<String> {
    let bytes = parts.headers.get(USER_AGENT)?.as_bytes().iter();
    let visible = bytes.filter(|byte| matches!(byte, b' '..=b'~')).map(|byte| char::from(*byte));
    Some(visible.take(MAX_USER_AGENT).collect::<String>().trim().to_owned()).filter(|text| !text.is_empty())
}

impl Shown {
    /// The first 32 bits of the text's hash, as the session keeps them.
    pub fn version(&self) -> u32 {
        let digits = self.sha256.get(..AcceptConsent::TEXT_DIGITS);
        digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct OfFirm(&'static str);

    impl Purposes for OfFirm {
        fn of(&self, firm: &Id) -> Option<Purpose> {
            let purpose = Purpose { sentence: "para o balanço.".to_owned(), digits: "00c0ffee".to_owned() };
            (firm.to_string() == self.0).then_some(purpose)
        }
    }

    fn firm(id: &str) -> Id {
        serde_json::from_value(serde_json::json!(id)).unwrap()
    }

    #[test]
    fn the_browser_is_the_visible_part_of_its_user_agent() {
        let browser = |value: &[u8]| {
            let request = axum::http::Request::get("/").header(USER_AGENT, value);
            browser_of(&request.body(()).unwrap().into_parts().0)
        };
        assert_eq!(browser(b"Mozilla/5.0 (X11)").as_deref(), Some("Mozilla/5.0 (X11)"));
        assert_eq!(browser(b"a\tb\xc3\xa9c").as_deref(), Some("abc"));
        assert_eq!(browser(&[b'x'; 300]).map(|text| text.len()), Some(MAX_USER_AGENT));
        assert_eq!(browser(b"\xe9 "), None);
    }

    #[test]
    fn only_a_text_that_was_shown_is_found_by_its_first_digits() {
        let hash = "1f2e3d4c5b6a".to_owned();
        let purposes: Arc<dyn Purposes> = Arc::new(OfFirm("a"));
        let evidence =
            Evidence { texts: vec!["0".repeat(64), hash.clone()], purposes: Some(purposes), ..Evidence::default() };
        let shown = |text: &str, id: &str| evidence.shown(text, &firm(id));
        let plain = Shown { sha256: hash.clone(), purpose: None };
        assert_eq!((plain.version(), shown("1f2e3d4c", "b")), (0x1f2e_3d4c, Some(plain)));
        let own = Shown { sha256: hash, purpose: Some("para o balanço.".to_owned()) };
        assert_eq!(shown("1f2e3d4c-00c0ffee", "a"), Some(own));
        for (unknown, id) in [
            ("", "a"),
            ("", "b"),
            ("1f2e3d4c", "a"),
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
        assert_eq!(Evidence { purposes: None, ..evidence.clone() }.shown("1f2e3d4c-00c0ffee", &firm("a")), None);
    }
}
