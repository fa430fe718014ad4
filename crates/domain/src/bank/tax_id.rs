//! CPF and CNPJ, the tax ids of people and companies.

use serde::{Deserialize, Serialize};

use crate::Private;

/// A document of this many characters or fewer belongs to an individual.
const INDIVIDUAL_MAX_CHARS: usize = 11;

/// The 11 digits of a CPF whose check digits are right; dots, dashes and spaces are ignored.
pub fn cpf_digits(text: &str) -> Option<String> {
    let bare: String = text
        .chars()
        .filter(|c| !c.is_whitespace() && !matches!(c, '.' | '-'))
        .collect();
    let is_shaped = bare.len() == 11 && is_digits(&bare);
    (is_shaped && has_right_check_digits(&bare, 11)).then_some(bare)
}

/// A firm's CNPJ with punctuation, `12.ABC.345/01DE-35`, if its check digits are right; dots,
/// dashes, slashes and spaces are ignored. Since July 2026 the first twelve of its 14 characters
/// may be letters. A client's document is a [`TaxId`], which is not validated.
pub fn punctuated_cnpj(text: &str) -> Option<String> {
    let bare = without_punctuation(text).to_ascii_uppercase();
    let is_shaped = bare.len() == 14 && bare.bytes().all(|byte| byte.is_ascii_alphanumeric());
    (is_shaped && has_right_check_digits(&bare, 9)).then(|| {
        format!(
            "{}.{}.{}/{}-{}",
            &bare[..2],
            &bare[2..5],
            &bare[5..8],
            &bare[8..12],
            &bare[12..]
        )
    })
}

/// A client's document exactly as the upstream wrote it: a CPF or a CNPJ, which may have letters.
/// It is neither validated nor changed. Only what people and Connect get of it has the leading zeros
/// that it may have lost.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TaxId(Private<String>);

impl TaxId {
    pub fn new(text: impl Into<Private<String>>) -> Self {
        Self(text.into())
    }

