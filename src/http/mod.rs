//! The layers around the routes: request ids, metrics, the access log, security headers, the
//! same-origin check and limits.

pub mod admin;
pub mod client_address;
pub mod compression;
pub mod csrf;
pub mod error_pages;
pub mod from_layer;
pub mod limiter;
pub mod limits;
pub mod location;
pub mod log;
pub mod policy;
pub mod request_limits;

pub use from_layer::{FromLayer, MissingLayer};
pub use limits::{Admitted, Deliveries, Limits, Permit};
