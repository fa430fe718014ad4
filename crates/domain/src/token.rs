//! The credentials for the widget API: the token of a link, and the XSRF token.

use secrecy::{ExposeSecret, SecretString};

/// Longest token of a link, in bytes.
const MAX_LINK_BYTES: usize = 2048;

/// Longest XSRF token, in bytes. The cookie of a session has room for one.
pub const MAX_XSRF_BYTES: usize = 512;

/// The bearer token of a link: 1 to 2048 visible ASCII characters, so that it fits a header.
/// `Debug` hides it.
#[derive(Debug, Clone)]
pub struct LinkToken(SecretString);

impl PartialEq for LinkToken {
    fn eq(&self, other: &Self) -> bool {
        self.expose() == other.expose()
    }
}

impl Eq for LinkToken {}

/// The upstream's `XSRF-TOKEN` cookie, sent back as cookie and as `X-XSRF-TOKEN`: 1 to 512 visible
/// ASCII characters. `Debug` hides it.
#[derive(Debug, Clone)]
pub struct XsrfToken(SecretString);

impl PartialEq for XsrfToken {
    fn eq(&self, other: &Self) -> bool {
        self.expose() == other.expose()
    }
}

impl Eq for XsrfToken {}

impl LinkToken {
    /// Returns the token, or `None` if it does not fit a header.
    pub fn parse(text: &str) -> Option<Self> {
        is_header_safe(text, MAX_LINK_BYTES).then(|| Self(text.into()))
    }

    /// The raw token, for the upstream client and the sealed cookie only.
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }
}

impl XsrfToken {
    /// Returns the token, or `None` if it cannot be sent back in a cookie. Quotes around a value
    /// belong to it, as in browsers.
    pub fn parse(text: &str) -> Option<Self> {
        (is_header_safe(text, MAX_XSRF_BYTES) && !text.contains(';')).then(|| Self(text.into()))
    }

    /// The raw value, for the upstream client and the sealed cookie only.
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }
}

fn is_header_safe(text: &str, longest: usize) -> bool {
    !text.is_empty() && text.len() <= longest && text.bytes().all(|b| b.is_ascii_graphic())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn debug_output_omits_token() {
        let shown = format!(
            "{:?} {:?}",
            LinkToken::parse("secret"),
            XsrfToken::parse("secret")
        );
        assert!(!shown.contains("secret"), "{shown}");
    }

    #[test]
    fn limits_lengths_of_tokens() {
        let parsed = |length| {
            let text = "x".repeat(length);
            [
                LinkToken::parse(&text).is_some(),
                XsrfToken::parse(&text).is_some(),
            ]
        };
        assert_eq!(
            [512, 513, 2048, 2049].map(parsed),
            [[true; 2], [true, false], [true, false], [false; 2]]
        );
    }

    proptest! {
        #[test]
        fn accepts_only_visible_ascii_tokens(text in "\\PC{0,40}|[!-~]{1,60}|[\\x00-\\x7f]{0,20}") {
            let fits = !text.is_empty() && text.bytes().all(|b| (0x21..=0x7e).contains(&b));
            prop_assert!(LinkToken::parse(&"x".repeat(MAX_LINK_BYTES + 1)).is_none() && XsrfToken::parse("a;b").is_none());
            let token = LinkToken::parse(&text);
            prop_assert_eq!(token.is_some(), fits);
            if let Some(token) = token {
                prop_assert_eq!(token.expose(), &*text);
                let header = http::HeaderValue::from_str(&format!("Bearer {text}"));
                prop_assert!(header.is_ok());
            }
        }
    }
}
