//! Metrics, in the exposition format of Prometheus (OpenMetrics text).
//!
//! Labels come from closed lists only: route patterns, the nine endpoints, names of outcomes. No
//! input of a client and nothing that the upstream sends can become a label.

use std::sync::Arc;

use axum::http::StatusCode;
use prometheus_client::{
    encoding::text::encode,
    metrics::{counter::Counter, family::Family, histogram::Histogram, info::Info},
    registry::Registry,
};
use strum::{EnumIter, IntoEnumIterator, IntoStaticStr};
use vincula_domain::wire::ConnectStep;
use vincula_upstream::metrics::{Timed, Timers};

/// Upper bounds of the buckets, in seconds: a page takes milliseconds, an action as long as the
/// upstream.
const REQUEST_SECONDS: [f64; 14] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 30.0, 60.0,
];

/// The metrics of this process; clones share them.
#[derive(Clone)]
pub struct Metrics {
    registry: Arc<Registry>,
    requests: Timers<4>,
    steps: Family<[(&'static str, &'static str); 1], Counter>,
}

/// A step of the funnel, which also contains the steps inside Connect ([`ConnectStep`]). It counts
/// events, not people: opening a link twice counts twice.
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

/// Who is responsible for a failed request. The status alone is ambiguous: an expired link and a
/// broken widget API are both a 502 for the browser, but only the second needs an operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumIter, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Cause {
    /// The request did not fail.
    None,
    /// The client: no session, an invalid form, too many requests, an unknown path.
    Client,
    /// The widget API rejected the call: an unknown or expired link, an unknown item, nothing to
    /// update.
    Refused,
    /// The client may retry: the server is at capacity or shutting down, or it rejected a prefetch.
    Later,
    /// This service or the widget API is broken. Only this cause triggers alerts.
    Failed,
}

impl Cause {
    /// The cause that a status implies.
    pub fn from_status(status: StatusCode) -> Self {
        match status.as_u16() {
            100..=399 => Self::None,
            400..=499 => Self::Client,
            503 => Self::Later,
            _ => Self::Failed,
        }
    }
}

impl Metrics {
    /// The metrics of a program whose client of the widget API has these.
    pub fn new(calls: &vincula_upstream::Metrics) -> Self {
        let requests = Timers::new(|| Histogram::new(REQUEST_SECONDS));
        let steps = Family::<_, Counter>::default();
        // Each series starts at 0. A rate over a series that appears with its first count would
        // miss that count.
        for step in FunnelStep::iter()
            .map(<&str>::from)
            .chain(ConnectStep::iter().map(<&str>::from))
        {
            let _ = steps.get_or_create(&[("step", step)]);
        }
        let mut registry = Registry::default();
        let all = registry.sub_registry_with_prefix("vincula");
        requests.register(
            all,
            "request",
            [
                "Requests by route pattern, status class and cause",
                "Time until the head of the answer was ready",
            ],
        );
        calls.register(all);
        all.register(
            "journey_steps",
            "Steps that people have reached",
            steps.clone(),
        );
        all.register(
            "build",
            "What runs",
            Info::new([("version", env!("CARGO_PKG_VERSION"))]),
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

    /// Starts timing a request, which ends with a status class and a cause.
    pub fn request(&self, method: &'static str, route: String) -> Timed<4> {
        let (status, cause) = ("left".into(), <&str>::from(Cause::None).into());
        let labels = [
            ("method", method.into()),
            ("route", route.into()),
            ("status", status),
            ("cause", cause),
        ];
        self.requests.begin(labels, 1)
    }

    /// Counts a step of the funnel: a [`FunnelStep`] or a [`ConnectStep`].
    pub fn count_step(&self, step: impl Into<&'static str>) {
        self.steps.get_or_create(&[("step", step.into())]).inc();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Default for Metrics {
        fn default() -> Self {
            Self::new(&vincula_upstream::Metrics::default())
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
        assert!(text.contains("vincula_success_deliveries_total{outcome=\"given_up\"} 0\n"));
        assert!(text.ends_with("# EOF\n"));
    }

    #[test]
    fn derives_cause_from_status() {
        for (status, cause) in [
            (200, Cause::None),
            (304, Cause::None),
            (404, Cause::Client),
            (429, Cause::Client),
            (500, Cause::Failed),
            (502, Cause::Failed),
            (503, Cause::Later),
        ] {
            assert_eq!(
                Cause::from_status(StatusCode::from_u16(status).unwrap()),
                cause,
                "{status}"
            );
        }
    }
}
