//! CSRF protection: requests that change something must come from our own pages, and actions must
//! be JSON.

use axum::{
    extract::Request,
    http::{HeaderMap, Method, StatusCode, header},
    middleware::Next,
    response::Response,
};

use crate::routes::is_action;

use super::error_pages::rejected;

/// Accepts GET and HEAD, and requests of the same origin. Actions must also send JSON. Their
/// `Referer` and `Accept` are removed, because the framework redirects plain forms to the page in
/// `Referer`, which may be of another site.
///
/// [`in_place`](crate::steps::entry::in_place) reads `Accept` before it is removed.
pub async fn same_origin(mut request: Request, next: Next) -> Response {
    if matches!(*request.method(), Method::GET | Method::HEAD) {
        return next.run(request).await;
    }
    if !is_same_origin(request.headers()) {
        return rejected(StatusCode::FORBIDDEN);
    }
    if is_action(request.uri().path()) {
        if !is_json(request.headers()) {
            return rejected(StatusCode::UNSUPPORTED_MEDIA_TYPE);
        }
        request.headers_mut().remove(header::REFERER);
        request.headers_mut().remove(header::ACCEPT);
    }
    next.run(request).await
}

/// Browsers send a request's source in `Sec-Fetch-Site`, older ones only in `Origin`. A request
/// without either header is rejected. With several `Host` lines, a proxy may read another one than
/// this server.
fn is_same_origin(headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    if let Some(site) = text("sec-fetch-site") {
        return site == "same-origin";
    }
    let origin = text("origin").and_then(|origin| origin.split_once("://"));
    let mut hosts = headers.get_all(header::HOST).iter();
    match (origin, hosts.next(), hosts.next()) {
        (Some((_, from)), Some(host), None) => from.as_bytes() == host.as_bytes(),
        _ => false,
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    kind.split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .eq_ignore_ascii_case("application/json")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()))
            .collect()
    }

    #[test]
    fn accepts_requests_of_the_same_origin_only() {
        const HOST: &str = "vincula.example";
        const OWN: &str = "https://vincula.example";
        for (pairs, same) in [
            (&[("sec-fetch-site", "same-origin")][..], true),
            (
                &[("sec-fetch-site", "same-origin"), ("origin", "null")],
                true,
            ),
            (&[("sec-fetch-site", "same-site"), ("origin", OWN)], false),
            (&[("sec-fetch-site", "cross-site"), ("origin", OWN)], false),
            (
                &[
                    ("sec-fetch-site", "same-origin, cross-site"),
                    ("origin", OWN),
                ],
                false,
            ),
            (&[("sec-fetch-site", "none"), ("origin", OWN)], false),
            (&[("sec-fetch-site", ""), ("origin", OWN)], false),
            // Older browsers send `Origin` only.
            (&[("origin", OWN)], true),
            (&[("origin", "http://vincula.example")], true),
            (&[("origin", "https://evil.example")], false),
            (&[("origin", "https://vincula.example.evil.example")], false),
            (
                &[("origin", "https://evil.example/https://vincula.example")],
                false,
            ),
            (&[("origin", "https://vincula.example@evil.example")], false),
            (&[("origin", "https://vincula.example:8443")], false),
            (&[("origin", HOST)], false),
            (&[("origin", "null")], false),
            (
                &[("referer", OWN), ("x-requested-with", "XMLHttpRequest")],
                false,
            ),
            (&[], false),
        ] {
            let pairs = [pairs, &[("host", HOST)]].concat();
            assert_eq!(is_same_origin(&headers(&pairs)), same, "{pairs:?}");
        }
        for hosts in [&[][..], &[("host", HOST), ("host", "evil.example")]] {
            let pairs = [hosts, &[("origin", OWN)]].concat();
            assert!(!is_same_origin(&headers(&pairs)), "{pairs:?}");
        }
    }

    #[test]
    fn recognises_json_and_actions() {
        for (kind, json) in [
            ("application/json", true),
            ("application/json; charset=utf-8", true),
            ("Application/JSON", true),
            ("text/plain", false),
            ("text/plain; application/json", false),
            ("application/x-www-form-urlencoded", false),
            ("multipart/form-data; boundary=x", false),
            ("application/json-patch+json", false),
            ("", false),
        ] {
            assert_eq!(is_json(&headers(&[("content-type", kind)])), json, "{kind}");
        }
        assert!(!is_json(&HeaderMap::new()));
        assert!(is_action("/api/list_accounts") && !is_action("/apix") && !is_action("/"));
    }
}
