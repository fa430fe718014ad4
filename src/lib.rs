//! Vincula: the client of an accounting firm links bank accounts over Open Finance.
//!
//! The program: settings, command line, state and router. The other parts are crates (`crates/`).

// The type of a view is nested as deeply as its markup.
#![recursion_limit = "256"]

pub mod cli;
pub mod config;
mod gallery;
pub mod http;
pub mod server;
pub mod session;
mod state;
pub mod steps;
pub mod telemetry;
#[cfg(test)]
mod tests;
