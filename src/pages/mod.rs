//! The page of each step.

pub mod accessibility;
pub mod bank_form;
pub mod connect;
pub mod entry;
pub mod problem;
