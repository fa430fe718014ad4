//! What operators see: log lines, metrics, and spans.

pub mod line;
pub mod log;
pub mod metrics;
pub mod otlp;

pub use metrics::{Cause, FunnelStep, Metrics};
