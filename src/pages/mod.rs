//! The page of each step.

pub mod accessibility;
pub mod entry;
pub mod problem;
