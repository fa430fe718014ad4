//! DOM helpers of both wasm modules, for the page around their islands: toasts, events, timers.
//!
//! Deliberately without Leptos and serde: the first screens wait for this code to load. Markup and words are in the
//! document; this code only fills them in.

pub mod notices;
pub mod page;
pub mod timer;
