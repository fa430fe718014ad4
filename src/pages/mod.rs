//! The page of each step.

pub mod accessibility;
pub mod connect;
pub mod entry;
pub mod problem;
