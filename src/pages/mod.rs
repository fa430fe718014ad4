//! Renders the documents from a [`PageRequest`] and a [`Site`], which the server provides as
//! context.

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
pub use head::InPlace;
pub use page_request::{ErrorScreen, PageRequest, Screen};
pub use routing::App;
