//! What surrounds the pages and actions: limits, metrics, log, traces, panics, connections.

mod connection;
mod deliveries;
mod ids;
mod layers;
mod listen;
mod metrics;
mod otlp;
pub mod panics;
pub mod privacy;
mod refusals;
