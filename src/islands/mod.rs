//! The Leptos islands. The server renders them, and the browser hydrates them. One of them hosts
//! React screens.

mod bridge;
pub mod call;
pub mod context;
pub mod page_module;
pub mod react;
pub mod retry;
pub mod table;
pub mod text;
