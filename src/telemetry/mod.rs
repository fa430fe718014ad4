//! What those who run the product can see: log lines, metrics, traces and health.

pub mod exposed;
pub mod health;
pub mod journey;
pub mod metrics;
pub mod log;
pub mod process;
pub mod plain;
pub mod trace;

pub use health::Readiness;
pub use metrics::{Delivery, Limit, Metrics};
pub use trace::Trace;
pub use log::{filter, init};
