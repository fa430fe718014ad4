//! The values that the upstream client, the pages and the islands share: CPF, CNPJ and bank codes,
//! tokens, and how texts are compared.

pub mod bank;
pub mod plain_text;
pub mod token;
pub mod unshown;
