//! Renders the documents from a [`PageRequest`] and a [`Site`], which the server provides as
//! context.

// The lint also names components that are exported: Leptos' macros generate the function anew.
#![allow(unreachable_pub)]
// A view's type is nested as deeply as its markup.
#![recursion_limit = "256"]

pub mod brands;
pub mod built;
mod document;
mod head;
pub mod page_request;
mod parts;
mod routing;
pub mod steps;

pub use brands::Face;
pub use built::Site;
pub use document::document;
pub use page_request::{ErrorScreen, InPlace, PageRequest, React, Screen};
pub use routing::App;
