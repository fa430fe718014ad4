//! Vincula: clients of an accounting firm link their bank accounts over Open Finance.
//!
//! With the feature `ssr` this crate is the server: settings, command line, session, layers,
//! actions, pages and router. With `hydrate` it is the islands in the browser. The other parts of
//! Vincula are in `crates/`.

// Only the entry points are exported, so the compiler finds dead code.
#![expect(
    unreachable_pub,
    reason = "within the program, `pub` means that other modules use an item"
)]
#![cfg_attr(
    not(feature = "ssr"),
    expect(
        dead_code,
        reason = "the browser needs less of what it shares with the server"
    )
)]
// The type of a view is nested as deeply as its markup.
#![recursion_limit = "256"]

#[cfg(feature = "ssr")]
mod actions;
mod administrator;
#[cfg(feature = "ssr")]
mod app;
#[cfg(feature = "ssr")]
mod brands;
#[cfg(feature = "ssr")]
mod brasilia;
#[cfg(feature = "ssr")]
mod cli;
#[cfg(feature = "ssr")]
mod config;
mod destination;
mod failure;
#[cfg(feature = "ssr")]
mod http;
mod islands;
mod problem;
mod routes;
#[cfg(feature = "ssr")]
mod server;
#[cfg(feature = "ssr")]
mod session;
#[cfg(feature = "ssr")]
mod site;
#[cfg(feature = "ssr")]
mod state;
mod steps;
#[cfg(feature = "ssr")]
mod telemetry;
#[cfg(test)]
mod tests;
mod wire;
mod words;

#[cfg(feature = "ssr")]
pub use cli::main;

/// The version with its commit: `0.1.0+66bde07b`.
#[cfg(feature = "ssr")]
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "+", env!("VINCULA_COMMIT"));

/// Called once by Leptos' script, in the task that hydrates the islands. Throws without the page's
/// module: the islands stay as the server rendered them, so that native forms work.
#[cfg(feature = "hydrate")]
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn hydrate() {
    #[cfg(debug_assertions)]
    console_error_panic_hook::set_once();
    islands::page_module::begin_hydration();
    leptos::mount::hydrate_islands();
}
