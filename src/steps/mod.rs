//! The steps. Each is a folder with its page, its server functions, its actions, its island and its
//! tests.

pub mod accessibility;
pub mod accounts;
pub mod bank_form;
pub mod cancel;
pub mod connect;
pub mod consent;
pub mod entry;
pub mod problem;
#[cfg(feature = "ssr")]
mod router;
pub mod success;

#[cfg(feature = "ssr")]
pub use router::App;
