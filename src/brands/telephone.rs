//! A Brazilian telephone number, as pages link and show it.

use std::fmt;

use serde::Deserialize;

/// The area codes of Brazil.
const AREAS: &str = "11 12 13 14 15 16 17 18 19 21 22 24 27 28 31 32 33 34 35 37 38 41 42 43 44 45 46 47 48 49 \
                     51 53 54 55 61 62 63 64 65 66 67 68 69 71 73 74 75 77 79 81 82 83 84 85 86 87 88 89 \
                     91 92 93 94 95 96 97 98 99";

/// A number that is called.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub enum Telephone {
    Local(LocalNumber),
    /// A number without an area code, as it is dialled: `08001234567` or `40041234`.
    Nationwide(String),
}

impl TryFrom<String> for Telephone {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        if is_nationwide(&text) {
            return Ok(Self::Nationwide(text));
        }
        let local = LocalNumber::try_from(text).map(Self::Local);
        local.map_err(|error| format!("{error}, or 08001234567 or 40041234"))
    }
}

/// Whether this is 0300 or 0800 with seven digits, or a number of eight that begins with 300 or
/// 400.
fn is_nationwide(text: &str) -> bool {
    let begins_right = match text.len() {
        8 => text.starts_with("300") || text.starts_with("400"),
        11 => text.starts_with("0300") || text.starts_with("0800"),
        _ => false,
    };
    begins_right && text.bytes().all(|byte| byte.is_ascii_digit())
}

impl Telephone {
    /// The address that calls the number.
    pub fn call(&self) -> String {
        match self {
            Self::Local(LocalNumber { area, number }) => format!("tel:+55{area}{number}"),
            Self::Nationwide(number) => format!("tel:{number}"),
        }
    }
}

impl fmt::Display for Telephone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Local(number) => number.fmt(f),
            Self::Nationwide(number) => match number.split_at(4) {
                (before, after) if after.len() == 4 => write!(f, "{before}-{after}"),
                (before, after) => write!(f, "{before} {} {}", &after[..3], &after[3..]),
            },
        }
    }
}

/// The number of a landline (eight digits) or of a mobile telephone (nine), with its area code.
/// Written as `+5511987654321`, displayed as `(11) 98765-4321`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct LocalNumber {
    area: String,
    number: String,
}

impl TryFrom<String> for LocalNumber {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::parse(&text).ok_or_else(|| {
            format!(
                "{text:?} is not a Brazilian number (expected +55, area code and number, for example +5511987654321)"
            )
        })
    }
}

impl LocalNumber {
    fn parse(text: &str) -> Option<Self> {
        let national = text.strip_prefix("+55")?;
        let (area, number) = national.split_at_checked(2)?;
        let begins_right = match number.len() {
            8 => number.starts_with(['2', '3', '4', '5']),
            9 => number.starts_with('9'),
            _ => false,
        };
        let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
        let is_area = AREAS.split(' ').any(|known| known == area);
        (begins_right && is_number && is_area).then(|| Self {
            area: area.to_owned(),
            number: number.to_owned(),
        })
    }

    /// The address that opens a conversation with the number in WhatsApp.
    pub fn whatsapp(&self) -> String {
        format!("https://wa.me/55{}{}", self.area, self.number)
    }
}

impl fmt::Display for LocalNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (before, after) = self.number.split_at(self.number.len() - 4);
        write!(f, "({}) {before}-{after}", self.area)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_only_dialable_numbers() {
        for (text, shown) in [
            ("+5511987654321", "(11) 98765-4321"),
            ("+552132654321", "(21) 3265-4321"),
        ] {
            let local = LocalNumber::parse(text).unwrap();
            assert_eq!(local.whatsapp(), format!("https://wa.me/{}", &text[1..]));
            let telephone = Telephone::try_from(text.to_owned()).unwrap();
            assert_eq!(telephone.to_string(), shown);
            assert_eq!(telephone.call(), format!("tel:{text}"));
        }
        for text in [
            "",
            "11987654321",
            "+55 11 98765-4321",
            "+5511887654321",
            "+551187654321",
            "+55119876543210",
            "+5511éé7654321",
            "+14155550100",
            "+552332654321",
            "+551032654321",
            "+555 32654321",
            "+558001234567",
            "0800123456",
            "080012345678",
            "0800 123 4567",
            "0900 1234567",
            "32654321",
            "4004-1234",
            "4004é123",
        ] {
            let error = Telephone::try_from(text.to_owned()).unwrap_err();
            assert!(error.contains("expected +55"), "{error}");
        }
    }

    #[test]
    fn numbers_without_area_code_can_only_be_called() {
        for (text, shown) in [
            ("08001234567", "0800 123 4567"),
            ("03001234567", "0300 123 4567"),
            ("40041234", "4004-1234"),
            ("30031234", "3003-1234"),
        ] {
            let telephone = Telephone::try_from(text.to_owned()).unwrap();
            assert_eq!(telephone.to_string(), shown);
            assert_eq!(telephone.call(), format!("tel:{text}"));
            assert_eq!(LocalNumber::parse(text), None);
        }
    }
}
