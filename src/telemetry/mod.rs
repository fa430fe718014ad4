//! What operators see: log lines and metrics.

pub mod log;
pub mod metrics;
pub mod panics;

pub use metrics::{FunnelStep, Metrics};
