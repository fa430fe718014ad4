//! Banks by code and name, and the tax ids of their clients.

mod brand;
mod tax_id;

pub use brand::brand_of;
use serde::{Deserialize, Serialize};
pub use tax_id::{TaxId, cpf_digits, punctuated_cnpj};

use crate::plain_text::plain_text;

/// Longest code that is accepted, in bytes. Brazilian bank codes have 3 digits, their ISPB 8.
const MAX_CODE_LEN: usize = 64;

/// A bank's code as in the bank list: 1 to 64 visible ASCII characters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BankCode(String);

impl BankCode {
    /// Accepts a code and trims the spaces around it; `None` if the rest is not a code.
    pub fn parse(text: &str) -> Option<Self> {
        let code = text.trim();
        let fits = !code.is_empty()
            && code.len() <= MAX_CODE_LEN
            && code.bytes().all(|b| b.is_ascii_graphic());
        fits.then(|| Self(code.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Words that many banks have in their names.
const GENERIC: [&str; 9] = ["banco", "bco", "do", "da", "de", "dos", "das", "e", "the"];

/// Whether two names may mean the same bank, by their first distinctive word: "Nu Pagamentos S.A."
/// in the bank list may be "NUBANK" in the list of accounts. A name without such a word, for
/// example a bank code, may mean any bank. An empty name means no bank.
pub fn is_same_bank(one: &str, other: &str) -> bool {
    if one.trim().is_empty() || other.trim().is_empty() {
        return false;
    }
    let one = distinctive_word(one);
    let other = distinctive_word(other);
    one.starts_with(&other) || other.starts_with(&one)
}

/// The first word with a letter that is not generic, in plain text. Empty if there is no such word.
fn distinctive_word(name: &str) -> String {
    let plain = plain_text(name);
    let mut words = plain
        .split(' ')
        .filter(|word| word.bytes().any(|byte| byte.is_ascii_lowercase()));
    words
        .find(|word| !GENERIC.contains(word))
        .unwrap_or_default()
        .to_owned()
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

    #[test]
    fn matches_different_names_of_same_bank() {
        for (one, other) in [
            ("Nubank", "NU PAGAMENTOS - IP"),
            ("Itaú", "ITAU UNIBANCO S.A."),
            ("Banco do Brasil", "Banco do Brasil S.A."),
            ("Santander", "BANCO SANTANDER (BRASIL) S.A."),
            ("C6 Bank", "Banco C6 S.A."),
            ("Caixa", "Caixa Econômica Federal"),
            ("Itaú", "341 - ITAU UNIBANCO S.A."),
            ("Épico", "E\u{301}pico Pagamentos"),
        ] {
            assert!(
                is_same_bank(one, other) && is_same_bank(other, one),
                "{one} {other}"
            );
        }
        for (one, other) in [
            ("Nubank", "Banco Inter S.A."),
            ("Banco do Brasil", "BRB - Banco de Brasília S.A."),
        ] {
            assert!(
                !is_same_bank(one, other) && !is_same_bank(other, one),
                "{one} {other}"
            );
        }
    }

    #[test]
    fn matches_any_bank_without_distinctive_word() {
        for name in ["341", "Banco", "0341-X"] {
            assert_eq!(is_same_bank(name, "Nubank"), name != "0341-X", "{name}");
        }
    }

    #[test]
    fn matches_no_bank_without_name() {
        for name in ["", " "] {
            assert!(
                !is_same_bank(name, "Nubank")
                    && !is_same_bank("Nubank", name)
                    && !is_same_bank(name, name)
            );
        }
    }
}
