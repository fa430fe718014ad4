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

/// Removes what no token contains, and what mail programs and chats add to one: blanks, line breaks
/// and invisible characters, also if they were percent-encoded twice.
pub fn without_additions(text: &str) -> String {
    let visible: String = text.chars().filter(char::is_ascii_graphic).collect();
    let mut parts = visible.split('%');
    let mut token = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_at_checked(2) {
            Some((hex, rest)) if is_escaped_addition(hex) => token.push_str(rest),
            _ => {
                token.push('%');
                token.push_str(part);
            }
        }
    }
    token
}

fn is_escaped_addition(hex: &str) -> bool {
    hex.bytes().all(|digit| digit.is_ascii_hexdigit())
        && u8::from_str_radix(hex, 16).is_ok_and(|byte| !byte.is_ascii_graphic())
}

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
    fn removes_only_what_no_token_contains() {
        for addition in [
            " ",
            "\t",
            "\r\n",
            "\u{a0}",
            "\u{200b}",
            "\u{202c}",
            "\u{feff}",
            "\u{ad}",
            "\0",
            "é",
            "%20",
            "%0D%0A",
            "%c2%a0",
            "%E2%80%8B",
        ] {
            for text in [
                format!("{addition}eyJ.a_b-9=="),
                format!("eyJ.a_b-9=={addition}"),
                format!("{addition}eyJ.{addition}a_b{addition}-9=={addition}"),
            ] {
                assert_eq!(without_additions(&text), "eyJ.a_b-9==", "{text:?}");
            }
            assert_eq!(without_additions(addition), "");
        }
        for token in ["100%", "%", "%2", "%zz", "%41%2B", "a%%b", "~!#[]%7E"] {
            assert_eq!(without_additions(token), token);
        }
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
