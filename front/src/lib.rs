//! The wasm module of the pages. It exports what the crate `vincula` exports to JavaScript: the
//! hydration of the pages and of each island.

// For another target the crate is empty.
#![cfg(target_arch = "wasm32")]

use vincula as _;
