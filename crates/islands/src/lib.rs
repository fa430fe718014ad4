//! The Leptos islands: the server renders them, and the browser hydrates them. One of them holds a screen of React.

// A view's type is as deep as its markup.
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
