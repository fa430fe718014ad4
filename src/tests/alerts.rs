//! The alerts and the dashboard name metrics that exist. An alert on any other never fires.

use std::fs;

use crate::telemetry::Metrics;

#[test]
fn alerts_and_dashboard_use_existing_metrics() {
    let calls = vincula_upstream::Metrics::default();
    let metrics = Metrics::new(&calls, 0);
    metrics.request("/".into()).end_as("200".into());
    calls.call("log").end_as("ok".into());
    let exposition = metrics.exposition();
    for path in [
        "deploy/prometheus/alerts.yaml",
        "deploy/grafana/vincula.json",
    ] {
        let text = fs::read_to_string(format!("{}/{path}", env!("CARGO_MANIFEST_DIR"))).unwrap();
        let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        let mut seen = 0;
        let is_metric = |word: &&str| {
            ["vincula_", "process_"]
                .iter()
                .any(|start| word.starts_with(start))
        };
        for name in words.filter(is_metric) {
            let exists = exposition.contains(&format!("\n{name}"));
            assert!(exists, "{path} names {name}");
            seen += 1;
        }
        assert!(seen > 0, "{path} names no metric");
    }
}
