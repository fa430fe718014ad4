//! What both wasm modules do to the page around their islands: toasts, events, timers.
//!
//! Neither Leptos nor serde, on purpose: the first screens wait for this code. All markup and all words are in the
//! document; what is here fills them in.

pub mod notices;
pub mod page;
pub mod timer;
