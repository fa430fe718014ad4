//! Metrics of the calls, which the program registers with its own.

use prometheus_client::{
    metrics::{counter::Counter, family::Family, gauge::Gauge, histogram::Histogram},
    registry::{Registry, Unit},
};
use strum::{EnumIter, IntoEnumIterator, IntoStaticStr};
use tokio::time::Instant;

/// Upper bounds of the buckets, in seconds, up to the half hour that a call may take.
const CALL_SECONDS: [f64; 14] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 60.0, 300.0, 1_800.0];

type Label = (&'static str, &'static str);

/// The metrics of the calls; clones share them.
#[derive(Debug, Clone)]
pub struct Metrics {
    calls: Family<[Label; 2], Counter>,
    seconds: Family<[Label; 1], Histogram>,
    in_flight: Gauge,
    deliveries: Family<[Label; 1], Counter>,
}

/// An event in the delivery of a success of Connect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumIter, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub(crate) enum Delivery {
    Delivered,
    /// A call failed and is retried.
    Repeated,
    /// An operator has to report the item manually.
    GivenUp,
}

impl Default for Metrics {
    fn default() -> Self {
        let deliveries = Family::<[Label; 1], Counter>::default();
        // Each series starts at 0: a rate over a series that appears with its first count misses that count.
        for delivery in Delivery::iter() {
            let _ = deliveries.get_or_create(&[("outcome", delivery.into())]);
        }
        Self {
            calls: Family::default(),
            seconds: Family::new_with_constructor(|| Histogram::new(CALL_SECONDS)),
            in_flight: Gauge::default(),
            deliveries,
        }
    }
}

impl Metrics {
    pub fn register(&self, all: &mut Registry) {
        all.register("upstream_calls", "Calls to the widget API by endpoint and outcome", self.calls.clone());
        let help = "Time of a whole call to the widget API";
        all.register_with_unit("upstream_call_duration", help, Unit::Seconds, self.seconds.clone());
        all.register("upstream_calls_in_flight", "Calls to the widget API under way", self.in_flight.clone());
        let help = "Successes of Connect on their way to the widget API";
        all.register("success_deliveries", help, self.deliveries.clone());
    }

    /// Starts timing a call to an endpoint. It counts as `dropped` unless [`TimedCall::finish`] is called.
    pub fn call(&self, endpoint: &'static str) -> TimedCall {
        self.in_flight.inc();
        TimedCall { metrics: self.clone(), endpoint, begun: Instant::now(), outcome: "dropped" }
    }

    pub(crate) fn delivery(&self, delivery: Delivery) {
        self.deliveries.get_or_create(&[("outcome", delivery.into())]).inc();
    }
}

/// A call in flight. Dropping it counts and times it, however it ended.
pub struct TimedCall {
    metrics: Metrics,
    endpoint: &'static str,
    pub(super) begun: Instant,
    outcome: &'static str,
}

impl TimedCall {
    /// Ends it with the name of an outcome.
    pub fn finish(mut self, outcome: &'static str) {
        self.outcome = outcome;
    }
}

impl Drop for TimedCall {
    fn drop(&mut self) {
        let Metrics { calls, seconds, in_flight, .. } = &self.metrics;
        in_flight.dec();
        calls.get_or_create(&[("endpoint", self.endpoint), ("outcome", self.outcome)]).inc();
        seconds.get_or_create(&[("endpoint", self.endpoint)]).observe(self.begun.elapsed().as_secs_f64());
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use prometheus_client::encoding::text::encode;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn what_ends_is_counted_and_timed_and_what_is_dropped_too() {
        let (metrics, mut registry) = (Metrics::default(), Registry::default());
        metrics.register(&mut registry);
        let text = || {
            let mut text = String::new();
            encode(&mut text, &registry).unwrap();
            text
        };
        let (answered, dropped) = (metrics.call("list-banks"), metrics.call("list-banks"));
        assert!(text().contains("upstream_calls_in_flight 2\n"));
        tokio::time::advance(Duration::from_millis(20)).await;
        answered.finish("ok");
        drop(dropped);
        metrics.delivery(Delivery::GivenUp);
        for line in [
            "upstream_calls_in_flight 0",
            r#"upstream_calls_total{endpoint="list-banks",outcome="ok"} 1"#,
            r#"upstream_calls_total{endpoint="list-banks",outcome="dropped"} 1"#,
            r#"upstream_call_duration_seconds_bucket{le="0.01",endpoint="list-banks"} 0"#,
            r#"upstream_call_duration_seconds_bucket{le="0.025",endpoint="list-banks"} 2"#,
            r#"success_deliveries_total{outcome="delivered"} 0"#,
            r#"success_deliveries_total{outcome="given_up"} 1"#,
        ] {
            assert!(text().contains(&format!("{line}\n")), "{line} is not in {}", text());
        }
    }
}
