//! The steps: what each shows of a session, and its actions. `api.rs` has the server functions that
//! run the actions. A native form posts to the address of its page, and runs the same action.

pub mod accounts;
pub mod any_page;
pub mod bank_form;
pub mod cancel;
pub mod connect;
pub mod consent;
pub mod entry;
pub mod success;
