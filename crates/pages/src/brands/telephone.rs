//! A Brazilian telephone number.

use std::fmt;

/// As E.164 has it, without the plus: country, area, and eight or nine digits. Displayed as "(11) 98765-4321".
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Telephone(Box<str>);

impl Telephone {
    /// Accepts `+55`, an area code, and a number of a landline (eight digits) or of a mobile telephone (nine).
    pub fn parse(text: &str) -> Option<Self> {
        let national = text.strip_prefix("+55")?;
        let area_is_right = national.bytes().take(2).all(|digit| (b'1'..=b'9').contains(&digit));
        let begins_right = match (national.len(), national.as_bytes().get(2)?) {
            (10, first) => (b'2'..=b'5').contains(first),
            (11, first) => *first == b'9',
            _ => false,
        };
        let fits = area_is_right && begins_right && national.bytes().all(|byte| byte.is_ascii_digit());
        fits.then(|| Self(text[1..].into()))
    }

    /// The digits with the country's.
    pub fn digits(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Telephone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (area, number) = self.0[2..].split_at(2);
        let (before, after) = number.split_at(number.len() - 4);
        write!(f, "({area}) {before}-{after}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_that_can_be_called() {
        for (text, shown) in [("+5511987654321", "(11) 98765-4321"), ("+552132654321", "(21) 3265-4321")] {
            let number = Telephone::parse(text).unwrap();
            assert_eq!((number.to_string().as_str(), number.digits()), (shown, &text[1..]));
        }
        for text in [
            "",
            "+55",
            "11987654321",
            "(11) 98765-4321",
            "+55 11 98765-4321",
            "+5501987654321",
            "+5511887654321",
            "+551187654321",
            "+55119876543210",
            "+5511éé7654321",
            "+14155550100",
        ] {
            assert_eq!(Telephone::parse(text), None, "{text}");
        }
    }
}