    /// The document that the upstream wrote as a number, with the leading zeros that the number has
    /// lost if its kind is known.
    pub fn from_number(number: String) -> Self {
        Self::new(with_leading_zeros(&number).unwrap_or(number))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn is_empty(&self) -> bool {
        self.bare().is_empty()
    }

    /// Whether it has 11 or fewer characters without punctuation, and so belongs to an individual.
    /// A missing document belongs to neither an individual nor a company.
    pub fn is_individual(&self) -> bool {
        (1..=INDIVIDUAL_MAX_CHARS).contains(&self.bare().chars().count())
    }

    /// The document for the person to recognise it. A CNPJ, which is public, is whole:
    /// `12.ABC.345/01DE-35`. Some characters of a CPF are hidden: `***.982.247-**`. Empty for a
    /// document of neither 11 nor 14 characters.
    pub fn recognisable(&self) -> String {
        let bare: Vec<char> = self.whole().chars().collect();
        let part = |from: usize, to: usize| bare[from..to].iter().collect::<String>();
        match bare.len() {
            11 => format!("***.{}.{}-**", part(3, 6), part(6, 9)),
            14 => format!(
                "{}.{}.{}/{}-{}",
                part(0, 2),
                part(2, 5),
                part(5, 8),
                part(8, 12),
                part(12, 14)
            ),
            _ => String::new(),
        }
    }

    /// The 11 digits of a CPF whose check digits are right.
    pub fn cpf(&self) -> Option<String> {
        cpf_digits(&self.whole())
    }

    /// The 14 letters, in capitals, and digits of a CNPJ. Its check digits may be wrong.
    pub fn cnpj(&self) -> Option<String> {
        let whole = self.whole();
        let is_shaped = whole.len() == 14 && whole.bytes().all(|byte| byte.is_ascii_alphanumeric());
        is_shaped.then_some(whole)
    }

    /// The initial value of a CPF field: `529.982.247-25`. Empty for what is not 11 digits, such as a
    /// CNPJ or a masked CPF. The check digits may be wrong: the client corrects them.
    pub fn as_cpf_field(&self) -> String {
        let whole = self.whole();
        if whole.len() != 11 || !is_digits(&whole) {
            return String::new();
        }
        format!(
            "{}.{}.{}-{}",
            &whole[..3],
            &whole[3..6],
            &whole[6..9],
            &whole[9..]
        )
    }

    /// The document without dots, dashes, slashes and spaces; letters are kept.
    pub fn bare(&self) -> String {
        without_punctuation(&self.0)
    }

    /// The document without punctuation, in capitals, and with the leading zeros that it has lost
    /// where its text was a number, as in a spreadsheet, if that makes a valid one. An individual's
    /// document is a CPF.
    fn whole(&self) -> String {
        let bare = self.bare().to_ascii_uppercase();
        let cpf = format!("{bare:0>11}");
        let cnpj = format!("{bare:0>14}");
        if cpf_digits(&cpf).is_some() {
            cpf
        } else if is_digits(&bare) && punctuated_cnpj(&cnpj).is_some() {
            cnpj
        } else {
            bare
        }
    }
}

fn without_punctuation(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_whitespace() && !matches!(c, '.' | '-' | '/'))
        .collect()
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The CPF or CNPJ that a number stands for. More than 11 digits are a CNPJ. With fewer digits the check
/// digits decide. Returns `None` if they are right for both or for neither, because a guess could
/// name another person in the order that cancels everything.
fn with_leading_zeros(digits: &str) -> Option<String> {
    if !is_digits(digits) {
        return None;
    }
    let cpf = format!("{digits:0>11}");
    let cnpj = format!("{digits:0>14}");
    if digits.len() > 11 {
        return Some(cnpj);
    }
    let is_cpf = cpf_digits(&cpf).is_some();
    let is_cnpj = punctuated_cnpj(&cnpj).is_some();
    match (is_cpf, is_cnpj) {
        (true, false) => Some(cpf),
        (false, true) => Some(cnpj),
        _ => None,
    }
}

/// Whether letters and digits end in their two check digits. A repeated single character is
/// invalid.
fn has_right_check_digits(bare: &str, highest_weight: u32) -> bool {
    // A letter has the value of its ASCII code minus 48, like a digit.
    let values: Vec<u32> = bare.bytes().map(|byte| u32::from(byte - b'0')).collect();
    let is_right = |at: usize| values[at] == check_digit(&values[..at], highest_weight);
    values.iter().any(|value| *value != values[0])
        && is_right(values.len() - 2)
        && is_right(values.len() - 1)
}

/// A weighted sum modulo 11, with repeating weights from 2 upwards, starting at the right.
fn check_digit(values: &[u32], highest_weight: u32) -> u32 {
    let weights = (2..=highest_weight).cycle();
    let sum: u32 = values
        .iter()
        .rev()
        .zip(weights)
        .map(|(value, weight)| value * weight)
        .sum();
    match sum % 11 {
        0 | 1 => 0,
        rest => 11 - rest,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[derive(serde::Deserialize)]
    struct Case {
        text: String,
        verdict: String,
    }

    /// The browser's rules are tested with the same table
    /// (`islands-react/src/bank-form/cpf.test.ts`).
    #[test]
    fn validates_cpfs_by_shared_table() {
        let cases: Vec<Case> = serde_json::from_str(include_str!("cpf_cases.json")).unwrap();
        assert!(cases.len() > 15);
        for Case { text, verdict } in cases {
            let got = cpf_digits(&text);
            let wrong = if TaxId::new(text.clone()).is_empty() {
                "required"
            } else {
                "invalid"
            };
            assert_eq!(got.unwrap_or(wrong.to_owned()), verdict, "{text:?}");
        }
    }

    #[test]
    fn validates_check_digits_of_cnpj_with_letters() {
        for (text, shown) in [
            ("40817256000100", "40.817.256/0001-00"),
            ("51.728.361/0001-90", "51.728.361/0001-90"),
            ("12abc34501de35", "12.ABC.345/01DE-35"),
        ] {
            assert_eq!(punctuated_cnpj(text).as_deref(), Some(shown));
        }
        for text in [
            "",
            "40817256000101",
            "00000000000000",
            "12ABC34501DE3X",
            "4081725600010",
            "é0817256000100",
            "52998224725",
        ] {
            assert_eq!(punctuated_cnpj(text), None, "{text}");
        }
    }

    #[test]
    fn treats_up_to_eleven_characters_as_individual() {
        for (text, individual) in [
            ("529.982.247-25", true),
            ("52998224725", true),
            ("1", true),
            ("529982247251", false),
            ("5299822472512", false),
            ("", false),
            (" - ", false),
            ("12ABC34501DE35", false),
            ("12.ABC.345/01DE-35", false),
            ("00.000.000/0001-91", false),
        ] {
            assert_eq!(TaxId::new(text).is_individual(), individual, "{text:?}");
        }
        assert_eq!(TaxId::new("12.ABC.345/01DE-35").bare(), "12ABC34501DE35");
    }

    #[test]
    fn shows_only_possible_cpf_in_cpf_field() {
        for (text, field) in [
            ("52998224725", "529.982.247-25"),
            ("529.982.247-25", "529.982.247-25"),
            (" 52998224725 ", "529.982.247-25"),
            ("529.982.247-24", "529.982.247-24"),
            // Texts that have lost their leading zeros: one, two, many.
            ("1234567890", "012.345.678-90"),
            ("123.456.797", "001.234.567-97"),
            ("191", "000.000.001-91"),
            ("1234000153", ""),
            ("5299", ""),
            ("5299822472", ""),
            ("", ""),
            ("***.982.247-**", ""),
            ("XXX.982.247-XX", ""),
            ("529.***.***-25", ""),
            ("•••98224725", ""),
            ("12ABC34501DE35", ""),
            ("00.000.000/0001-91", ""),
        ] {
            assert_eq!(TaxId::new(text).as_cpf_field(), field, "{text:?}");
        }
    }

    #[test]
    fn connect_gets_whole_documents_only() {
        const CNPJ: Option<&str> = Some("12ABC34501DE35");
        for (text, cpf, cnpj) in [
            ("529.982.247-25", Some("52998224725"), None),
            ("1234567890", Some("01234567890"), None),
            ("52998224724", None, None),
            ("***.982.247-**", None, None),
            ("12.ABC.345/01DE-35", None, CNPJ),
            (" 12abc34501de35", None, CNPJ),
            ("408172600040", None, Some("00408172600040")),
            ("408172600041", None, None),
            ("1234000153", None, Some("00001234000153")),
            ("12ABC34501DE3", None, None),
            ("12ABC34501DE350", None, None),
            ("**.ABC.345/01DE-**", None, None),
            ("12ABC34501DÉ35", None, None),
            ("", None, None),
        ] {
            let id = TaxId::new(text);
            let got = (id.cpf(), id.cnpj());
            assert_eq!((got.0.as_deref(), got.1.as_deref()), (cpf, cnpj), "{text}");
            assert_eq!(id.as_str(), text, "the upstream gets its own text");
        }
    }

    #[test]
    fn shows_cnpj_whole_and_masks_cpf() {
        for (document, shown) in [
            ("529.982.247-25", "***.982.247-**"),
            ("52998224725", "***.982.247-**"),
            ("12.ABC.345/01DE-35", "12.ABC.345/01DE-35"),
            ("12abc34501de35", "12.ABC.345/01DE-35"),
            ("12345678000199", "12.345.678/0001-99"),
            ("123", ""),
        ] {
            assert_eq!(TaxId::new(document).recognisable(), shown, "{document}");
        }
    }

    /// Appends the check digits by the rule of the Receita Federal, computed in another way than
    /// above: the digits times 1 to 9 (then 0 to 9) from the left, modulo 11, where 10 becomes 0.
    fn with_check_digits(base: [u8; 9]) -> Vec<u8> {
        let rest = |digits: &[u8], first: usize| {
            let sum: usize = digits
                .iter()
                .enumerate()
                .map(|(at, digit)| usize::from(*digit) * (at + first))
                .sum();
            u8::try_from(sum % 11 % 10).unwrap()
        };
        let mut digits = base.to_vec();
        digits.push(rest(&digits, 1));
        digits.push(rest(&digits, 0));
        digits
    }

    fn text(digits: &[u8]) -> String {
        digits
            .iter()
            .map(|digit| char::from(b'0' + digit))
            .collect()
    }

    proptest! {
        #[test]
        fn rejects_document_with_one_changed_digit(
            base in prop::array::uniform9(0_u8..10), at in 0_usize..11, by in 1_u8..10,
        ) {
            prop_assume!(base.iter().any(|digit| *digit != base[0]));
            let mut digits = with_check_digits(base);
            let right = text(&digits);
            prop_assert_eq!(cpf_digits(&right), Some(right.clone()));
            let dotted = format!("{}.{}.{}-{}", &right[..3], &right[3..6], &right[6..9], &right[9..]);
            prop_assert_eq!(cpf_digits(&dotted), Some(right));
            digits[at] = (digits[at] + by) % 10;
            // Two remainders share the check digit 0, so a changed number may still be valid.
            let changed = text(&digits);
            prop_assert_eq!(cpf_digits(&changed).is_some(), with_check_digits(digits[..9].try_into().unwrap()) == digits);
            prop_assert!(at < 9 || cpf_digits(&changed).is_none());
        }
    }
}
