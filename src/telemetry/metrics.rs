//! Metrics, in the exposition format of Prometheus (OpenMetrics text).
//!
//! Labels come from closed lists only: route patterns, the nine endpoints, names of outcomes. No user input and nothing
//! that the upstream sends can become a label.

use std::{borrow::Cow, sync::Arc};

use axum::http::StatusCode;
use prometheus_client::{
    encoding::text::encode,
    metrics::{counter::Counter, family::Family, gauge::Gauge, histogram::Histogram, info::Info},
    registry::{Registry, Unit},
};
use strum::{EnumIter, IntoEnumIterator, IntoStaticStr};
use tokio::time::Instant;
use vincula_domain::wire::ConnectStep;

use super::process::Process;

/// Upper bounds of the buckets, in seconds: a page takes milliseconds, an action as long as the upstream.
const REQUEST_SECONDS: [f64; 14] =
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 30.0, 60.0];

type Label = (&'static str, Cow<'static, str>);

/// The metrics of this process; clones share them.
#[derive(Clone)]
pub struct Metrics {
    registry: Arc<Registry>,
    requests: Family<[Label; 4], Counter>,
    request_seconds: Family<[Label; 1], Histogram>,
    requests_in_flight: Gauge,
    steps: Family<[(&'static str, &'static str); 1], Counter>,
    rejections: Family<[(&'static str, &'static str); 1], Counter>,
}

/// A step of the funnel, to which those inside Connect ([`ConnectStep`]) belong, too. It counts events, not people:
/// opening a link twice counts twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumIter, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Step {
    /// The entry page was served for a link. Link previews count, too.
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

/// The limits for which the server rejects requests (see `src/http/limits.rs`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumIter, IntoStaticStr)]
pub enum Limit {
    /// Rate of validations from one address.
    #[strum(serialize = "validations_of_address")]
    Validations,
    /// Rate of actions from one address.
    #[strum(serialize = "actions_of_address")]
    Actions,
    /// Concurrent actions, from one address and in total.
    #[strum(serialize = "actions_at_once")]
    Concurrency,
    /// Log lines of failed islands.
    #[strum(serialize = "reports")]
    Reports,
}

/// Who is responsible for a failed request. The status alone is ambiguous: an expired link and a broken widget API are
/// both a 502 for the browser, but only the second needs an operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumIter, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Cause {
    /// The request did not fail.
    None,
    /// The client: no session, an invalid form, too many requests, an unknown path.
    Client,
    /// The widget API rejected the call: an unknown or expired link, an unknown item, nothing to update.
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
        let (requests, requests_in_flight) = (Family::default(), Gauge::default());
        let request_seconds = Family::new_with_constructor((|| Histogram::new(REQUEST_SECONDS)) as fn() -> Histogram);
        let (steps, rejections) = (Family::<_, Counter>::default(), Family::<_, Counter>::default());
        // Each series starts at 0: a rate over a series that appears with its first count misses that count.
        for step in Step::iter().map(<&str>::from).chain(ConnectStep::iter().map(<&str>::from)) {
            let _ = steps.get_or_create(&[("step", step)]);
        }
        for limit in Limit::iter() {
            let _ = rejections.get_or_create(&[("limit", limit.into())]);
        }
        let mut registry = Registry::default();
        registry.register_collector(Box::new(Process::started_now()));
        let all = registry.sub_registry_with_prefix("vincula");
        all.register("requests", "Requests by route pattern, status class and cause", requests.clone());
        let help = "Time until the head of the answer was ready";
        all.register_with_unit("request_duration", help, Unit::Seconds, request_seconds.clone());
        all.register("requests_in_flight", "Requests that are being answered", requests_in_flight.clone());
        calls.register(all);
        all.register("journey_steps", "Steps that people have reached", steps.clone());
        all.register("refusals", "Requests refused by a limit", rejections.clone());
        all.register("build", "What runs", Info::new([("version", env!("CARGO_PKG_VERSION"))]));
        Self { registry: Arc::new(registry), requests, request_seconds, requests_in_flight, steps, rejections }
    }

    /// All metrics as text.
    pub fn exposition(&self) -> String {
        let mut text = String::new();
        encode(&mut text, &self.registry).expect("writing to a String does not fail");
        text
    }

    /// Starts timing a request. It counts as `left` unless [`TimedRequest::finish`] is called.
    pub fn request(&self, method: &'static str, route: String) -> TimedRequest {
        self.requests_in_flight.inc();
        TimedRequest { metrics: self.clone(), method, route, begun: Instant::now(), end: ("left".into(), Cause::None) }
    }

    /// Counts a step of the funnel: a [`Step`] or a [`ConnectStep`].
    pub fn count_step(&self, step: impl Into<&'static str>) {
        self.steps.get_or_create(&[("step", step.into())]).inc();
    }

    /// Counts a request that a limit rejected.
    pub fn count_rejection(&self, limit: Limit) {
        self.rejections.get_or_create(&[("limit", limit.into())]).inc();
    }
}

