//! Reads our cookie from the bytes of the `Cookie` header, whatever other cookies it holds.
//!
//! Browsers send all cookies of a host in one line, and a site under the same domain can set some
//! with any name and bytes. Browsers enforce `__Host-` for the exact name only, so names are
//! compared byte by byte, undecoded. Only our own value is ever read as text.

use axum::http::{HeaderMap, header::COOKIE};
use cookie::Cookie;
use percent_encoding::percent_decode;

/// The cookies of this name, in the order in which the browser sent them, their values
/// percent-decoded.
pub fn cookies<'h>(
    headers: &'h HeaderMap,
    name: &'static str,
) -> impl Iterator<Item = Cookie<'static>> + 'h {
    let pairs = headers
        .get_all(COOKIE)
        .iter()
        .flat_map(|line| line.as_bytes().split(|byte| *byte == b';'));
    pairs.filter_map(move |pair| {
        let value = pair
            .trim_ascii()
            .strip_prefix(name.as_bytes())?
            .strip_prefix(b"=")?;
        let text = percent_decode(value.trim_ascii()).decode_utf8().ok()?;
        Some(Cookie::new(name, text.into_owned()))
    })
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;
    use proptest::prelude::*;

    use super::*;

    const NAME: &str = "__Host-vincula";

    fn values(lines: &[&[u8]]) -> Vec<String> {
        let line = |bytes: &&[u8]| (COOKIE, HeaderValue::from_bytes(bytes).unwrap());
        let headers: HeaderMap = lines.iter().map(line).collect();
        cookies(&headers, NAME)
            .map(|cookie| cookie.value().to_owned())
            .collect()
    }

    #[test]
    fn matches_cookie_name_byte_by_byte() {
        for other in [
            // Percent-encoded.
            "__Host%2dvincula=a",
            "__Host-vincul%61=a",
            // Another case, more and less.
            "__host-vincula=a",
            "__Host-vinculas=a",
            "x__Host-vincula=a",
            "vincula=a",
            // Blanks that belong to the name, and Unicode's.
            "__Host-vincula =a",
            "\u{a0}__Host-vincula=a",
            "\"__Host-vincula\"=a",
            // No name, no value, and syntax of old servers.
            "=__Host-vincula=a",
            "__Host-vincula",
            "b=1,__Host-vincula=a",
            "b=\"1&__Host-vincula=a\"",
        ] {
            assert_eq!(values(&[other.as_bytes()]), [""; 0], "{other}");
            let beside = format!("{other}; __Host-vincula=ours; {other}");
            assert_eq!(values(&[beside.as_bytes()]), ["ours"], "{beside}");
        }
    }

    #[test]
    fn finds_cookie_at_any_position() {
        for (lines, expected) in [
            (&["__Host-vincula=a"][..], &["a"][..]),
            (&["b=1; __Host-vincula=a; c=2"], &["a"]),
            (&["b=1;__Host-vincula=a"], &["a"]),
            (&["b=1; \t __Host-vincula=a \t; c"], &["a"]),
            (&["b=1", "__Host-vincula=a", "c=2"], &["a"]),
            (
                &["__Host-vincula=a; __Host-vincula=b", "__Host-vincula=c"],
                &["a", "b", "c"],
            ),
            (&["__Host-vincula=a%2Bb%2f%3d=="], &["a+b/==="]),
            (&["__Host-vincula="], &[""]),
            (&[";;; ;__Host-vincula=a;;"], &["a"]),
        ] {
            let lines: Vec<_> = lines.iter().map(|line| line.as_bytes()).collect();
            assert_eq!(values(&lines), expected, "{lines:?}");
        }
    }

    #[test]
    fn ignores_non_text_bytes_in_other_cookies() {
        for other in [
            &b"nome=Jos\xc3\xa9"[..],
            b"nome=Jos\xe9",
            b"\xff=\xfe",
            b"\x80",
            b"nome=\"\xf0\x9f\x8d\x9e\"",
        ] {
            for line in [
                [other, b"; __Host-vincula=a"].concat(),
                [b"__Host-vincula=a; ", other].concat(),
            ] {
                assert_eq!(values(&[&line]), ["a"], "{}", line.escape_ascii());
            }
        }
        assert_eq!(values(&[b"__Host-vincula=\xe9; __Host-vincula=a"]), ["a"]);
    }

    proptest! {
        #[test]
        fn cookies_beside_ours_change_nothing(before in bytes(), after in bytes()) {
            let sent = |line: &[u8]| -> Vec<String> {
                let line = HeaderValue::from_bytes(line).unwrap();
                cookies(&HeaderMap::from_iter([(COOKIE, line)]), NAME).map(|cookie| cookie.value().to_owned()).collect()
            };
            let alone = [sent(&before), vec!["ours".to_owned()], sent(&after)].concat();
            prop_assert_eq!(sent(&[&before[..], b"; __Host-vincula=ours; ", &after].concat()), alone);
        }
    }

    /// Bytes that a header may hold, and sometimes our own name.
    fn bytes() -> impl Strategy<Value = Vec<u8>> {
        let any = prop_oneof![
            0x20..0x7f_u8,
            0x80..=0xff_u8,
            Just(b'\t'),
            Just(b';'),
            Just(b'=')
        ];
        let piece = prop_oneof![
            prop::collection::vec(any, 0..20),
            Just(NAME.as_bytes().to_vec()),
            Just(b"=a;".to_vec())
        ];
        prop::collection::vec(piece, 0..4).prop_map(|pieces| pieces.concat())
    }
}
