//! Under which name and conditions browsers keep the session.

use crate::config::Config;

/// Under which name and conditions browsers keep the session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CookieKind {
    /// Only for this host and only over TLS.
    HostOnly,
    /// For the sandbox on loopback: Safari's engine keeps no `Secure` cookie over plain HTTP, not even there.
    PlainLoopback,
}

impl CookieKind {
    /// The kind for this configuration: a real upstream, and any address that others can reach, need [`Self::HostOnly`].
    pub fn of(config: &Config) -> Self {
        if config.is_sandbox() && config.listen_addr.ip().is_loopback() { Self::PlainLoopback } else { Self::HostOnly }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::HostOnly => "__Host-vincula",
            Self::PlainLoopback => "vincula",
        }
    }

    pub(super) fn is_secure(self) -> bool {
        self == Self::HostOnly
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[test]
    fn only_the_sandbox_on_loopback_has_the_plain_kind() {
        const UPSTREAM: [&str; 2] = ["--widget-api-url", "https://api.example.com/widget"];
        let at = |address| ["--listen-addr", address, "--sandbox-public", "true"];
        let kind = |options: &[&str]| CookieKind::of(&Config::parse_from([&["vincula"], options].concat()));
        for loopback in ["127.0.0.1:3000", "127.8.8.8:80", "[::1]:3000"] {
            assert_eq!(kind(&at(loopback)), CookieKind::PlainLoopback, "{loopback}");
            assert_eq!(kind(&[&at(loopback)[..], &UPSTREAM].concat()), CookieKind::HostOnly, "{loopback}");
        }
        for reachable in ["0.0.0.0:3000", "192.168.0.7:3000", "[::]:3000"] {
            assert_eq!(kind(&at(reachable)), CookieKind::HostOnly, "{reachable}");
            assert_eq!(kind(&[&at(reachable)[..], &UPSTREAM].concat()), CookieKind::HostOnly, "{reachable}");
        }
    }
}
