//! Metrics, in the exposition format of Prometheus (OpenMetrics text).
//!
//! Labels come from closed lists only: route patterns, the nine endpoints, names of outcomes. No
//! input of a client and nothing that the upstream sends can become a label.

use std::sync::Arc;

use prometheus_client::{
    encoding::text::encode,
    metrics::{
        counter::Counter, family::Family, gauge::ConstGauge, histogram::Histogram, info::Info,
    },
    registry::{Registry, Unit},
};
use strum::{EnumIter, IntoEnumIterator, IntoStaticStr};
use vincula_upstream::metrics::{Timed, Timers};

use crate::VERSION;

/// Upper bounds of the buckets, in seconds: a page takes milliseconds, an action as long as the
/// upstream.
const REQUEST_SECONDS: [f64; 14] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 30.0, 60.0,
];

/// The metrics of this process; clones share them.
#[derive(Clone)]
pub struct Metrics {
    registry: Arc<Registry>,
    requests: Timers,
    steps: Family<[(&'static str, &'static str); 1], Counter>,
}

/// A step of the funnel. It counts events, not people: opening a link twice counts twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumIter, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum FunnelStep {
    /// The entry page was served for a link. Link previews also count.
    Entry,
    /// The upstream validated the link.
    Validated,
    /// The client authorized the firm.
    Consent,
    /// Bank, name and CPF were saved.
    BankForm,
    /// Connect got its token.
    ConnectOpened,
    /// Connect returned an item (and the link was updated, if there was one).
    Linked,
    /// The success call was made.
    Success,
    /// Every integration was cancelled.
    Cancelled,
}

impl Metrics {
    /// The metrics of a program whose client of the widget API has these. It started at this time, in
    /// seconds since the Unix epoch.
    pub fn new(calls: &vincula_upstream::Metrics, started_at: u64) -> Self {
        let requests = Timers::new(["route", "status"], || Histogram::new(REQUEST_SECONDS));
        let steps = Family::<_, Counter>::default();
        // Each series starts at 0. A rate over a series that appears with its first count would
        // miss that count.
        for step in FunnelStep::iter() {
            let _ = steps.get_or_create(&[("step", step.into())]);
        }
        let mut registry = Registry::default();
        let all = registry.sub_registry_with_prefix("vincula");
        requests.register(
            all,
            "request",
            [
                "Requests by route pattern and status",
                "Time until the head of the response was ready",
            ],
        );
        calls.register(all);
        all.register(
            "journey_steps",
            "Steps that people have reached",
            steps.clone(),
        );
        all.register("build", "What runs", Info::new([("version", VERSION)]));
        registry.register_with_unit(
            "process_start_time",
            "When the process started, since the Unix epoch",
            Unit::Seconds,
            ConstGauge::new(started_at),
        );
        Self {
            registry: Arc::new(registry),
            requests,
            steps,
        }
    }

    /// All metrics as text.
    pub fn exposition(&self) -> String {
        let mut text = String::new();
        encode(&mut text, &self.registry).expect("writing to a String does not fail");
        text
    }

    /// Starts timing a request, which ends with a status.
    pub fn request(&self, route: String) -> Timed {
        self.requests.begin(route)
    }

    pub fn count_step(&self, step: FunnelStep) {
        self.steps.get_or_create(&[("step", step.into())]).inc();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Default for Metrics {
        fn default() -> Self {
            Self::new(&vincula_upstream::Metrics::default(), 1_795_900_000)
        }
    }

    #[test]
    fn steps_are_there_from_the_start() {
        let metrics = Metrics::default();
        metrics.count_step(FunnelStep::Consent);
        let text = metrics.exposition();
        for step in FunnelStep::iter() {
            let (name, count) = (<&str>::from(step), u8::from(step == FunnelStep::Consent));
            assert!(
                text.contains(&format!(
                    "vincula_journey_steps_total{{step=\"{name}\"}} {count}\n"
                )),
                "{name}"
            );
        }
        assert!(text.ends_with("# EOF\n"));
    }

    #[test]
    fn start_of_process_has_the_standard_name() {
        let text = Metrics::default().exposition();
        assert!(text.contains("\nprocess_start_time_seconds 1795900000\n"));
    }
}
