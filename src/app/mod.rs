//! The document around each step. Each step's page renders a [`Document`] with its own [`Facts`].

mod document;
mod facts;
mod head;
pub mod parts;
mod request;

pub use document::Document;
pub use facts::{Chrome, Facts, Islands, OpensConnect};
pub use head::InPlace;
pub use request::{PageRequest, provide_request, request};
