//! The upstream's XSRF token: read from its cookie, sent back as cookie and header.

use std::time::SystemTime;

use cookie::Cookie;
use percent_encoding::percent_decode_str;
use reqwest::header::{HeaderMap, SET_COOKIE};
use vincula_domain::token::XsrfToken;

const XSRF_COOKIE: &str = "XSRF-TOKEN";

/// `X-XSRF-TOKEN` in lower case, as `HeaderName::from_static` requires.
pub(super) const XSRF_HEADER: &str = "x-xsrf-token";

/// What a response does to the token.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum XsrfChange {
    /// The token stays: the response has no `XSRF-TOKEN` cookie, or one that no request sends back.
    #[default]
    None,
    Set(XsrfToken),
    /// The cookie is empty or has expired.
    Deleted,
}

impl XsrfChange {
    /// The token after the response, if it was `before` until then.
    pub fn apply(self, before: Option<XsrfToken>) -> Option<XsrfToken> {
        match self {
            Self::None => before,
            Self::Set(token) => Some(token),
            Self::Deleted => None,
        }
    }
}

/// What the cookies of a response do to the token. The last one wins.
pub(super) fn change_of(headers: &HeaderMap, now: SystemTime) -> XsrfChange {
    let last = headers.get_all(SET_COOKIE).iter().rev().find_map(|header| {
        // No other cookie needs to be text.
        let text = String::from_utf8_lossy(header.as_bytes());
        let cookie = Cookie::parse(text).ok()?;
        (cookie.name() == XSRF_COOKIE).then(|| change_to(&cookie, now))
    });
    last.unwrap_or_default()
}

/// What the `XSRF-TOKEN` cookie does to the token.
fn change_to(cookie: &Cookie, now: SystemTime) -> XsrfChange {
    if cookie.value_trimmed().is_empty() || has_expired(cookie, now) {
        return XsrfChange::Deleted;
    }
    match XsrfToken::parse(cookie.value()) {
        Some(token) => XsrfChange::Set(token),
        None => {
            let bytes = cookie.value().len();
            tracing::warn!(bytes, "an XSRF-TOKEN cookie that no request can send back");
            XsrfChange::None
        }
    }
}

/// `Max-Age` has precedence over `Expires` (RFC 6265, section 4.1.2.2).
fn has_expired(cookie: &Cookie, now: SystemTime) -> bool {
    match cookie.max_age() {
        Some(age) => !age.is_positive(),
        None => cookie.expires_datetime().is_some_and(|end| end <= now),
    }
}

/// The `Cookie` header, with the value exactly as the upstream set it.
pub(super) fn cookie(token: &XsrfToken) -> String {
    format!("{XSRF_COOKIE}={}", token.expose())
}

