//! The page of each step.

pub mod accessibility;
pub mod bank_form;
pub mod connect;
pub mod consent;
pub mod entry;
pub mod problem;
