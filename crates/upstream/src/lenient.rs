//! Lenient parsing of objects: a text may come as a number, every optional field may be missing or
//! null, and unknown fields are skipped without memory, whatever their size and depth.

use serde::{Deserialize, Deserializer, de::Error};
use serde_json::{Number, from_str, value::RawValue};
use vincula_domain::bank::{TaxId, cpf_digits, punctuated_cnpj};

use super::Id;

/// Why a response cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unexpected {
    #[error("larger than any that is read")]
    TooLarge,
    #[error("not JSON")]
    NotJson,
    #[error("JSON of another shape")]
    OtherShape,
    /// Of a call without data, whose other bodies are not read.
    #[error("an HTML page")]
    HtmlPage,
}

/// Reads an object. Derived parsers alone would also accept a list, and take its values for the
/// fields in their order.
pub(super) fn object<'a, T: Deserialize<'a>>(json: &'a [u8]) -> Result<T, Unexpected> {
    match serde_json::from_slice(json) {
        Ok(object) if json.trim_ascii_start().starts_with(b"{") => Ok(object),
        Err(error) if !error.is_data() => Err(Unexpected::NotJson),
        _ => Err(Unexpected::OtherShape),
    }
}

/// The value of a field. The default stands for a missing one.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) enum Scalar {
    /// Missing or null.
    #[default]
    Absent,
    Text(String),
    Number(Number),
    /// A boolean, a list or an object, which no field accepts.
    Other,
}

impl Scalar {
    pub(crate) fn as_text(&self) -> Option<&str> {
        if let Self::Text(text) = self {
            Some(text)
        } else {
            None
        }
    }

    /// A string unchanged (with its leading zeros), or a number as a string; empty if absent.
    pub(crate) fn into_text(self) -> Result<String, Unexpected> {
        match self {
            Self::Absent => Ok(String::new()),
            Self::Text(text) => Ok(text),
            Self::Number(number) => Ok(number.to_string()),
            Self::Other => Err(Unexpected::OtherShape),
        }
    }
}

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let json: Box<RawValue> = Deserialize::deserialize(from)?;
        let json = json.get();
        Ok(match json.as_bytes() {
            [b'n', ..] => Self::Absent,
            [b'"', ..] => from_str(json).map_or(Self::Other, Self::Text),
            [b'-' | b'0'..=b'9', ..] => from_str(json).map_or(Self::Other, Self::Number),
            _ => Self::Other,
        })
    }
}

/// For `deserialize_with`: as [`Scalar::into_text`].
pub(super) fn text<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    Scalar::deserialize(from)?
        .into_text()
        .map_err(D::Error::custom)
}

/// For `deserialize_with`: a CPF or CNPJ, unchanged if it is a string. A number has lost its
/// leading zeros, and gets them back by [`with_leading_zeros`].
pub(super) fn tax_id<'de, D: Deserializer<'de>>(from: D) -> Result<TaxId, D::Error> {
    let field = Scalar::deserialize(from)?;
    let is_number = matches!(field, Scalar::Number(_));
    let text = field.into_text().map_err(D::Error::custom)?;
    Ok(TaxId::new(if is_number {
        with_leading_zeros(text)
    } else {
        text
    }))
}

/// The CPF or CNPJ that a number stands for. More than 11 digits are a CNPJ. With fewer digits the
/// check digits decide. If they are right for both or for neither, the number stays as it is,
/// because a guess could name another person in the order that cancels everything.
fn with_leading_zeros(number: String) -> String {
    let cpf = format!("{number:0>11}");
    let cnpj = format!("{number:0>14}");
    if !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return number;
    }
    if number.len() > 11 {
        return cnpj;
    }
    let is_cpf = cpf_digits(&cpf).is_some();
    let is_cnpj = punctuated_cnpj(&cnpj).is_some();
    match (is_cpf, is_cnpj) {
        (true, false) => cpf,
        (false, true) => cnpj,
        _ => number,
    }
}

