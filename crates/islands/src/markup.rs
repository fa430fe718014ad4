//! Class names of elements that first appear in the browser.
//!
//! Constants, not literals in the markup: elements of nothing but literals are made through `innerHTML` there, which
//! Trusted Types forbid.

pub const SKELETON: &str = "skeleton skeleton__line";
pub const SPINNER: &str = "button__spinner";
