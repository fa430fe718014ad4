//! Where the process listens.

use std::net::SocketAddr;

use clap::Args;

use super::{from_env, values::socket_addr};

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Server")]
pub struct ListeningConfig {
    /// Address to listen on.
    #[arg(
        long,
        env = "LISTEN_ADDR",
        default_value_t = site_addr(),
        value_parser = socket_addr
    )]
    pub listen_addr: SocketAddr,

    /// Address of /metrics for Prometheus, apart from the product, or none. Keep it from the public.
    #[arg(
        long,
        env = "METRICS_ADDR",
        default_value = DEFAULT_METRICS_ADDR,
        value_parser = metrics_addr
    )]
    pub metrics_addr: MetricsAddr,
}

/// `site-addr` of Cargo.toml, if cargo-leptos runs the program.
fn site_addr() -> SocketAddr {
    from_env("LEPTOS_SITE_ADDR")
        .and_then(|address| address.parse().ok())
        .unwrap_or(SocketAddr::from(([127, 0, 0, 1], 3000)))
}

/// The port of OpenTelemetry's exporters in Prometheus's list of ports, which has none for Vincula.
pub const DEFAULT_METRICS_ADDR: &str = "127.0.0.1:9464";

/// An address, or none. For clap, a field that is an `Option` by name would be one that may be
/// absent.
type MetricsAddr = Option<SocketAddr>;

fn metrics_addr(text: &str) -> Result<MetricsAddr, String> {
    if text == "none" {
        Ok(None)
    } else {
        socket_addr(text)
            .map(Some)
            .map_err(|error| format!("{error}, or none"))
    }
}

impl ListeningConfig {
    /// Rejects two addresses of which only one can be listened on.
    pub(super) fn check(&self) -> Result<(), String> {
        let listen = self.listen_addr;
        if let Some(metrics) = self.metrics_addr
            && overlap(metrics, listen)
        {
            return Err(format!(
                "METRICS_ADDR is {metrics}, which LISTEN_ADDR, {listen}, takes: \
                 expected another port"
            ));
        }
        Ok(())
    }
}

/// Whether only one of two addresses can be listened on. The system chooses a free port for port 0.
fn overlap(one: SocketAddr, other: SocketAddr) -> bool {
    let [a, b] = [one.ip(), other.ip()];
    one.port() == other.port()
        && one.port() != 0
        && (a == b || a.is_unspecified() || b.is_unspecified())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::tests::{parse, settings};

    #[test]
    fn listens_on_loopback_by_default() {
        let listening = settings(&[]).listening;
        assert_eq!(listening.listen_addr.to_string(), "127.0.0.1:3000");
        assert_eq!(
            listening.metrics_addr.unwrap().to_string(),
            DEFAULT_METRICS_ADDR
        );
    }

    #[test]
    fn metrics_address_can_be_none() {
        let listening = settings(&["--metrics-addr", "none"]).listening;
        assert_eq!(listening.metrics_addr, None);
    }

    #[test]
    fn metrics_have_an_address_of_their_own() {
        let check = |listen, metrics| {
            let addresses = [
                "--listen-addr",
                listen,
                "--metrics-addr",
                metrics,
                "--widget-api-url",
                "sandbox",
            ];
            parse(&addresses).unwrap().check().is_ok()
        };
        for (listen, metrics, fits) in [
            ("127.0.0.1:3000", "127.0.0.1:3000", false),
            ("0.0.0.0:3000", "127.0.0.1:3000", false),
            ("127.0.0.1:3000", "[::]:3000", false),
            ("127.0.0.1:3000", "127.0.0.1:3001", true),
            ("127.0.0.1:3000", "127.0.0.2:3000", true),
            ("127.0.0.1:0", "127.0.0.1:0", true),
            ("127.0.0.1:3000", "none", true),
        ] {
            assert_eq!(check(listen, metrics), fits, "{listen} and {metrics:?}");
        }
    }
}
