//! What the tests of several crates need: a widget API that a test scripts, the examples
//! of the contract, and a log that a test can read. It imports none of our crates, and only dev-dependencies name it.
//!
//! The servers run in the runtime of their test, so a paused tokio clock applies to both sides.

#![expect(
    clippy::missing_panics_doc,
    clippy::unwrap_used,
    reason = "the whole crate is test code, which panics to fail a test"
)]

mod connection;
mod contract;
mod lines;
mod scripted;

pub use connection::unanswered;
pub use contract::{error_examples, example};
pub use lines::{Lines, log_of_this_thread, subscribe};
pub use scripted::{Act, Received, ScriptedApi, profile};
