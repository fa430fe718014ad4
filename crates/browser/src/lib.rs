//! What both wasm modules need of the page: its client, its events, timers.
//!
//! Neither Leptos nor serde, on purpose: the first screens wait for this code.

pub mod client;
pub mod page;
pub mod tab;
pub mod timer;
