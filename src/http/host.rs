//! The `Host` of a request.

use axum::{
    extract::Request,
    http::{HeaderMap, StatusCode, Version, header, uri::Authority},
    middleware::Next,
    response::Response,
};

use super::error_pages;

/// Rejects a request that does not name its host, as RFC 9112 requires (section 3.2): with several
/// `Host` lines, a proxy and this server may read different ones.
pub async fn require_one(request: Request, next: Next) -> Response {
    if names_one_host(request.version(), request.headers()) {
        next.run(request).await
    } else {
        error_pages::rejected(StatusCode::BAD_REQUEST)
    }
}

/// Whether there is one valid `Host` line. In HTTP/1.0 there may be none: health checks of load
/// balancers use that version.
fn names_one_host(version: Version, headers: &HeaderMap) -> bool {
    let mut lines = headers.get_all(header::HOST).iter();
    match (lines.next(), lines.next()) {
        (None, _) => version == Version::HTTP_10,
        (Some(host), None) => {
            let authority = Authority::try_from(host.as_bytes());
            authority.is_ok_and(|authority| !authority.as_str().contains('@'))
        }
        (Some(_), Some(_)) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_one_valid_host() {
        for (version, hosts, is_accepted) in [
            (Version::HTTP_11, &["vincula.example"][..], true),
            (Version::HTTP_11, &["vincula.example:443"], true),
            (Version::HTTP_11, &["VINCULA.example."], true),
            (Version::HTTP_11, &["127.0.0.1:3000"], true),
            (Version::HTTP_11, &["[::1]:3000"], true),
            (Version::HTTP_11, &["my_host"], true),
            (Version::HTTP_10, &["vincula.example"], true),
            (Version::HTTP_10, &[], true),
            (Version::HTTP_11, &[], false),
            (Version::HTTP_11, &[""], false),
            (Version::HTTP_11, &["a", "evil"], false),
            (Version::HTTP_11, &["a", "a"], false),
            (Version::HTTP_10, &["a", "evil"], false),
            (Version::HTTP_11, &["a, evil"], false),
            (Version::HTTP_11, &["a evil"], false),
            (Version::HTTP_11, &["a@evil"], false),
            (Version::HTTP_11, &["a/evil"], false),
            (Version::HTTP_11, &["https://a"], false),
        ] {
            let headers = hosts
                .iter()
                .map(|host| (header::HOST, host.parse().unwrap()));
            let accepted = names_one_host(version, &headers.collect());
            assert_eq!(accepted, is_accepted, "{version:?} {hosts:?}");
        }
    }
}
