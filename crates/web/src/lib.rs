//! The product's side of HTTP: the session in its sealed cookie, the layers that every request goes through, and the server
//! functions behind the islands, each with its form for browsers without JavaScript.

pub mod action;
pub mod actions;
pub mod exposed;
pub mod health;
pub mod http;
pub mod session;
pub mod user_error;

pub use action::{ActionState, SessionAction};
pub use health::Readiness;
