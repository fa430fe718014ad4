//! What operators see: log lines, and metrics with the process's own.

pub mod line;
pub mod log;
pub mod metrics;
pub mod otlp;
pub mod process;

pub use metrics::{Cause, Limit, Metrics, Step};
