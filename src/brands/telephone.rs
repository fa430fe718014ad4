//! A Brazilian telephone number, as pages link and show it.

use std::fmt;

use serde::Deserialize;

/// The number of a landline (eight digits) or of a mobile telephone (nine), with its area code.
/// Written as `+5511987654321`, displayed as `(11) 98765-4321`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Telephone {
    area: String,
    number: String,
}

impl TryFrom<String> for Telephone {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::parse(&text).ok_or_else(|| {
            format!(
                "{text:?} is not a Brazilian number (expected +55, area code and number, for example +5511987654321)"
            )
        })
    }
}

impl Telephone {
    fn parse(text: &str) -> Option<Self> {
        let national = text.strip_prefix("+55")?;
        let (area, number) = national.split_at_checked(2)?;
        let begins_right = match number.len() {
            8 => number.starts_with(['2', '3', '4', '5']),
            9 => number.starts_with('9'),
            _ => false,
        };
        let is_number = national.bytes().all(|byte| byte.is_ascii_digit());
        (begins_right && is_number && !area.contains('0')).then(|| Self {
            area: area.to_owned(),
            number: number.to_owned(),
        })
    }

    /// The address that calls the number.
    pub fn call(&self) -> String {
        format!("tel:+55{}{}", self.area, self.number)
    }

    /// The address that opens a conversation with the number in WhatsApp.
    pub fn whatsapp(&self) -> String {
        format!("https://wa.me/55{}{}", self.area, self.number)
    }
}

impl fmt::Display for Telephone {
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
            let telephone = Telephone::parse(text).unwrap();
            assert_eq!(telephone.to_string(), shown);
            assert_eq!(telephone.call(), format!("tel:{text}"));
            assert_eq!(
                telephone.whatsapp(),
                format!("https://wa.me/{}", &text[1..])
            );
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
        ] {
            let error = Telephone::try_from(text.to_owned()).unwrap_err();
            assert!(error.contains("expected +55"), "{error}");
        }
    }
}
