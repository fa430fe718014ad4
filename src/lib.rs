//! Vincula: clients of an accounting firm link their bank accounts over Open Finance.
//!
//! This crate is the server: settings, command line, session, layers, actions and router. The other
//! parts of Vincula are in `crates/`.

// Only the main function is exported, so the compiler finds dead code. Within the program, `pub`
// means that other modules use an item.
#![allow(unreachable_pub)]
// The type of a view is nested as deeply as its markup.
#![recursion_limit = "256"]

mod cli;
mod config;
mod http;
mod server;
mod session;
mod state;
mod steps;
mod telemetry;
#[cfg(test)]
mod tests;

pub use cli::main;
