//! What the server and the browser have in common: documents and bank codes, the link's token, the problems that a person
//! is told about, the types that cross between the two, the routes, and the words.

pub mod action;
pub mod bank;
mod failure;
pub mod problem;
pub mod routes;
pub mod token;
pub mod wire;
pub mod words;
