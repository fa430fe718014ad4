//! Banks by code and name, and the tax ids of their clients.

mod brand;
mod tax_id;

pub use brand::brand_of;
use serde::{Deserialize, Serialize};
pub use tax_id::{TaxId, cpf_digits, punctuated_cnpj};

/// Longest code that is accepted, in bytes. Brazilian bank codes have 3 digits, their ISPB 8.
pub const MAX_CODE_BYTES: usize = 64;

/// A bank's code as in the bank list: 1 to 64 visible ASCII characters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BankCode(String);

impl BankCode {
    /// Accepts a code and trims the spaces around it; `None` if the rest is not a code.
    pub fn parse(text: &str) -> Option<Self> {
        let code = text.trim();
        let fits = !code.is_empty()
            && code.len() <= MAX_CODE_BYTES
            && code.bytes().all(|b| b.is_ascii_graphic());
        fits.then(|| Self(code.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_only_short_visible_codes() {
        assert_eq!(BankCode::parse(" 001 ").unwrap().as_str(), "001");
        for bad in ["", "  ", "0 1", "é", "a\u{0}", &"1".repeat(65)] {
            assert!(BankCode::parse(bad).is_none(), "{bad:?}");
        }
    }
}