/// For `deserialize_with`: an id with its JSON type; a blank string is absent.
pub(super) fn optional_id<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Id>, D::Error> {
    match Scalar::deserialize(from)? {
        Scalar::Absent => Ok(None),
        Scalar::Text(text) => Ok(Id::parse(&text)),
        Scalar::Number(number) => Ok(Some(Id::Number(number))),
        Scalar::Other => Err(D::Error::custom(Unexpected::OtherShape)),
    }
}

/// For `deserialize_with`: as [`optional_id`], but it may not be absent.
pub(super) fn id<'de, D: Deserializer<'de>>(from: D) -> Result<Id, D::Error> {
    optional_id(from)?.ok_or_else(|| D::Error::custom(Unexpected::OtherShape))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[derive(Debug, Deserialize)]
    struct Row {
        #[serde(default, deserialize_with = "text")]
        a: String,
    }

    fn read<'de, T>(
        with: fn(&'de RawValue) -> Result<T, serde_json::Error>,
        json: &'de str,
    ) -> Result<T, Unexpected> {
        with(from_str(json).unwrap()).map_err(|_| Unexpected::OtherShape)
    }

    #[test]
    fn only_objects_are_read() {
        for value in [
            json!(null),
            json!(true),
            json!(7),
            json!(0.5),
            json!("x"),
            json!([]),
            json!([{"a": 1}]),
        ] {
            assert_eq!(
                object::<Row>(value.to_string().as_bytes()).unwrap_err(),
                Unexpected::OtherShape,
                "{value}"
            );
        }
        assert_eq!(
            object::<Row>(br#" {"x": {"a": [2]}, "a": "3"}"#).unwrap().a,
            "3"
        );
        let twice = object::<Row>(br#"{"a": "1", "a": "2"}"#);
        assert_eq!(twice.unwrap_err(), Unexpected::OtherShape, "a field twice");
    }

    #[test]
    fn texts_may_come_as_numbers_and_keep_left_zeros() {
        for (json, read_as) in [
            ("\"0001\"", Ok("0001")),
            ("1", Ok("1")),
            ("null", Ok("")),
            ("0.5", Ok("0.5")),
            ("-1", Ok("-1")),
            ("true", Err(())),
            ("{}", Err(())),
            ("[]", Err(())),
        ] {
            assert_eq!(read(text, json).as_deref().map_err(drop), read_as, "{json}");
        }
        assert_eq!(from_str::<Row>("{}").unwrap().a, "", "missing");
    }

    #[test]
    fn ids_keep_their_json_type() {
        for (json, id) in [
            ("7", json!(7)),
            ("\"7\"", json!("7")),
            ("null", json!(null)),
            ("\"\"", json!(null)),
            ("\" \"", json!(null)),
            ("0", json!(0)),
            ("\"007\"", json!("007")),
        ] {
            assert_eq!(
                serde_json::to_value(read(optional_id, json).unwrap()).unwrap(),
                id,
                "{json}"
            );
            assert_eq!(read(super::id, json).is_ok(), id != Value::Null, "{json}");
        }
        assert!(read(optional_id, "{}").is_err());
    }

    #[test]
    fn documents_given_as_numbers_get_their_leading_zeros_back_if_their_kind_is_known() {
        for (json, document) in [
            ("\"529.982.247-25\"", "529.982.247-25"),
            ("\"123\"", "123"),
            ("52998224725", "52998224725"),
            // A CPF with one leading zero; CNPJs with two and with four.
            ("1234567890", "01234567890"),
            ("191000191000", "00191000191000"),
            ("1234000153", "00001234000153"),
            // Right as a CPF and as the CNPJ of Banco do Brasil; wrong as either.
            ("191", "191"),
            ("1234567891", "1234567891"),
            ("0.5", "0.5"),
            ("-191", "-191"),
            ("-123456789012", "-123456789012"),
            ("null", ""),
        ] {
            assert_eq!(read(tax_id, json).unwrap().as_str(), document, "{json}");
        }
    }
}
