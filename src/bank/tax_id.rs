//! CPF and CNPJ, the tax ids of people and companies.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Documents of this many characters or fewer are an individual's (spec §3, §9).
const INDIVIDUAL_MAX_CHARS: usize = 11;

/// A valid CPF: 11 digits whose check digits are right (spec §5). `Debug` hides it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Cpf(String);

/// Why a text is not a CPF.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CpfError {
    #[error("no CPF given")]
    Missing,
    #[error("not a valid CPF")]
    Invalid,
}

impl Cpf {
    /// Reads a CPF; dots, dashes and spaces are ignored.
    ///
    /// # Errors
    /// `Missing` for a text of nothing but those, `Invalid` for all else that is not a CPF.
    pub fn parse(text: &str) -> Result<Self, CpfError> {
        let bare = without_punctuation(text);
        if bare.is_empty() {
            return Err(CpfError::Missing);
        }
        let digits: Option<Vec<u32>> = bare.chars().map(|c| c.is_ascii_digit().then(|| c as u32 - 48)).collect();
        match digits {
            Some(digits) if has_right_check_digits(&digits) => Ok(Self(bare)),
            _ => Err(CpfError::Invalid),
        }
    }

    /// The 11 digits.
    pub fn digits(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Cpf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Cpf(…)")
    }
}

impl TryFrom<String> for Cpf {
    type Error = CpfError;

    fn try_from(text: String) -> Result<Self, CpfError> {
        Self::parse(&text)
    }
}

impl From<Cpf> for String {
    fn from(cpf: Cpf) -> Self {
        cpf.0
    }
}

/// A client's document exactly as the upstream wrote it: a CPF or a CNPJ, which may have letters (design D15).
/// It is never checked nor changed, only told apart. `Debug` hides it.
#[derive(Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TaxId(String);

impl TaxId {
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn is_empty(&self) -> bool {
        self.bare().is_empty()
    }

    /// Whether it has 11 or fewer characters, punctuation aside: the mark of an individual (spec §3).
    pub fn is_individual(&self) -> bool {
        self.bare().chars().count() <= INDIVIDUAL_MAX_CHARS
    }

    /// The document with all but a few characters hidden, for the person to recognise: `***.982.247-**`.
    pub fn masked(&self) -> String {
        let bare: Vec<char> = self.bare().chars().collect();
        let part = |from: usize, to: usize| bare[from..to].iter().collect::<String>();
        match bare.len() {
            11 => format!("***.{}.{}-**", part(3, 6), part(6, 9)),
            14 => format!("**.{}.{}/{}-**", part(2, 5), part(5, 8), part(8, 12)),
            _ => String::new(),
        }
    }

    /// The document without dots, dashes, slashes and spaces; letters stay.
    pub fn bare(&self) -> String {
        without_punctuation(&self.0)
    }
}

impl fmt::Debug for TaxId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TaxId(…)")
    }
}

fn without_punctuation(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && !matches!(c, '.' | '-' | '/')).collect()
}

fn has_right_check_digits(digits: &[u32]) -> bool {
    let [first, ..] = digits else { return false };
    digits.len() == 11
        && digits.iter().any(|d| d != first)
        && [9, 10].into_iter().all(|at| check_digit(&digits[..at]) == digits[at])
}

/// The check digit that follows these digits: weights from 2 upwards from the right, modulo 11.
fn check_digit(digits: &[u32]) -> u32 {
    let sum: u32 = digits.iter().rev().zip(2..).map(|(digit, weight)| digit * weight).sum();
    match sum % 11 {
        0 | 1 => 0,
        rest => 11 - rest,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Deserialize)]
    struct Case {
        text: String,
        verdict: String,
    }

    /// The same table is run by the browser's rules (`islands-react/src/bank-form/rules.test.ts`).
    #[test]
    fn cpf_table() {
        let cases: Vec<Case> = serde_json::from_str(include_str!("cpf_cases.json")).unwrap();
        assert!(cases.len() > 15);
        for Case { text, verdict } in cases {
            let got = match Cpf::parse(&text) {
                Ok(cpf) => cpf.digits().to_owned(),
                Err(CpfError::Missing) => "required".to_owned(),
                Err(CpfError::Invalid) => "invalid".to_owned(),
            };
            assert_eq!(got, verdict, "{text:?}");
        }
    }

    #[test]
    fn eleven_characters_are_an_individual_and_letters_stay() {
        for (text, individual) in [
            ("529.982.247-25", true),
            ("52998224725", true),
            ("", true),
            ("12ABC34501DE35", false),
            ("12.ABC.345/01DE-35", false),
            ("00.000.000/0001-91", false),
        ] {
            assert_eq!(TaxId::new(text).is_individual(), individual, "{text:?}");
        }
        assert_eq!(TaxId::new("12.ABC.345/01DE-35").bare(), "12ABC34501DE35");
    }

    #[test]
    fn a_masked_document_is_recognised_but_not_given_away() {
        assert_eq!(TaxId::new("529.982.247-25").masked(), "***.982.247-**");
        assert_eq!(TaxId::new("12.ABC.345/01DE-35").masked(), "**.ABC.345/01DE-**");
        assert_eq!(TaxId::new("123").masked(), "");
    }

    #[test]
    fn documents_stay_out_of_debug_output() {
        let shown = format!("{:?} {:?}", Cpf::parse("529.982.247-25"), TaxId::new("12ABC34501DE35"));
        assert!(!shown.contains("529") && !shown.contains("ABC"), "{shown}");
    }
}
