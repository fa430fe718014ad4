//! Code that the server and the browser share: documents and bank codes, tokens, the problems behind the error screens,
//! the wire types, the routes, and the words.

pub mod action;
pub mod administrator;
pub mod bank;
pub mod plain_text;
pub mod problem;
pub mod routes;
pub mod token;
pub mod wire;
pub mod words;
