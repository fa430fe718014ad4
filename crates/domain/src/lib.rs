//! Code that the server and the browser share: CPF, CNPJ and bank codes, the administrator, tokens,
//! the problems behind the error screens, the wire types, the routes, and the
//! texts.

pub mod administrator;
pub mod bank;
pub mod page_path;
pub mod plain_text;
pub mod problem;
pub mod routes;
pub mod token;
pub mod unshown;
pub mod wire;
pub mod words;
