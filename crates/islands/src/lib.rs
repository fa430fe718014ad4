//! The Leptos islands. The server renders them, and the browser hydrates them. One of them hosts
//! React screens.

// The lint also names islands that are exported: Leptos' macros generate the function anew.
#![allow(unreachable_pub)]
// The type of a view is nested as deeply as its markup.
#![recursion_limit = "256"]

pub mod accounts;
mod bridge;
mod call;
pub mod cancel;
mod context;
mod js;
mod page;
mod protocol;
mod react;
mod retry;
pub mod server;
mod success;
pub mod table;
mod view;

pub use accounts::LiveAccounts;
pub use cancel::CancelPanel;
pub use react::{ReactIsland, ReactScreen};
pub use success::Success;
