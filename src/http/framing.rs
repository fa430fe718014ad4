//! Rejects requests about whose host or end two servers might disagree (request smuggling).

use axum::http::{HeaderMap, HeaderValue, Request, Version, header, uri::Authority};

/// Whether the request has one valid host and one way to find its end (RFC 9112, 3.2 and 6.3).
pub fn is_sound<B>(request: &Request<B>) -> bool {
    let headers = request.headers();
    names_its_host(request.version(), headers) && ends_in_one_way(headers)
}

/// Whether the request must be the last of its connection. With a transfer coding it may also have had a length, which
/// hyper removes unseen; a proxy that goes by the length would take the rest of the body for the next request (RFC
/// 9112, 6.1). Browsers send our pages' requests with a length.
pub fn is_chunked<B>(request: &Request<B>) -> bool {
    request.headers().contains_key(header::TRANSFER_ENCODING)
}

fn names_its_host(version: Version, headers: &HeaderMap) -> bool {
    let mut hosts = headers.get_all(header::HOST).iter();
    match (hosts.next(), hosts.next()) {
        (None, _) => version < Version::HTTP_11,
        (Some(host), None) => is_host(host),
        (Some(_), Some(_)) => false,
    }
}

/// A name or an address, perhaps with a port, without a user.
fn is_host(value: &HeaderValue) -> bool {
    let text = value.to_str().unwrap_or_default();
    !text.contains('@') && text.parse::<Authority>().is_ok_and(|host| !host.host().is_empty())
}

fn ends_in_one_way(headers: &HeaderMap) -> bool {
    let mut codings = headers.get_all(header::TRANSFER_ENCODING).iter();
    match (codings.next(), codings.next()) {
        (None, _) => true,
        (Some(coding), None) => coding.as_bytes().eq_ignore_ascii_case(b"chunked"),
        (Some(_), Some(_)) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host(version: Version, hosts: &[&str]) -> bool {
        let headers = hosts.iter().map(|host| (header::HOST, host.parse().unwrap())).collect();
        names_its_host(version, &headers)
    }

    #[test]
    fn a_host_is_named_once_and_well() {
        for well in ["a", "vincula.example.com", "127.0.0.1:3000", "[::1]:80", "my_app", "a:"] {
            assert!(host(Version::HTTP_11, &[well]), "{well}");
        }
        for bad in ["", "a b\"><script>", "a/b", "user@a", "a b", "a:80:80", "[::1", ":80", "a?b"] {
            assert!(!host(Version::HTTP_11, &[bad]), "{bad:?}");
            assert!(!host(Version::HTTP_10, &[bad]), "{bad:?}");
        }
        assert!(!host(Version::HTTP_11, &[]));
        assert!(host(Version::HTTP_10, &[]), "which had no such header yet");
        assert!(!host(Version::HTTP_11, &["a", "a"]));
    }
}
