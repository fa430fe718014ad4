//! The page of each step.

pub mod accessibility;
pub mod problem;
