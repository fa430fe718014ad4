//! A valid CNPJ, of the firm itself: a client's own is a [`super::TaxId`], which nobody checks.

use std::fmt;

/// 14 characters whose check digits are right; since July 2026 the first twelve may be letters. Displayed with
/// punctuation: `12.ABC.345/01DE-35`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cnpj(String);

impl Cnpj {
    /// Parses a CNPJ; dots, dashes, slashes and spaces are ignored.
    pub fn parse(text: &str) -> Option<Self> {
        let ignored = |c: &char| c.is_whitespace() || matches!(c, '.' | '-' | '/');
        let bare: String = text.chars().filter(|c| !ignored(c)).map(|c| c.to_ascii_uppercase()).collect();
        let is_shaped = bare.len() == 14
            && bare.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && bare.bytes().skip(12).all(|byte| byte.is_ascii_digit());
        let differs = bare.bytes().any(|byte| Some(byte) != bare.bytes().next());
        // A letter counts as its ASCII code less 48, like a digit.
        let values: Vec<u32> = bare.bytes().map(|byte| u32::from(byte).wrapping_sub(48)).collect();
        let is_right = |at: usize| values.get(at) == Some(&check_digit(&values[..at]));
        (is_shaped && differs && is_right(12) && is_right(13)).then_some(Self(bare))
    }
}

/// Weights 2 to 9 from the right, again and again, modulo 11.
fn check_digit(values: &[u32]) -> u32 {
    let sum: u32 = values.iter().rev().zip((2..=9).cycle()).map(|(value, weight)| value * weight).sum();
    match sum % 11 {
        0 | 1 => 0,
        rest => 11 - rest,
    }
}

impl fmt::Display for Cnpj {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bare = &self.0;
        write!(f, "{}.{}.{}/{}-{}", &bare[..2], &bare[2..5], &bare[5..8], &bare[8..12], &bare[12..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_digits_are_checked_and_letters_count() {
        for (text, shown) in [
            ("40817256000100", "40.817.256/0001-00"),
            ("51.728.361/0001-90", "51.728.361/0001-90"),
            ("12abc34501de35", "12.ABC.345/01DE-35"),
        ] {
            assert_eq!(Cnpj::parse(text).unwrap().to_string(), shown);
        }
        for text in
            ["", "40817256000101", "00000000000000", "12ABC34501DE3X", "4081725600010", "é0817256000100", "52998224725"]
        {
            assert_eq!(Cnpj::parse(text), None, "{text}");
        }
    }
}
