//! The actions, one file for each step. `api.rs` has the server functions that run them. A native
//! form posts to the address of its page, and runs the same action.

pub mod accounts;
pub mod any_page;
pub mod bank_form;
pub mod cancel;
pub mod connect;
pub mod connect_settings;
pub mod consent;
pub mod entry;
pub mod success;
