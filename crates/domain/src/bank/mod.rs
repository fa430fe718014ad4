//! Value types for banks and tax ids; pure, without I/O.

pub mod bank_code;
pub mod bank_name;
pub mod cnpj;
pub mod tax_id;

pub use bank_code::BankCode;
pub use bank_name::is_same_bank;
pub use cnpj::Cnpj;
pub use tax_id::{Cpf, CpfError, TaxId};
