//! The steps. Each is a folder with its page, its server functions, its actions, its island and its
//! tests.

pub mod accounts;
#[cfg(feature = "ssr")]
pub mod any_page;
pub mod bank_form;
pub mod cancel;
pub mod connect;
pub mod consent;
pub mod entry;
#[cfg(feature = "ssr")]
mod router;
pub mod success;

#[cfg(feature = "ssr")]
pub use router::App;
