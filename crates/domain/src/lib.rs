//! The values that the upstream client, the pages and the islands share: CPF, CNPJ and bank codes,
//! tokens, personal data, and how texts are compared.

pub mod bank;
pub mod plain_text;
mod private;
pub mod token;

pub use private::Private;
