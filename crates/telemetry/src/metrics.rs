//! Metrics, in the exposition format of Prometheus (OpenMetrics text).
//!
//! Labels come from closed lists only: route patterns, the nine endpoints, names of outcomes. No user input and nothing
//! that the upstream sends can become a label.

use std::{fmt, sync::Arc, time::Duration};

use prometheus_client::{
    encoding::{EncodeLabelSet, text::encode},
    metrics::{counter::Counter, family::Family, gauge::Gauge, histogram::Histogram, info::Info},
    registry::{Registry, Unit},
};
use tokio::time::Instant;

use super::{Cause, journey::Step, log::LostLines, process::Process};

/// Upper bounds of the buckets, in seconds: a page takes milliseconds, an action as long as the upstream.
const REQUEST_SECONDS: [f64; 14] =
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 30.0, 60.0];

/// Upper bounds of the buckets, in seconds, up to the half hour of spec §7.
const CALL_SECONDS: [f64; 14] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 60.0, 300.0, 1_800.0];

/// The metrics of this process; clones share them.
#[derive(Clone)]
pub struct Metrics(Arc<Numbers>);

struct Numbers {
    registry: Registry,
    requests: Family<Request, Counter>,
    request_seconds: Family<Route, Histogram>,
    requests_in_flight: Gauge,
    calls: Family<Call, Counter>,
    call_seconds: Family<Endpoint, Histogram>,
    calls_in_flight: Gauge,
    steps: Family<StepLabel, Counter>,
    refusals: Family<LimitLabel, Counter>,
    deliveries: Family<DeliveryLabel, Counter>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Request {
    method: &'static str,
    route: String,
    /// The status class (`2xx`), or `left` if the client disconnected before the response.
    status: &'static str,
    cause: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Route {
    route: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Call {
    endpoint: &'static str,
    outcome: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Endpoint {
    endpoint: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct StepLabel {
    step: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct LimitLabel {
    limit: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct DeliveryLabel {
    outcome: &'static str,
}

/// An event in the delivery of a success of Connect to the widget API (see `crates/upstream/src/deliver.rs`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivery {
    Delivered,
    /// A call failed and is retried.
    Repeated,
    /// An operator has to report the item manually.
    GivenUp,
}

impl Delivery {
    pub const ALL: [Self; 3] = [Self::Delivered, Self::Repeated, Self::GivenUp];

    fn name(self) -> &'static str {
        match self {
            Self::Delivered => "delivered",
            Self::Repeated => "repeated",
            Self::GivenUp => "given_up",
        }
    }
}

/// The limits for which the server rejects requests (see `src/http/limits.rs`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// Rate of validations from one address.
    Validations,
    /// Rate of actions from one address.
    Actions,
    /// Concurrent actions, from one address and in total.
    Concurrency,
    /// Log lines of failed islands.
    Reports,
}

impl Limit {
    pub const ALL: [Self; 4] = [Self::Validations, Self::Actions, Self::Concurrency, Self::Reports];

    fn name(self) -> &'static str {
        match self {
            Self::Validations => "validations_of_address",
            Self::Actions => "actions_of_address",
            Self::Concurrency => "actions_at_once",
            Self::Reports => "reports",
        }
    }
}

impl Default for Metrics {
    fn default() -> Self {
        let numbers = Numbers {
            registry: Registry::default(),
            requests: Family::default(),
            request_seconds: Family::new_with_constructor(|| Histogram::new(REQUEST_SECONDS)),
            requests_in_flight: Gauge::default(),
            calls: Family::default(),
            call_seconds: Family::new_with_constructor(|| Histogram::new(CALL_SECONDS)),
            calls_in_flight: Gauge::default(),
            steps: Family::default(),
            refusals: Family::default(),
            deliveries: Family::default(),
        };
        // Each series starts at 0: a rate over a series that appears with its first count misses that count.
        for step in Step::ALL {
            let _ = numbers.steps.get_or_create(&StepLabel { step: step.name() });
        }
        for limit in Limit::ALL {
            let _ = numbers.refusals.get_or_create(&LimitLabel { limit: limit.name() });
        }
        for delivery in Delivery::ALL {
            let _ = numbers.deliveries.get_or_create(&DeliveryLabel { outcome: delivery.name() });
        }
        Self(Arc::new(numbers.registered()))
    }
}

impl Numbers {
    fn registered(mut self) -> Self {
        self.registry.register_collector(Box::new(Process::started_now()));
        let all = self.registry.sub_registry_with_prefix("vincula");
        all.register("requests", "Requests by route pattern, status class and cause", self.requests.clone());
        all.register_with_unit(
            "request_duration",
            "Time until the head of the answer was ready",
            Unit::Seconds,
            self.request_seconds.clone(),
        );
        all.register("requests_in_flight", "Requests that are being answered", self.requests_in_flight.clone());
        all.register("upstream_calls", "Calls to the widget API by endpoint and outcome", self.calls.clone());
        all.register_with_unit(
            "upstream_call_duration",
            "Time of a whole call to the widget API",
            Unit::Seconds,
            self.call_seconds.clone(),
        );
        all.register("upstream_calls_in_flight", "Calls to the widget API under way", self.calls_in_flight.clone());
        all.register("journey_steps", "Steps that people have reached", self.steps.clone());
        all.register("refusals", "Requests refused by a limit", self.refusals.clone());
        all.register(
            "success_deliveries",
            "Successes of Connect on their way to the widget API",
            self.deliveries.clone(),
        );
        all.register_collector(Box::new(LostLines));
        all.register("build", "What runs", Info::new([("version", env!("CARGO_PKG_VERSION"))]));
        self
    }
}

impl Metrics {
    /// All metrics as text.
    pub fn exposition(&self) -> String {
        let mut text = String::new();
        encode(&mut text, &self.0.registry).expect("writing to a String does not fail");
        text
    }

    /// Starts timing a request. It counts as `left` unless [`Timed::finish`] is called.
    pub fn request(&self, method: &'static str, route: String) -> Timed {
        self.0.requests_in_flight.inc();
        Timed {
            metrics: self.clone(),
            subject: Subject::Request { method, route },
            begun: Instant::now(),
            end: "left",
            cause: Cause::None,
        }
    }

    /// Starts timing a call to an endpoint. It counts as `dropped` unless [`Timed::finish`] is called.
    pub fn call(&self, endpoint: &'static str) -> Timed {
        self.0.calls_in_flight.inc();
        Timed {
            metrics: self.clone(),
            subject: Subject::Call { endpoint },
            begun: Instant::now(),
            end: "dropped",
            cause: Cause::None,
        }
    }

    /// Counts a step of the funnel.
    pub fn count_step(&self, step: Step) {
        self.0.steps.get_or_create(&StepLabel { step: step.name() }).inc();
    }

    /// Counts an event in the delivery of a success of Connect.
    pub fn delivery(&self, delivery: Delivery) {
        self.0.deliveries.get_or_create(&DeliveryLabel { outcome: delivery.name() }).inc();
    }

    /// Counts a request that a limit rejected.
    pub fn count_rejection(&self, limit: Limit) {
        self.0.refusals.get_or_create(&LimitLabel { limit: limit.name() }).inc();
    }
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Metrics(…)")
    }
}

/// A request or call in flight. Dropping it counts and times it, however it ended.
#[derive(Debug)]
pub struct Timed {
    metrics: Metrics,
    subject: Subject,
    begun: Instant,
    end: &'static str,
    /// Of a request only.
    cause: Cause,
}

#[derive(Debug)]
enum Subject {
    Request { method: &'static str, route: String },
    Call { endpoint: &'static str },
}

impl Timed {
    /// Sets the cause of a failed request.
    pub fn with_cause(mut self, cause: Cause) -> Self {
        self.cause = cause;
        self
    }

    /// Ends it with a status class or the name of an outcome.
    pub fn finish(mut self, end: &'static str) {
        self.end = end;
    }
}

impl Drop for Timed {
    fn drop(&mut self) {
        let (numbers, took) = (&self.metrics.0, self.begun.elapsed());
        match &self.subject {
            Subject::Request { method, route } => {
                numbers.requests_in_flight.dec();
                let (status, cause) = (self.end, self.cause.name());
                let request = Request { method, route: route.clone(), status, cause };
                numbers.requests.get_or_create(&request).inc();
                observe(&numbers.request_seconds, &Route { route: route.clone() }, took);
            }
            Subject::Call { endpoint } => {
                numbers.calls_in_flight.dec();
                numbers.calls.get_or_create(&Call { endpoint, outcome: self.end }).inc();
                observe(&numbers.call_seconds, &Endpoint { endpoint }, took);
            }
        }
    }
}

fn observe<L>(family: &Family<L, Histogram>, labels: &L, took: Duration)
where
    L: Clone + std::hash::Hash + Eq,
{
    family.get_or_create(labels).observe(took.as_secs_f64());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn what_ends_is_counted_and_timed_and_what_is_dropped_too() {
        let metrics = Metrics::default();
        let answered = metrics.request("GET", "/a".into());
        let left = metrics.request("GET", "/a".into());
        let call = metrics.call("list-banks");
        assert!(metrics.exposition().contains("vincula_requests_in_flight 2\n"));
        tokio::time::advance(Duration::from_millis(20)).await;
        answered.with_cause(Cause::Refused).finish("3xx");
        call.finish("ok");
        drop(left);
        let text = metrics.exposition();
        for line in [
            "vincula_requests_in_flight 0",
            r#"vincula_requests_total{method="GET",route="/a",status="3xx",cause="refused"} 1"#,
            r#"vincula_requests_total{method="GET",route="/a",status="left",cause="none"} 1"#,
            r#"vincula_request_duration_seconds_count{route="/a"} 2"#,
            r#"vincula_request_duration_seconds_bucket{le="0.01",route="/a"} 0"#,
            r#"vincula_request_duration_seconds_bucket{le="0.025",route="/a"} 2"#,
            r#"vincula_upstream_calls_total{endpoint="list-banks",outcome="ok"} 1"#,
            r#"vincula_upstream_call_duration_seconds_count{endpoint="list-banks"} 1"#,
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
        metrics.delivery(Delivery::GivenUp);
        let text = metrics.exposition();
        for step in Step::ALL {
            let count = u8::from(step == Step::Consent);
            assert!(text.contains(&format!("vincula_journey_steps_total{{step=\"{}\"}} {count}\n", step.name())));
        }
        assert_eq!(text.matches("vincula_refusals_total{").count(), Limit::ALL.len());
        assert!(text.contains("vincula_refusals_total{limit=\"actions_at_once\"} 1\n"));
        for delivery in Delivery::ALL {
            let line = format!("vincula_success_deliveries_total{{outcome=\"{}\"}}", delivery.name());
            assert!(text.contains(&format!("{line} {}\n", u8::from(delivery == Delivery::GivenUp))), "{line}");
        }
        assert!(text.ends_with("# EOF\n"));
    }
}
