//! What surrounds the pages and actions: limits, metrics, log, panics, connections.

mod bodies;
mod ids;
mod listen;
mod metrics;
pub mod panics;
pub mod privacy;
mod rejections;