/// The `X-XSRF-TOKEN` header: the value percent-decoded, as browsers' HTTP clients send it
/// (frameworks that encode their cookies compare with the decoded text). Like them, it keeps quotes
/// around the value. Undecoded if the decoded value does not fit a header.
pub(super) fn header(token: &XsrfToken) -> String {
    let raw = token.expose();
    let decoded = percent_decode_str(raw).decode_utf8().ok();
    decoded
        .filter(|text| text.bytes().all(|b| b.is_ascii_graphic()))
        .unwrap_or_else(|| raw.into())
        .into_owned()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_cookie_is_found_among_others() {
        for (set, token) in [
            (&["XSRF-TOKEN=abc"][..], Some("abc")),
            (
                &["XSRF-TOKEN=abc; Path=/; Secure; SameSite=Lax"],
                Some("abc"),
            ),
            (&["XSRF-TOKEN=abc; Max-Age=7200"], Some("abc")),
            (
                &["XSRF-TOKEN=abc; Max-Age=7200; Expires=Thu, 01 Jan 1970 00:00:00 GMT"],
                Some("abc"),
            ),
            (
                &["XSRF-TOKEN=abc; Expires=Wed, 21 Oct 2026 07:28:01 GMT"],
                Some("abc"),
            ),
            (&["XSRF-TOKEN=abc; Expires=tomorrow"], Some("abc")),
            (
                &["laravel_session=1; HttpOnly", "XSRF-TOKEN=a%3D%3D; Path=/"],
                Some("a%3D%3D"),
            ),
            (&["XSRF-TOKEN=a=b=="], Some("a=b==")),
            (&[r#"XSRF-TOKEN="abc=="; Path=/"#], Some(r#""abc==""#)),
            (&[r#"XSRF-TOKEN="a\054b""#], Some(r#""a\054b""#)),
            (&["XSRF-TOKEN=a,b{\"c\"}"], Some("a,b{\"c\"}")),
            (&["XSRF-TOKEN=old", "XSRF-TOKEN=new"], Some("new")),
            (&["XSRF-TOKEN=; Max-Age=0", "XSRF-TOKEN=new"], Some("new")),
            (&[], None),
            (&["XSRF-TOKEN"], None),
            (
                &[
                    "xsrf-token=abc",
                    "MY-XSRF-TOKEN=abc",
                    "other=XSRF-TOKEN=abc",
                ],
                None,
            ),
            (&["other=1; XSRF-TOKEN=abc"], None),
            (&["xsrf-token=; Max-Age=0"], None),
            (
                &["name=\u{e9}", "XSRF-TOKEN=abc", "name=\u{e9}"],
                Some("abc"),
            ),
        ] {
            let expected = token
                .and_then(XsrfToken::parse)
                .map_or(XsrfChange::None, XsrfChange::Set);
            assert_eq!(change_by(set), expected, "{set:?}");
        }
    }

    #[test]
    fn an_empty_or_expired_cookie_deletes_the_token() {
        for set in [
            &["XSRF-TOKEN="][..],
            &[r#"XSRF-TOKEN="""#],
            &["XSRF-TOKEN=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT"],
            &["XSRF-TOKEN=abc; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT"],
            &["XSRF-TOKEN=abc; expires=Wed, 21-Oct-2026 07:28:00 GMT"],
            &["XSRF-TOKEN=abc; Max-Age=0; Expires=Fri, 31 Dec 9999 23:59:59 GMT"],
            &["XSRF-TOKEN=old", "XSRF-TOKEN=; Max-Age=0"],
            &["XSRF-TOKEN=deleted; expires=Thu, 01-Jan-1970 00:00:01 GMT; Max-Age=0; path=/"],
            &["XSRF-TOKEN=abc; max-age = -1"],
        ] {
            assert_eq!(change_by(set), XsrfChange::Deleted, "{set:?}");
        }
    }

    #[test]
    fn a_token_that_no_request_can_send_back_is_logged_without_its_value() {
        let (lines, _guard) = vincula_testing::log_of_this_thread();
        for value in ["sécret", "sec ret", "\"sec ret\"", &"s".repeat(513)] {
            let set = format!("XSRF-TOKEN={value}; Path=/");
            let change = change_by(&["XSRF-TOKEN=before", &set]);
            assert_eq!(change, XsrfChange::None, "{value}");
            let log = lines.take();
            assert!(log.contains("WARN") && log.contains("XSRF-TOKEN"), "{log}");
            assert!(!log.contains("ret") && !log.contains("ss"), "{log}");
        }
        change_by(&["XSRF-TOKEN=\"secret==\"", "other=sécret"]);
        assert_eq!(lines.take(), "");
    }

    #[test]
    fn a_change_is_applied_to_the_token_before() {
        let [old, new] = ["old", "new"].map(XsrfToken::parse);
        assert_eq!(XsrfChange::None.apply(old.clone()), old);
        assert_eq!(
            XsrfChange::Set(new.clone().unwrap()).apply(old.clone()),
            new
        );
        assert_eq!(XsrfChange::Deleted.apply(old), None);
    }

    /// Wed, 21 Oct 2026 07:28:00 GMT.
    const NOW: Duration = Duration::from_mins(29_876_128);

    fn change_by(cookies: &[&str]) -> XsrfChange {
        let headers = cookies
            .iter()
            .map(|text| (SET_COOKIE, text.parse().unwrap()))
            .collect();
        change_of(&headers, SystemTime::UNIX_EPOCH + NOW)
    }

    #[test]
    fn the_header_is_decoded_and_the_cookie_is_not() {
        for (raw, decoded) in [
            ("abc", "abc"),
            ("eyJ%3D%3d", "eyJ=="),
            ("a+b", "a+b"),
            ("%", "%"),
            ("a%3", "a%3"),
            ("a%zz", "a%zz"),
            ("a%0d%0ax:y", "a%0d%0ax:y"),
            ("a%20b", "a%20b"),
            ("a%ff", "a%ff"),
            (r#""abc==""#, r#""abc==""#),
            (r#""abc%3D%3D""#, r#""abc==""#),
        ] {
            let token = XsrfToken::parse(raw).unwrap();
            assert_eq!(header(&token), decoded, "{raw}");
            assert_eq!(cookie(&token), format!("XSRF-TOKEN={raw}"));
        }
    }
}
