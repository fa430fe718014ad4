//! Renders the documents from a [`PageRequest`] and a [`Site`](crate::site::Site), which the server
//! provides as context.

mod document;
mod head;
mod page_request;
mod parts;
mod routing;
mod steps;

pub use document::document;
pub use head::InPlace;
pub use page_request::PageRequest;
pub use routing::App;