/// A request in flight. Dropping it counts and times it, however it ended.
pub struct TimedRequest {
    metrics: Metrics,
    method: &'static str,
    route: String,
    begun: Instant,
    /// The status class and the cause, once it is answered.
    end: (Cow<'static, str>, Cause),
}

impl TimedRequest {
    /// Ends it with a status class and a cause.
    pub fn finish(mut self, status: String, cause: Cause) {
        self.end = (status.into(), cause);
    }
}

impl Drop for TimedRequest {
    fn drop(&mut self) {
        let metrics = &self.metrics;
        metrics.requests_in_flight.dec();
        let route: Cow<'static, str> = std::mem::take(&mut self.route).into();
        let (status, cause) = (std::mem::take(&mut self.end.0), <&str>::from(self.end.1).into());
        let labels = [("method", self.method.into()), ("route", route.clone()), ("status", status), ("cause", cause)];
        metrics.requests.get_or_create(&labels).inc();
        metrics.request_seconds.get_or_create(&[("route", route)]).observe(self.begun.elapsed().as_secs_f64());
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    impl Default for Metrics {
        fn default() -> Self {
            Self::new(&vincula_upstream::Metrics::default())
        }
    }

    #[tokio::test(start_paused = true)]
    async fn what_ends_is_counted_and_timed_and_what_is_dropped_too() {
        let metrics = Metrics::default();
        let answered = metrics.request("GET", "/a".into());
        let left = metrics.request("GET", "/a".into());
        assert!(metrics.exposition().contains("vincula_requests_in_flight 2\n"));
        tokio::time::advance(Duration::from_millis(20)).await;
        answered.finish("3xx".to_owned(), Cause::Refused);
        drop(left);
        let text = metrics.exposition();
        for line in [
            "vincula_requests_in_flight 0",
            r#"vincula_requests_total{method="GET",route="/a",status="3xx",cause="refused"} 1"#,
            r#"vincula_requests_total{method="GET",route="/a",status="left",cause="none"} 1"#,
            r#"vincula_request_duration_seconds_count{route="/a"} 2"#,
            r#"vincula_request_duration_seconds_bucket{le="0.01",route="/a"} 0"#,
            r#"vincula_request_duration_seconds_bucket{le="0.025",route="/a"} 2"#,
            "vincula_upstream_calls_in_flight 0",
        ] {
            assert!(text.contains(&format!("{line}\n")), "{line} is not in {text}");
        }
    }

    #[test]
    fn steps_and_limits_are_there_from_the_start() {
        let metrics = Metrics::default();
        metrics.count_step(Step::Consent);
        metrics.count_rejection(Limit::Concurrency);
        let text = metrics.exposition();
        for step in Step::iter() {
            let (name, count) = (<&str>::from(step), u8::from(step == Step::Consent));
            assert!(text.contains(&format!("vincula_journey_steps_total{{step=\"{name}\"}} {count}\n")), "{name}");
        }
        assert_eq!(text.matches("vincula_refusals_total{").count(), Limit::iter().count());
        assert!(text.contains("vincula_refusals_total{limit=\"actions_at_once\"} 1\n"));
        assert!(text.contains("vincula_success_deliveries_total{outcome=\"given_up\"} 0\n"));
        assert!(text.ends_with("# EOF\n"));
    }

    #[test]
    fn a_status_implies_a_cause() {
        for (status, cause) in [
            (200, Cause::None),
            (304, Cause::None),
            (404, Cause::Client),
            (429, Cause::Client),
            (500, Cause::Failed),
            (502, Cause::Failed),
            (503, Cause::Later),
        ] {
            assert_eq!(Cause::from_status(StatusCode::from_u16(status).unwrap()), cause, "{status}");
        }
    }
}
