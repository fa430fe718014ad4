//! What the tests of several crates need: a widget API that a test scripts, and a log that it can
//! read. It imports none of our crates, and only dev-dependencies name it.
//!
//! The servers run in the runtime of their test, so a paused tokio clock applies to both sides.

// The whole crate is test code.
#![allow(clippy::unwrap_used)]

mod connection;
mod lines;
mod scripted;

pub use connection::unanswered;
pub use lines::{Lines, log_of_this_thread, subscribe};
pub use scripted::{Act, Received, ScriptedApi, profile};
