//! What comes alive in the browser: Leptos islands, and the bridge that mounts React.

pub mod accounts;
pub mod bridge;
pub mod cancel;
pub mod chunk;
mod markup;
pub mod notices;
pub mod page;
pub mod success;

#[cfg(feature = "ssr")]
pub mod manifest;

pub use accounts::LiveAccounts;
pub use bridge::ReactHost;
pub use cancel::CancelPanel;
pub use chunk::Chunk;
pub use notices::Notices;
pub use success::Success;
