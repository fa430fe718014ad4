//! Layers around all routes: request ids, metrics, the access log, security headers, same-origin checks and limits.

pub mod actions;
pub mod admin;
pub mod busy;
pub mod client_address;
pub mod compression;
pub mod limiter;
pub mod limits;
pub mod log;
pub mod origin;
pub mod panics;
pub mod policy;
pub mod request_limits;

pub use limits::{Deliveries, Limits, Permit};
