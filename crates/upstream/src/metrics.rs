//! Metrics of the calls, which the program registers with its own.

use prometheus_client::{
    metrics::{counter::Counter, family::Family, histogram::Histogram},
    registry::{Registry, Unit},
};
use tokio::time::Instant;

/// Upper bounds of the buckets, in seconds, up to the half hour that a call may take.
const CALL_SECONDS: [f64; 14] = [
    0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 60.0, 300.0, 1_800.0,
];

/// Metrics of an activity: how often it ended in which way, and how long it took. Clones share the
/// values.
#[derive(Debug, Clone)]
pub struct Timers {
    /// The labels of what was done, and of how it ended.
    labels: [&'static str; 2],
    ended: Family<[(&'static str, String); 2], Counter>,
    seconds: Family<[(&'static str, String); 1], Histogram>,
}

/// One activity in progress. Dropping it counts and times it, however it ended.
pub struct Timed {
    timers: Timers,
    what: String,
    end: String,
    pub begun: Instant,
}

impl Timers {
    pub fn new(labels: [&'static str; 2], histogram: fn() -> Histogram) -> Self {
        Self {
            labels,
            ended: Family::default(),
            seconds: Family::new_with_constructor(histogram),
        }
    }

    /// Registers the metrics. Their names begin with `one`, the name of one activity.
    pub fn register(&self, all: &mut Registry, one: &str, [ended, seconds]: [&str; 2]) {
        all.register(format!("{one}s"), ended, self.ended.clone());
        all.register_with_unit(
            format!("{one}_duration"),
            seconds,
            Unit::Seconds,
            self.seconds.clone(),
        );
    }

    /// Starts an activity. It ends as `dropped` unless [`Timed::end_as`] names another end.
    pub fn begin(&self, what: String) -> Timed {
        Timed {
            timers: self.clone(),
            what,
            end: "dropped".to_owned(),
            begun: Instant::now(),
        }
    }
}

impl Timed {
    /// Names the end of the activity.
    pub fn end_as(&mut self, end: String) {
        self.end = end;
    }
}

impl Drop for Timed {
    fn drop(&mut self) {
        let Timers {
            labels: [what, end],
            ended,
            seconds,
        } = &self.timers;
        let what = (*what, self.what.clone());
        ended
            .get_or_create(&[what.clone(), (*end, self.end.clone())])
            .inc();
        seconds
            .get_or_create(&[what])
            .observe(self.begun.elapsed().as_secs_f64());
    }
}

/// The metrics of the calls; clones share them.
#[derive(Debug, Clone)]
pub struct Metrics {
    calls: Timers,
}

impl Default for Metrics {
    fn default() -> Self {
        Self {
            calls: Timers::new(["endpoint", "outcome"], || Histogram::new(CALL_SECONDS)),
        }
    }
}

impl Metrics {
    pub fn register(&self, all: &mut Registry) {
        let calls = "Calls to the widget API by endpoint and outcome";
        let about = [calls, "Time of a whole call to the widget API"];
        self.calls.register(all, "upstream_call", about);
    }

    /// Starts timing a call to an endpoint.
    pub fn call(&self, endpoint: &str) -> Timed {
        self.calls.begin(endpoint.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use prometheus_client::encoding::text::encode;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn counts_and_times_finished_and_dropped_work() {
        let (metrics, mut registry) = (Metrics::default(), Registry::default());
        metrics.register(&mut registry);
        let text = || {
            let mut text = String::new();
            encode(&mut text, &registry).unwrap();
            text
        };
        let (mut answered, dropped) = (metrics.call("list-banks"), metrics.call("list-banks"));
        tokio::time::advance(Duration::from_millis(20)).await;
        answered.end_as("ok".to_owned());
        drop((answered, dropped));
        for line in [
            r#"upstream_calls_total{endpoint="list-banks",outcome="ok"} 1"#,
            r#"upstream_calls_total{endpoint="list-banks",outcome="dropped"} 1"#,
            r#"upstream_call_duration_seconds_bucket{le="0.01",endpoint="list-banks"} 0"#,
            r#"upstream_call_duration_seconds_bucket{le="0.025",endpoint="list-banks"} 2"#,
        ] {
            assert!(
                text().contains(&format!("{line}\n")),
                "{line} is not in {}",
                text()
            );
        }
    }
}
