//! What comes alive in the browser: Leptos islands, and the bridge that mounts React.

pub mod accounts;
pub mod call;
pub mod cancel;
pub mod chunk;
mod dynamic;
mod markup;
mod page;
pub mod react;
mod session;
pub mod success;
pub mod table;

#[cfg(feature = "ssr")]
pub mod manifest;

pub use accounts::LiveAccounts;
pub use cancel::CancelPanel;
pub use chunk::{Chunk, WasmModule};
pub use react::ReactHost;
pub use success::Success;
