//! What those who run the product can see: log lines, metrics, traces and health.

pub mod cause;
pub mod exposed;
pub mod health;
pub mod journey;
pub mod log;
pub mod metrics;
pub mod plain;
pub mod process;
pub mod trace;

pub use cause::Cause;
pub use health::Readiness;
pub use log::{filter, init};
pub use metrics::{Delivery, Limit, Metrics};
pub use trace::Trace;
