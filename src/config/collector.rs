//! The collector of OpenTelemetry, by the names that its specification gives the settings.

use clap::Args;
use reqwest::Url;

use super::values::{Unshown, http_url};

/// Where spans are sent. The exporter itself reads the other settings of OpenTelemetry, for example
/// the sampler's.
#[derive(Debug, Clone, Default, Args)]
pub struct CollectorConfig {
    /// Address of an OpenTelemetry collector, to which spans are sent at /v1/traces below it, by
    /// HTTP with protobuf. Absent: spans are not sent.
    #[arg(long, env = "OTEL_EXPORTER_OTLP_ENDPOINT", value_parser = Unshown(address))]
    otel_exporter_otlp_endpoint: Option<Address>,

    /// The whole address to which spans are sent, in place of the one that
    /// OTEL_EXPORTER_OTLP_ENDPOINT gives.
    #[arg(long, env = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", value_parser = Unshown(address))]
    otel_exporter_otlp_traces_endpoint: Option<Address>,
}

/// An address, or none for an empty text, which counts as absent.
type Address = Option<Url>;

fn address(text: &str) -> Result<Address, String> {
    if text.is_empty() {
        Ok(None)
    } else {
        http_url(text).map(Some)
    }
}

impl CollectorConfig {
    /// The address to which spans are sent; `None` if they are not.
    pub fn traces(&self) -> Option<Url> {
        if let Some(Some(url)) = &self.otel_exporter_otlp_traces_endpoint {
            return Some(url.clone());
        }
        let mut url = self.otel_exporter_otlp_endpoint.clone().flatten()?;
        let path = format!("{}/v1/traces", url.path().trim_end_matches('/'));
        url.set_path(&path);
        Some(url)
    }
}

#[cfg(test)]
mod tests {
    use crate::config::tests::settings;

    fn traces(args: &[&str]) -> Option<String> {
        let collector = settings(args).collector;
        collector.traces().map(|url| url.to_string())
    }

    #[test]
    fn spans_are_sent_below_the_collectors_address_or_to_their_own() {
        const ALL: &str = "--otel-exporter-otlp-endpoint";
        const TRACES: &str = "--otel-exporter-otlp-traces-endpoint";
        assert_eq!(traces(&[]), None);
        assert_eq!(traces(&[ALL, "", TRACES, ""]), None);
        let below = |base| traces(&[ALL, base, TRACES, ""]).unwrap();
        assert_eq!(
            below("http://collector:4318"),
            "http://collector:4318/v1/traces"
        );
        assert_eq!(
            below("https://c.example/otlp/"),
            "https://c.example/otlp/v1/traces"
        );
        let own = traces(&[ALL, "http://a:4318", TRACES, "http://b/in"]);
        assert_eq!(own.as_deref(), Some("http://b/in"));
    }
}
