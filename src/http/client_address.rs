//! The client's address, behind the trusted proxies.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    str::FromStr,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use axum::{
    extract::{ConnectInfo, Request},
    http::{HeaderMap, HeaderValue, request::Parts},
};
use ipnet::IpNet;
use vincula_domain::Private;

/// The header to which each proxy appends the address of its peer.
const FORWARDED_FOR: &str = "x-forwarded-for";

/// How many entries of the header are read, from the right. No real chain of proxies is longer.
const MAX_HOPS: usize = 16;

/// The proxies whose `X-Forwarded-For` is trusted: addresses and networks, or `none`. Clones share
/// the warning.
#[derive(Debug, Clone, Default)]
pub struct TrustedProxies {
    networks: Arc<[IpNet]>,
    /// Whether another sender of the header has been logged.
    has_warned: Arc<AtomicBool>,
}

/// What the limits count as one client: an IPv4 address, or the /64 network of an IPv6 address,
/// because a household or a phone gets a whole /64.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ClientAddress(Private<IpAddr>);

/// Networks from which no client comes: private use, shared by carriers, loopback, link-local.
const NOT_PUBLIC: [&str; 9] = [
    "10.0.0.0/8",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "fc00::/7",
    "fe80::/10",
    "::1/128",
];

/// Why proxies cannot be trusted.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidNetworks {
    #[error(
        "expected addresses or networks separated by commas, for example 10.0.0.0/8,2001:db8::1, or none"
    )]
    Unreadable,
    #[error(
        "{0} is every address, so that each client could claim any address and no limit would hold: \
         expected the networks of the proxies in front, for example 10.0.0.0/8, or none on a \
         connect directly"
    )]
    Everyone(IpNet),
}

impl FromStr for TrustedProxies {
    type Err = InvalidNetworks;

    fn from_str(text: &str) -> Result<Self, InvalidNetworks> {
        if text == "none" {
            return Ok(Self::default());
        }
        let network = |part: &str| match part.parse::<IpAddr>() {
            Ok(address) => Ok(IpNet::from(address.to_canonical())),
            Err(_) => match part.parse::<IpNet>() {
                Ok(network) if network.prefix_len() == 0 => Err(InvalidNetworks::Everyone(network)),
                Ok(network) => Ok(network),
                Err(_) => Err(InvalidNetworks::Unreadable),
            },
        };
        let networks = text
            .split(',')
            .map(|part| network(part.trim()))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            networks,
            ..Self::default()
        })
    }
}

impl TrustedProxies {
    /// The networks, not single addresses, from which clients may come: each of them could claim any
    /// address.
    pub fn public_networks(&self) -> impl Iterator<Item = &IpNet> {
        let not_public =
            NOT_PUBLIC.map(|network| network.parse::<IpNet>().expect("a valid network"));
        self.networks.iter().filter(move |network| {
            network.prefix_len() < network.max_prefix_len()
                && !not_public.iter().any(|wider| wider.contains(*network))
        })
    }

    /// The client of a request; this machine if the request has no connection (in tests).
    pub fn client_of(&self, request: &Request) -> ClientAddress {
        let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
        let peer = peer.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |ConnectInfo(peer)| {
            peer.ip()
        });
        ClientAddress::new(self.client_ip(peer, request.headers()))
    }

    /// The client's own address. `None` if there is no connection, or only proxies are known.
    pub fn address_of(&self, parts: &Parts) -> Option<Private<IpAddr>> {
        let ConnectInfo(peer) = parts.extensions.get::<ConnectInfo<SocketAddr>>()?;
        let address = self.client_ip(peer.ip(), &parts.headers);
        (!self.trusts(address)).then_some(address.into())
    }

    /// Follows the header from the right for as long as a trusted proxy wrote the entry. An entry
    /// that is not an address ends the chain at the proxy that wrote it.
    fn client_ip(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let mut nearest = peer.to_canonical();
        self.warn_of_unlisted(nearest, headers);
        let lines = headers
            .get_all(FORWARDED_FOR)
            .iter()
            .rev()
            .map(HeaderValue::as_bytes);
        // Each entry is parsed alone: the part of a line that the client sent may be anything.
        for hop in lines
            .flat_map(|line| line.rsplit(|byte| *byte == b','))
            .take(MAX_HOPS)
        {
            match address(hop) {
                Some(further) if self.trusts(nearest) => nearest = further,
                _ => break,
            }
        }
        nearest
    }

    /// Warns once if a peer that is not listed sends the header. It is probably a proxy, and then
    /// all of its clients count as one.
    fn warn_of_unlisted(&self, peer: IpAddr, headers: &HeaderMap) {
        if headers.contains_key(FORWARDED_FOR)
            && !self.trusts(peer)
            && !self.has_warned.swap(true, Ordering::Relaxed)
        {
            tracing::warn!(
                "X-Forwarded-For from {peer}, which TRUSTED_PROXIES does not list: if it is the \
                 proxy in front, all clients count as one"
            );
        }
    }

    fn trusts(&self, address: IpAddr) -> bool {
        self.networks
            .iter()
            .any(|network| network.contains(&address))
    }
}

