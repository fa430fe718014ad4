//! The layers around the routes: request ids, metrics, the access log, security headers, the
//! same-origin check and limits.

pub mod admin;
pub mod body;
pub mod client_address;
pub mod csrf;
pub mod error_pages;
pub mod identify;
pub mod location;
pub mod log;
pub mod policy;
pub mod rate_limit;
mod target;

pub use target::Target;
