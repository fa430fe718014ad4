//! The documents that the server renders, from a [`PageRequest`] and a [`Site`] that it provides as context.

// A view's type is nested as deeply as its markup.
#![recursion_limit = "256"]

mod back;
mod brand;
pub mod brands;
pub mod bundle;
mod contact;
mod document;
pub mod face;
mod head;
pub mod manifest;
mod no_script;
pub mod page_request;
mod prefetch;
mod progress;
mod react;
pub mod receipt;
mod recourse;
mod routing;
pub mod site;
pub mod steps;
pub mod theme;

pub use document::document;
pub use face::Face;
pub use page_request::{HeadScript, InPlace, PageRequest, View};
pub use recourse::{Recourse, Shared};
pub use routing::App;
pub use site::{Assets, Site};
