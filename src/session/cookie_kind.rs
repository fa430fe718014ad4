//! Name and `Secure` attribute of the session cookie.

use std::net::IpAddr;

/// The kind of the session cookie: its name and whether it is `Secure`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CookieKind {
    /// Only for this host and only over TLS.
    HostOnly,
    /// For the sandbox on loopback: WebKit stores no `Secure` cookie over plain HTTP, not even there.
    PlainLoopback,
}

impl CookieKind {
    /// The kind for a server: a real upstream, and any address that others can reach, need [`Self::HostOnly`].
    pub fn of(is_sandbox: bool, listens: IpAddr) -> Self {
        if is_sandbox && listens.is_loopback() { Self::PlainLoopback } else { Self::HostOnly }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::HostOnly => "__Host-vincula",
            Self::PlainLoopback => "vincula",
        }
    }

    /// The scheme of the addresses at which a browser sends the cookie.
    pub fn scheme(self) -> &'static str {
        if self.is_secure() { "https" } else { "http" }
    }

    pub(super) fn is_secure(self) -> bool {
        self == Self::HostOnly
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_sandbox_on_loopback_has_the_plain_kind() {
        for (address, is_loopback) in [
            ("127.0.0.1", true),
            ("127.8.8.8", true),
            ("::1", true),
            ("0.0.0.0", false),
            ("192.168.0.7", false),
            ("::", false),
        ] {
            let kind = |is_sandbox| CookieKind::of(is_sandbox, address.parse().unwrap());
            let expected = if is_loopback { CookieKind::PlainLoopback } else { CookieKind::HostOnly };
            assert_eq!((kind(true), kind(false)), (expected, CookieKind::HostOnly), "{address}");
        }
    }
}
