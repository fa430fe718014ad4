//! The upstream's XSRF token: read from its cookie, sent back as cookie and header.

use percent_encoding::percent_decode_str;
use reqwest::header::{HeaderMap, SET_COOKIE};
use vincula_domain::token::XsrfToken;

const XSRF_COOKIE: &str = "XSRF-TOKEN";

/// `X-XSRF-TOKEN` in lower case, as `HeaderName::from_static` requires.
pub(super) const XSRF_HEADER: &str = "x-xsrf-token";

/// The token that a response sets. The last cookie wins, also an empty one, which deletes those before it.
pub(super) fn set_by(headers: &HeaderMap) -> Option<XsrfToken> {
    let last = headers.get_all(SET_COOKIE).iter().rev().find_map(|header| {
        let (pair, _) = header.to_str().ok().map(|text| text.split_once(';').unwrap_or((text, "")))?;
        let (name, value) = pair.split_once('=')?;
        (name.trim() == XSRF_COOKIE).then_some(value.trim())
    });
    XsrfToken::parse(last?)
}

/// The `Cookie` header, with the value exactly as the upstream set it.
pub(super) fn cookie(token: &XsrfToken) -> String {
    format!("{XSRF_COOKIE}={}", token.expose())
}

/// The `X-XSRF-TOKEN` header: the value percent-decoded, as browsers' HTTP clients send it (frameworks that encode
/// their cookies compare with the decoded text). Undecoded if the decoded value does not fit a header.
pub(super) fn header(token: &XsrfToken) -> String {
    let raw = token.expose();
    let decoded = percent_decode_str(raw).decode_utf8().ok();
    decoded.filter(|text| text.bytes().all(|b| b.is_ascii_graphic())).unwrap_or_else(|| raw.into()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cookie_is_found_among_others() {
        for (set, token) in [
            (&["XSRF-TOKEN=abc"][..], Some("abc")),
            (&["XSRF-TOKEN=abc; Path=/; Secure; SameSite=Lax"], Some("abc")),
            (&["laravel_session=1; HttpOnly", "XSRF-TOKEN=a%3D%3D; Path=/"], Some("a%3D%3D")),
            (&["XSRF-TOKEN=a=b=="], Some("a=b==")),
            (&["XSRF-TOKEN=old", "XSRF-TOKEN=new"], Some("new")),
            (&["XSRF-TOKEN=old", "XSRF-TOKEN=; Max-Age=0"], None),
            (&[], None),
            (&["XSRF-TOKEN"], None),
            (&["xsrf-token=abc", "MY-XSRF-TOKEN=abc", "other=XSRF-TOKEN=abc"], None),
            (&["other=1; XSRF-TOKEN=abc"], None),
            (&["XSRF-TOKEN=a\u{e9}b"], None),
        ] {
            let headers = set.iter().map(|text| (SET_COOKIE, text.parse().unwrap())).collect();
            assert_eq!(set_by(&headers).as_ref().map(XsrfToken::expose), token, "{set:?}");
        }
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
        ] {
            let token = XsrfToken::parse(raw).unwrap();
            assert_eq!(header(&token), decoded, "{raw}");
            assert_eq!(cookie(&token), format!("XSRF-TOKEN={raw}"));
        }
    }
}
