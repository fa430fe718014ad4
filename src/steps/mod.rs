//! The journey: one file is the page and the server functions of one step.

pub mod accessibility;
pub mod accounts;
pub mod bank_form;
pub mod cancel;
pub mod connect;
pub mod consent;
pub mod entry;
#[cfg(feature = "ssr")]
pub mod native;
pub mod problem;
#[cfg(feature = "ssr")]
pub mod reading;
pub mod success;
