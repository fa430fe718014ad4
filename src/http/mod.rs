//! Layers in front of everything: request ids, the access log, the browser's policy, who may act.

pub mod log;
pub mod origin;
pub mod policy;
pub mod request_id;

pub use request_id::RequestId;
