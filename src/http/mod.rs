//! Layers around all routes: request ids, metrics, the access log, security headers, same-origin checks and limits.

pub mod actions;
pub mod busy;
pub mod client_address;
pub mod compression;
pub mod concurrency;
pub mod exposed;
pub mod health;
pub mod journey;
pub mod limits;
pub mod log;
pub mod log_budget;
pub mod measure;
pub mod origin;
pub mod panics;
pub mod policy;
pub mod rate;
pub mod request_id;
pub mod request_limits;

pub use limits::{Deliveries, Limits, Permit};
pub use request_id::RequestId;
