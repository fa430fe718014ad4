//! Security headers of every response, and the content policy of each page.

use crate::routes::Page;
use axum::{
    extract::Request,
    http::{HeaderName, HeaderValue, header},
    middleware::Next,
    response::Response,
};
use reqwest::Url;
use tower_http::set_header::SetResponseHeaderLayer;

use super::Target;

/// The settings that the policy depends on.
#[derive(Debug, Clone)]
pub struct Policy {
    /// The source of Connect's frame: its origin, or `'self'`.
    connect: String,
    /// `cargo leptos watch`'s reload socket.
    reload: Option<String>,
}

impl Policy {
    /// `connect` is the address of Connect's page, which is one of our paths in the sandbox.
    pub fn new(connect: &str, reload_port: Option<u16>) -> Self {
        let origin = Url::parse(connect).map(|url| url.origin().ascii_serialization());
        Self {
            connect: origin.unwrap_or_else(|_| SELF.to_owned()),
            reload: reload_port.map(|port| format!(" ws://127.0.0.1:{port} ws://localhost:{port}")),
        }
    }

    /// The content policy of one of our pages.
    pub fn of_page(&self, nonce: &str, hosts_connect: bool) -> HeaderValue {
        let reload = self.reload.as_deref().unwrap_or_default();
        // Not on pages with Connect: the real SDK writes HTML into the page.
        let trusted_types = "require-trusted-types-for 'script'; trusted-types 'none'";
        let last = if hosts_connect {
            &format!("frame-src {}", self.connect)
        } else {
            trusted_types
        };
        let policy = format!(
            "default-src 'none'; script-src 'self' 'nonce-{nonce}' 'wasm-unsafe-eval'; style-src 'self' 'nonce-{nonce}'; \
             img-src 'self' data:; font-src 'self'; connect-src 'self'{reload}; manifest-src 'self'; form-action 'self'; \
             base-uri 'none'; object-src 'none'; frame-ancestors 'none'; {last}"
        );
        HeaderValue::try_from(policy).expect("a nonce and an origin are plain ASCII")
    }

    /// The origin of Connect's frame, if it is not our own.
    pub fn connect_origin(&self) -> Option<&str> {
        Some(self.connect.as_str()).filter(|origin| *origin != SELF)
    }
}

/// The layers that add a header to responses without it.
pub fn security_headers() -> [SetResponseHeaderLayer<HeaderValue>; 9] {
    let unless_set = |name: HeaderName, value: &'static str| {
        SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value))
    };
    [
        unless_set(header::CONTENT_SECURITY_POLICY, POLICY_OF_OTHERS),
        unless_set(header::CACHE_CONTROL, "no-store"),
        unless_set(header::REFERRER_POLICY, "same-origin"),
        unless_set(header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        unless_set(header::STRICT_TRANSPORT_SECURITY, "max-age=63072000"),
        unless_set(header::X_FRAME_OPTIONS, "DENY"),
        unless_set(HeaderName::from_static(OPENER_POLICY), "same-origin"),
        unless_set(
            HeaderName::from_static("cross-origin-resource-policy"),
            "same-origin",
        ),
        unless_set(HeaderName::from_static("permissions-policy"), PERMISSIONS),
    ]
}

/// Hides the address of the entry, which contains the token, from the pages that follow. Under
/// `no-referrer` its forms would send `Origin: null`, which is all that Safari before 16.4 sends.
pub async fn hide_entry_from_referrer(target: Target, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    if target == Target::Page(Page::Entry) {
        let policy = HeaderValue::from_static("strict-origin");
        response
            .headers_mut()
            .insert(header::REFERRER_POLICY, policy);
    }
    response
}

const SELF: &str = "'self'";

pub const OPENER_POLICY: &str = "cross-origin-opener-policy";

/// Opener policy of the page that hosts Connect, in place of `same-origin`. Connect's frame opens
/// the bank's window, which must know its opener. The consent has the same path but not this
/// policy: where the policies of two successive pages differ, the browser starts another process,
/// which takes 0.2 s on a slow phone.
pub const OPENER_OF_CONNECT: &str = "same-origin-allow-popups";

/// Opener policy of the entry after a return from the bank, in place of `same-origin`. It may be the
/// bank's window: with another policy, Connect's frame would find that window closed.
pub const OPENER_OF_RETURN: &str = "unsafe-none";

/// The content policy of everything that is not a page. The style sheet and its font are for the
/// busy page.
const POLICY_OF_OTHERS: &str = "default-src 'none'; style-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const PERMISSIONS: &str = "accelerometer=(), autoplay=(), camera=(), display-capture=(), encrypted-media=(), \
                           geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), \
                           publickey-credentials-get=(), usb=(), xr-spatial-tracking=()";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pages_that_host_connect_may_frame_it() {
        let policy = Policy::new("https://connect.pluggy.ai/", None);
        let with = policy.of_page("N", true);
        assert!(
            with.to_str()
                .unwrap()
                .ends_with("; frame-src https://connect.pluggy.ai"),
            "{with:?}"
        );
        assert_eq!(policy.connect_origin(), Some("https://connect.pluggy.ai"));
        let without = policy.of_page("N", false);
        assert!(
            !without.to_str().unwrap().contains("frame-src"),
            "{without:?}"
        );
        assert!(
            without.to_str().unwrap().contains("trusted-types 'none'"),
            "{without:?}"
        );
    }

    #[test]
    fn sandbox_may_frame_its_own_page() {
        let policy = Policy::new("/sandbox/connect", None);
        let with = policy.of_page("N", true);
        assert!(
            with.to_str().unwrap().ends_with("; frame-src 'self'"),
            "{with:?}"
        );
        assert_eq!(policy.connect_origin(), None);
    }
}
