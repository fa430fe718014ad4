//! How the widget API is called.

use std::time::Duration;

use clap::{Args, value_parser};

#[derive(Debug, Clone, Args)]
pub struct CallConfig {
    /// Longest time for one call to the widget API, in milliseconds.
    #[arg(
        long,
        env = "UPSTREAM_TIMEOUT_MS",
        default_value_t = 1_800_000,
        value_parser = value_parser!(u64).range(1..)
    )]
    upstream_timeout_ms: u64,

    /// Longest time to connect to the widget API, in milliseconds.
    #[arg(
        long,
        env = "UPSTREAM_CONNECT_TIMEOUT_MS",
        default_value_t = 10_000,
        value_parser = value_parser!(u64).range(1..)
    )]
    upstream_connect_timeout_ms: u64,

    /// Whether the widget API gets the evidence of a consent, in headers: the client's address, the
    /// browser and the SHA-256 of the text: true or false.
    #[arg(
        long,
        env = "CONSENT_EVIDENCE",
        default_value_t = true,
        action = clap::ArgAction::Set
    )]
    pub consent_evidence: bool,
}

impl CallConfig {
    /// Longest time for one call.
    pub fn timeout(&self) -> Duration {
        Duration::from_millis(self.upstream_timeout_ms)
    }

    /// Longest time to connect.
    pub fn connect_timeout(&self) -> Duration {
        Duration::from_millis(self.upstream_connect_timeout_ms)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use crate::config::tests::settings;

    #[test]
    fn calls_may_take_30_minutes_by_default() {
        let calls = settings(&[]).product.calls;
        assert_eq!(calls.timeout(), Duration::from_secs(1_800));
        assert_eq!(calls.connect_timeout(), Duration::from_secs(10));
    }

    #[test]
    fn evidence_is_sent_by_default() {
        assert!(settings(&[]).product.calls.consent_evidence);
    }
}
