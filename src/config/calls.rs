//! How the widget API is called.

use std::time::Duration;

use clap::Args;

use super::values::milliseconds;

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Widget API")]
pub struct CallConfig {
    /// Longest time for one call to the widget API, in milliseconds. Set 30000 unless the API
    /// really takes longer.
    #[arg(
        long,
        env = "UPSTREAM_TIMEOUT_MS",
        default_value = "1800000",
        value_parser = milliseconds
    )]
    pub upstream_timeout_ms: Duration,

    /// Whether the widget API gets the evidence of a consent, in headers: the client's address, the
    /// browser and the version of the text.
    #[arg(
        long,
        env = "CONSENT_EVIDENCE",
        default_value_t = false,
        action = clap::ArgAction::Set
    )]
    pub consent_evidence: bool,
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use crate::config::tests::settings;

    #[test]
    fn calls_may_take_30_minutes_by_default() {
        let calls = settings(&[]).product.calls;
        assert_eq!(calls.upstream_timeout_ms, Duration::from_mins(30));
    }

    #[test]
    fn evidence_is_not_sent_by_default() {
        assert!(!settings(&[]).product.calls.consent_evidence);
    }
}
