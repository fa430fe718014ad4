//! Layers in front of everything: request ids, metrics, the access log, the browser's policy, who may act and how often.

pub mod busy;
pub mod client_address;
pub mod compression;
pub mod csp_report;
pub mod framework;
pub mod framing;
pub mod held;
pub mod limits;
pub mod log;
pub mod measure;
pub mod origin;
pub mod panics;
pub mod places;
pub mod policy;
pub mod rate;
pub mod reports;
pub mod request_id;
pub mod shape;
pub mod shared;

pub use limits::{Limits, Place};
pub use request_id::RequestId;
