//! Vincula: the client of an accounting firm links bank accounts over Open Finance.
//!
//! The server (feature `ssr`) renders the pages, keeps the bearer token in a sealed cookie and proxies the widget API.
//! The wasm module (feature `hydrate`, see `front/`) wakes the islands and mounts React in them.

// A view's type is as deep as its markup.
#![recursion_limit = "256"]

pub mod error;
pub mod islands;
pub mod routes;
pub mod steps;
pub mod wire;
pub mod words;

#[cfg(feature = "ssr")]
pub mod app;
#[cfg(feature = "ssr")]
pub mod bank;
#[cfg(feature = "ssr")]
pub mod cli;
#[cfg(feature = "ssr")]
pub mod config;
#[cfg(feature = "ssr")]
#[cfg(any(test, fuzzing))]
pub mod fuzzing;
#[cfg(feature = "ssr")]
mod gallery;
#[cfg(feature = "ssr")]
pub mod http;
#[cfg(feature = "ssr")]
pub mod sandbox;
#[cfg(feature = "ssr")]
pub mod server;
#[cfg(feature = "ssr")]
pub mod session;
#[cfg(feature = "ssr")]
pub mod telemetry;
#[cfg(feature = "ssr")]
#[cfg(test)]
mod tests;
#[cfg(feature = "ssr")]
pub mod theme;
#[cfg(feature = "ssr")]
pub mod upstream;
