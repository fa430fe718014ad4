//! Observability: log lines, metrics and traces.

pub mod cause;
pub mod journey;
#[cfg(test)]
#[path = "../../upstream/src/tests/lines.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod lines;
pub mod log;
pub mod metrics;
pub mod process;
pub mod sanitize;
pub mod trace;

pub use cause::Cause;
pub use journey::Step;
pub use metrics::{Delivery, Limit, Metrics};
pub use trace::Trace;
