//! HTTP of the product: sessions in sealed cookies, the layers around every request, and the server functions of the
//! islands, with forms for browsers without JavaScript.

pub mod action;
pub mod actions;
pub mod brasilia;
pub mod browser;
pub mod connect_settings;
pub mod evidence;
pub mod exposed;
pub mod health;
pub mod http;
pub mod inner;
pub mod session;
pub mod user_error;

pub use action::{ActionState, SessionAction};
pub use health::Readiness;
pub use inner::{Inner, Then};
