//! Values of the bank world, without input or output.

pub mod bank_code;
pub mod tax_id;

pub use bank_code::BankCode;
pub use tax_id::{Cpf, CpfError, TaxId};
