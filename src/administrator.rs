//! The administrator of a bank account: the text fields of the bank form, with their rules.

use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;
#[cfg(test)]
use ts_rs::TS;

use vincula_domain::{
    Private,
    bank::{TaxId, cpf_digits},
};

/// A field of the bank form: the bank, or one of the administrator's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, IntoStaticStr)]
#[cfg_attr(test, derive(TS), ts(export, export_to = "types.ts"))]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum BankFormField {
    Bank,
    Name,
    Cpf,
}

impl BankFormField {
    /// The name in JSON and in the prerendered form.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// Longest name, in characters, because the session must fit into a cookie.
const MAX_NAME_CHARS: usize = 120;
/// Longest name in JSON, in bytes: [`MAX_NAME_CHARS`] letters with accents.
pub const MAX_NAME_BYTES: usize = 2 * MAX_NAME_CHARS;
/// The quotes around a text in JSON.
const QUOTES: usize = 2;

/// The administrator's fields, each of which may be empty: as the client typed them, as the session
/// stores them, or as the form shows them. A new field is `#[serde(default)]`, so that cookies of the
/// previous version can be read.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS), ts(export, export_to = "types.ts"))]
pub struct Administrator {
    #[cfg_attr(test, ts(as = "String"))]
    pub name: Private<String>,
    /// With or without punctuation.
    #[cfg_attr(test, ts(as = "String"))]
    pub cpf: Private<String>,
}

impl Administrator {
    /// An administrator with unvalidated fields.
    pub fn new(name: impl Into<Private<String>>, cpf: impl Into<Private<String>>) -> Self {
        Self {
            name: name.into(),
            cpf: cpf.into(),
        }
    }

    /// Validates the fields. Returns what the session stores: the name with single spaces, the CPF
    /// without punctuation.
    ///
    /// # Errors
    ///
    /// All invalid fields, in the order of the form.
    pub fn checked(&self) -> Result<Self, Vec<FieldError>> {
        let mut errors = Vec::new();
        let mut valid = |field, checked: Result<String, FieldErrorCode>| -> Private<String> {
            checked
                .map_err(|code| errors.push(FieldError { field, code }))
                .unwrap_or_default()
                .into()
        };
        let checked = Self {
            name: valid(BankFormField::Name, full_name(&self.name)),
            cpf: valid(BankFormField::Cpf, cpf(&self.cpf)),
        };
        if errors.is_empty() {
            Ok(checked)
        } else {
            Err(errors)
        }
    }

    /// The texts as the form shows them.
    pub fn shown(self) -> Self {
        Self {
            cpf: TaxId::new(self.cpf).as_cpf_field().into(),
            ..self
        }
    }

    /// Replaces the texts of these fields by those of another administrator.
    pub fn with_fields_of(self, fields: &[BankFormField], other: Self) -> Self {
        self.merged(other, |field, mine, theirs| {
            if fields.contains(&field) {
                theirs
            } else {
                mine
            }
        })
    }

    /// Fills empty fields with the texts of another administrator.
    pub fn filled_in_from(self, other: Self) -> Self {
        self.merged(
            other,
            |_, mine, theirs| if mine.is_empty() { theirs } else { mine },
        )
    }

    /// Empties each field that another administrator has filled in.
    pub fn without_fields_of(self, other: Self) -> Self {
        self.merged(other, |_, mine, theirs| {
            if theirs.is_empty() {
                mine
            } else {
                Private::default()
            }
        })
    }

    fn merged(
        self,
        other: Self,
        choose: impl Fn(BankFormField, Private<String>, Private<String>) -> Private<String>,
    ) -> Self {
        Self {
            name: choose(BankFormField::Name, self.name, other.name),
            cpf: choose(BankFormField::Cpf, self.cpf, other.cpf),
        }
    }
}

/// An invalid field of the bank form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS), ts(export, export_to = "types.ts"))]
pub struct FieldError {
    pub field: BankFormField,
    pub code: FieldErrorCode,
}

/// Why a field is invalid; the browser has the messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS), ts(export, export_to = "types.ts"))]
#[serde(rename_all = "snake_case")]
pub enum FieldErrorCode {
    /// Empty, or only spaces.
    Required,
    /// Filled, but not valid.
    Invalid,
    /// Longer than the session can hold.
    TooLong,
}

/// A full name with single spaces between its words.
///
/// # Errors
///
/// [`FieldErrorCode::Required`] if it has no words, [`FieldErrorCode::Invalid`] if it has control
/// characters, [`FieldErrorCode::TooLong`] if it is longer than 120 characters, or
/// needs more than 240 bytes.
pub fn full_name(text: &str) -> Result<String, FieldErrorCode> {
    let name = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if name.is_empty() {
        return Err(FieldErrorCode::Required);
    }
    if name.contains(char::is_control) {
        return Err(FieldErrorCode::Invalid);
    }
    let json = serde_json::json!(name).to_string();
    if name.chars().count() > MAX_NAME_CHARS || json.len() > MAX_NAME_BYTES + QUOTES {
        return Err(FieldErrorCode::TooLong);
    }
    Ok(name)
}

fn cpf(text: &str) -> Result<String, FieldErrorCode> {
    let wrong = if TaxId::new(text).is_empty() {
        FieldErrorCode::Required
    } else {
        FieldErrorCode::Invalid
    };
    cpf_digits(text).ok_or(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize)]
    struct Case {
        text: String,
        error: Option<FieldErrorCode>,
    }

    /// The browser's rules are tested with the same table
    /// (`islands-react/src/bank-form/fields.test.ts`).
    #[test]
    fn validates_names_by_shared_table() {
        let cases: Vec<Case> = serde_json::from_str(include_str!("name_cases.json")).unwrap();
        assert!(cases.len() > 5);
        for Case { text, error } in cases {
            assert_eq!(full_name(&text).err(), error, "{text:?}");
        }
        assert_eq!(full_name("  Bia \t Lima ").unwrap(), "Bia Lima");
    }
}
