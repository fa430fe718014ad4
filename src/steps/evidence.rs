//! What proves a consent: where it came from, and to which text. An unknown value is left out,
//! never guessed.

use std::collections::HashMap;

use axum::http::{header::USER_AGENT, request::Parts};
use vincula_domain::wire::AcceptConsent;
use vincula_pages::brands::Purpose;
use vincula_upstream::{ConsentEvidence, Id};

use crate::http::client_address::TrustedProxies;

/// Longest User-Agent that is kept, in characters.
const MAX_USER_AGENT: usize = 200;

/// The settings of the evidence.
#[derive(Clone, Default)]
pub struct Evidence {
    /// Whether the evidence is sent; the session and its receipt keep the text's version anyway.
    pub is_sent: bool,
    /// The proxies whose headers state the client's address.
    pub proxies: TrustedProxies,
    /// SHA-256, in hexadecimal digits, of each text of the consent that was ever shown.
    pub texts: Vec<String>,
    /// The purposes that firms have set themselves, by the firm's id.
    pub purposes: HashMap<String, Purpose>,
}

impl Evidence {
    /// Looks up the text that the firm's page showed. `text` is as in [`AcceptConsent::text`].
    ///
    /// Returns the first 32 bits of the text's hash, which the session stores, and the evidence for
    /// the upstream. Returns `None` if the text was never shown, or if the purpose is not the
    /// firm's.
    pub fn of(&self, parts: &Parts, text: &str, firm: &Id) -> Option<(u32, ConsentEvidence)> {
        let (text, purpose) = text
            .split_once('-')
            .map_or((text, None), |(text, purpose)| (text, Some(purpose)));
        let text_sha256 = self
            .texts
            .iter()
            .find(|hash| hash.get(..AcceptConsent::TEXT_DIGITS) == Some(text))?;
        let version = u32::from_str_radix(text, 16).ok()?;
        let own = self.purposes.get(&firm.to_string());
        if own.map(|own| own.sha256.as_str()) != purpose {
            return None;
        }
        let evidence = self.is_sent.then(|| ConsentEvidence {
            client_address: self.proxies.address_of(parts),
            browser: browser_of(parts),
            text_sha256: Some(text_sha256.clone()),
            purpose: own.map(|own| own.sentence.clone()),
        });
        Some((version, evidence.unwrap_or_default()))
    }
}

/// The visible characters of the browser's User-Agent, up to a limit.
fn browser_of(parts: &Parts) -> Option<String> {
    let bytes = parts.headers.get(USER_AGENT)?.as_bytes().iter();
    let visible = bytes
        .filter(|byte| matches!(byte, b' '..=b'~'))
        .map(|byte| char::from(*byte));
    Some(
        visible
            .take(MAX_USER_AGENT)
            .collect::<String>()
            .trim()
            .to_owned(),
    )
    .filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use axum::http::Request;

    use super::*;

    fn firm(id: &str) -> Id {
        serde_json::from_value(serde_json::json!(id)).unwrap()
    }

    #[test]
    fn the_browser_is_the_visible_part_of_its_user_agent() {
        let browser = |value: &[u8]| {
            let request = Request::get("/").header(USER_AGENT, value);
            browser_of(&request.body(()).unwrap().into_parts().0)
        };
        assert_eq!(
            browser(b"Mozilla/5.0 (X11)").as_deref(),
            Some("Mozilla/5.0 (X11)")
        );
        assert_eq!(browser(b"a\tb\xc3\xa9c").as_deref(), Some("abc"));
        assert_eq!(
            browser(&[b'x'; 300]).map(|text| text.len()),
            Some(MAX_USER_AGENT)
        );
        assert_eq!(browser(b"\xe9 "), None);
    }

    #[test]
    fn only_a_text_that_was_shown_is_found_by_its_first_digits() {
        let hash = "1f2e3d4c5b6a".to_owned();
        let purpose = Purpose {
            sentence: "para o balanço.".to_owned(),
            sha256: "00c0ffee".to_owned(),
        };
        let purposes = HashMap::from([("a".to_owned(), purpose)]);
        let evidence = Evidence {
            is_sent: true,
            texts: vec!["0".repeat(64), hash.clone()],
            purposes,
            ..Evidence::default()
        };
        let (parts, ()) = Request::new(()).into_parts();
        let shown = |text: &str, id: &str| evidence.of(&parts, text, &firm(id));
        let of = |purpose: Option<&str>| {
            let purpose = purpose.map(str::to_owned);
            Some((
                0x1f2e_3d4c,
                ConsentEvidence {
                    text_sha256: Some(hash.clone()),
                    purpose,
                    ..ConsentEvidence::default()
                },
            ))
        };
        assert_eq!(shown("1f2e3d4c", "b"), of(None));
        assert_eq!(shown("1f2e3d4c-00c0ffee", "a"), of(Some("para o balanço.")));
        for (unknown, id) in [
            ("", "b"),
            ("1f2e3d4c", "a"),
            ("1f2e3d4", "b"),
            ("1f2e3d4c5", "b"),
            ("1F2E3D4C", "b"),
            ("ffffffff", "b"),
            ("é", "b"),
            ("1f2e3d4c-00c0ffef", "a"),
            ("ffffffff-00c0ffee", "a"),
            ("1f2e3d4c-00c0ffee", "b"),
        ] {
            assert_eq!(shown(unknown, id), None, "{unknown}");
        }
        let plain = Evidence {
            purposes: HashMap::new(),
            ..evidence.clone()
        };
        assert_eq!(plain.of(&parts, "1f2e3d4c-00c0ffee", &firm("a")), None);
        assert_eq!(
            Evidence {
                is_sent: false,
                ..plain
            }
            .of(&parts, "1f2e3d4c", &firm("a")),
            Some((0x1f2e_3d4c, ConsentEvidence::default()))
        );
    }
}
