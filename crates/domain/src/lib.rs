//! Code that the server and the browser share: CPF, CNPJ and bank codes, the administrator, tokens,
//! the problems behind the error screens, the wire types, the routes and destinations, and the
//! texts.

pub mod action;
pub mod administrator;
pub mod bank;
#[cfg(not(target_arch = "wasm32"))]
pub mod destination;
#[cfg(any(target_arch = "wasm32", test))]
pub mod destination_in_browser;
pub mod plain_text;
pub mod problem;
pub mod routes;
pub mod token;
pub mod unshown;
pub mod wire;
pub mod words;

#[cfg(target_arch = "wasm32")]
pub use destination_in_browser as destination;