impl ClientAddress {
    pub(super) fn new(address: IpAddr) -> Self {
        let network = match address.to_canonical() {
            IpAddr::V6(v6) => IpAddr::V6(Ipv6Addr::from_bits(v6.to_bits() & !u128::from(u64::MAX))),
            v4 @ IpAddr::V4(_) => v4,
        };
        Self(network.into())
    }
}

/// An address as proxies write it: some add the port.
fn address(entry: &[u8]) -> Option<IpAddr> {
    let text = str::from_utf8(entry.trim_ascii()).ok()?;
    let parsed = text
        .parse()
        .or_else(|_| text.parse::<SocketAddr>().map(|socket| socket.ip()));
    parsed.ok().map(|address: IpAddr| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use proptest::prelude::*;

    use super::*;

    fn client<L: AsRef<[u8]>>(trusted: &str, peer: &str, lines: &[L]) -> ClientAddress {
        let trusted: TrustedProxies = trusted.parse().unwrap();
        let mut request = Request::new(Body::empty());
        let peer = SocketAddr::new(peer.parse().unwrap(), 40_000);
        request.extensions_mut().insert(ConnectInfo(peer));
        for line in lines {
            request.headers_mut().append(
                FORWARDED_FOR,
                HeaderValue::from_bytes(line.as_ref()).unwrap(),
            );
        }
        trusted.client_of(&request)
    }

    fn is(text: &str) -> ClientAddress {
        ClientAddress::new(text.parse().unwrap())
    }

    #[test]
    fn client_is_the_nearest_untrusted_address() {
        let ours = "10.0.0.0/8, 192.0.2.7,2001:db8::/32";
        for (trusted, peer, lines, expected) in [
            ("none", "203.0.113.9", &[][..], "203.0.113.9"),
            ("none", "203.0.113.9", &["198.51.100.1"], "203.0.113.9"),
            (ours, "203.0.113.9", &["198.51.100.1"], "203.0.113.9"),
            (ours, "10.1.2.3", &["1.1.1.1, 198.51.100.1"], "198.51.100.1"),
            (
                ours,
                "10.1.2.3",
                &["1.1.1.1,198.51.100.1,192.0.2.7"],
                "198.51.100.1",
            ),
            (
                ours,
                "10.1.2.3",
                &["1.1.1.1", "198.51.100.1", "10.9.9.9"],
                "198.51.100.1",
            ),
            (ours, "10.1.2.3", &["198.51.100.1:4711"], "198.51.100.1"),
            (ours, "::ffff:10.1.2.3", &["198.51.100.1"], "198.51.100.1"),
            (ours, "2001:db8::5", &["[2804:14c::1]:80"], "2804:14c::1"),
            (ours, "10.1.2.3", &[], "10.1.2.3"),
            (ours, "10.1.2.3", &["10.4.4.4"], "10.4.4.4"),
            (ours, "10.1.2.3", &["198.51.100.1, unknown"], "10.1.2.3"),
            (ours, "10.1.2.3", &["198.51.100.1, é"], "10.1.2.3"),
        ] {
            assert_eq!(
                client(trusted, peer, lines),
                is(expected),
                "{peer} {lines:?}"
            );
        }
    }

    #[test]
    fn takes_client_address_from_trusted_proxies_only() {
        for (peer, line, expected) in [
            (Some("203.0.113.9"), "198.51.100.1", Some("203.0.113.9")),
            (Some("10.1.2.3"), "198.51.100.1", Some("198.51.100.1")),
            (
                Some("10.1.2.3"),
                "[2804:14c:1:2::a]:443",
                Some("2804:14c:1:2::a"),
            ),
            (Some("10.1.2.3"), "198.51.100.1, nobody", None),
            (Some("10.1.2.3"), "10.4.4.4", None),
            (None, "198.51.100.1", None),
        ] {
            let mut request = Request::new(Body::empty());
            request
                .headers_mut()
                .append(FORWARDED_FOR, line.parse().unwrap());
            if let Some(peer) = peer {
                request
                    .extensions_mut()
                    .insert(ConnectInfo(SocketAddr::new(peer.parse().unwrap(), 1)));
            }
            let trusted: TrustedProxies = "10.0.0.0/8".parse().unwrap();
            let address = trusted
                .address_of(&request.into_parts().0)
                .map(|address| address.to_string());
            assert_eq!(address.as_deref(), expected, "{peer:?} {line}");
        }
    }

    #[test]
    fn a_proxy_that_is_not_listed_is_warned_of_once() {
        let (lines, _guard) = vincula_testing::log_of_this_thread();
        let headers = HeaderMap::from_iter([(
            FORWARDED_FOR.parse().unwrap(),
            HeaderValue::from_static("198.51.100.1"),
        )]);
        let proxies: TrustedProxies = "10.0.0.0/8".parse().unwrap();
        let clone = proxies.clone();
        proxies.client_ip("10.1.2.3".parse().unwrap(), &headers);
        proxies.client_ip("127.0.0.1".parse().unwrap(), &HeaderMap::new());
        assert_eq!(lines.take(), "");
        for peer in ["127.0.0.1", "127.0.0.2"] {
            clone.client_ip(peer.parse().unwrap(), &headers);
            proxies.client_ip(peer.parse().unwrap(), &headers);
        }
        let log = lines.take();
        assert_eq!(log.lines().count(), 1, "{log}");
        assert!(
            log.contains("X-Forwarded-For from 127.0.0.1, which TRUSTED_PROXIES does not list"),
            "{log}"
        );
    }

    #[test]
    fn ipv6_clients_are_counted_by_their_64_bit_network() {
        assert_eq!(is("2804:14c:1:2::a"), is("2804:14c:1:2:ffff::b"));
        assert_ne!(is("2804:14c:1:2::a"), is("2804:14c:1:3::a"));
        assert_ne!(is("192.0.2.1"), is("192.0.2.2"));
        assert_eq!(is("::ffff:192.0.2.1"), is("192.0.2.1"));
    }

    #[test]
    fn only_addresses_and_networks_can_be_trusted() {
        for bad in [
            "",
            "proxy.example",
            "10.0.0.0/33",
            "10.0.0.1,",
            "10.0.0.1;10.0.0.2",
            "10.0.0.1:80",
            "none,10.0.0.1",
        ] {
            assert_eq!(
                bad.parse::<TrustedProxies>().unwrap_err(),
                InvalidNetworks::Unreadable,
                "{bad:?}"
            );
        }
    }

    #[test]
    fn every_address_cannot_be_trusted() {
        for (text, network) in [
            ("0.0.0.0/0", "0.0.0.0/0"),
            ("::/0", "::/0"),
            ("10.0.0.0/8, 10.1.2.3/0", "10.1.2.3/0"),
        ] {
            let error = text.parse::<TrustedProxies>().unwrap_err();
            assert_eq!(error, InvalidNetworks::Everyone(network.parse().unwrap()));
        }
    }

    #[test]
    fn public_networks_are_found() {
        for (text, public) in [
            ("none", ""),
            (
                "10.0.0.0/8,172.20.0.0/16,192.168.1.0/24,fd00::/8,127.0.0.1",
                "",
            ),
            ("203.0.113.7,2001:db8::1", ""),
            (
                "173.245.48.0/20, 2400:cb00::/32",
                "173.245.48.0/20 2400:cb00::/32",
            ),
            (
                "10.0.0.0/7,172.16.0.0/11,128.0.0.0/1",
                "10.0.0.0/7 172.16.0.0/11 128.0.0.0/1",
            ),
        ] {
            let proxies: TrustedProxies = text.parse().unwrap();
            let found: Vec<_> = proxies.public_networks().map(ToString::to_string).collect();
            assert_eq!(found.join(" "), public, "{text}");
        }
    }

    proptest! {
        #[test]
        fn forged_entries_do_not_change_the_address(claim in bytes(), line in bytes()) {
            let told = [&claim[..], b", 198.51.100.1"].concat();
            prop_assert_eq!(client("10.0.0.0/8", "10.1.2.3", &[&told]), is("198.51.100.1"));
            prop_assert_eq!(client("10.0.0.0/8", "10.1.2.3", &[&line, &told]), is("198.51.100.1"));
            prop_assert_eq!(client("10.0.0.0/8", "10.1.2.3", &[&claim[..], b"198.51.100.1"]), is("198.51.100.1"));
            prop_assert_eq!(client("none", "203.0.113.9", &[&line, &claim]), is("203.0.113.9"));
        }
    }

    /// Any bytes that a header may hold.
    fn bytes() -> impl Strategy<Value = Vec<u8>> {
        prop::collection::vec(
            prop_oneof![0x20..0x7f_u8, 0x80..=0xff_u8, Just(b'\t'), Just(b',')],
            0..80,
        )
    }
}
