//! Class names of elements that only the browser creates.
//!
//! Constants, not literals in the markup: Leptos creates elements that consist of literals only through `innerHTML`,
//! which Trusted Types forbid.

pub const SKELETON: &str = "skeleton skeleton__line";
pub const SPINNER: &str = "button__spinner";
