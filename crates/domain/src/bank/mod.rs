//! Value types for banks and tax ids; pure, without I/O.

pub mod bank_code;
pub mod tax_id;

pub use bank_code::BankCode;
pub use tax_id::{Cpf, CpfError, TaxId};
