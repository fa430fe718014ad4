//! Lenient parsing of objects: a text may come as a number, every optional field may be missing or
//! hold one of the values that other languages write for a missing one, and unknown fields are
//! skipped without memory, whatever their size and depth.

use serde::{Deserialize, Deserializer, de::Error};
use serde_json::{Number, from_str, value::RawValue};
use vincula_domain::bank::TaxId;

use super::{Id, legible};

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
    #[error("compressed, which the client does not ask for")]
    Compressed,
    /// A failed response with this HTTP status that is not the upstream's own: a proxy or a firewall
    /// has responded, or another server is at the address.
    #[error("HTTP {0} with a body that is not the API's, because it has no meta")]
    NoEnvelope(u16),
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

/// What other languages and templates write for a missing value, with or without quotes, in any
/// capitals.
const NOTHING: [&str; 11] = [
    "",
    "null",
    "none",
    "nil",
    "undefined",
    "false",
    "nan",
    "n/a",
    "-",
    "[]",
    "{}",
];

/// Whether a value stands for a missing one.
pub(super) fn is_nothing(json: &RawValue) -> bool {
    let json = json.get();
    let quoted = from_str::<String>(json);
    let text = quoted.as_deref().unwrap_or(json).trim();
    NOTHING
        .iter()
        .any(|nothing| text.eq_ignore_ascii_case(nothing))
}

/// The value of a field. The default stands for a missing one.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) enum Scalar {
    /// Missing, or [nothing](is_nothing).
    #[default]
    Absent,
    Text(String),
    Number(Number),
    /// `true`, a list or an object, which no field accepts.
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
            Self::Number(number) => Ok(digits(&number)),
            Self::Other => Err(Unexpected::OtherShape),
        }
    }

    /// A number, or a string that contains one.
    pub(crate) fn as_number(&self) -> Option<f64> {
        match self {
            Self::Text(text) => text.trim().parse().ok(),
            Self::Number(number) => number.as_f64(),
            Self::Absent | Self::Other => None,
        }
    }
}

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let json: Box<RawValue> = Deserialize::deserialize(from)?;
        if is_nothing(&json) {
            return Ok(Self::Absent);
        }
        let json = json.get();
        Ok(match json.as_bytes() {
            [b'"', ..] => match from_str::<String>(json) {
                Ok(text) => Self::Text(text),
                Err(_) => Self::Other,
            },
            [b'-' | b'0'..=b'9', ..] => from_str(json).map_or(Self::Other, Self::Number),
            _ => Self::Other,
        })
    }
}

/// A number as people write it: a whole number has no fraction, even if it came as `7.0`.
fn digits(number: &Number) -> String {
    match number.as_f64() {
        Some(value) if !number.is_i64() && !number.is_u64() && value.fract() == 0.0 => {
            value.to_string()
        }
        _ => number.to_string(),
    }
}

/// For `deserialize_with`: as [`Scalar::into_text`], as a page may show it.
pub(super) fn text<'de, D: Deserializer<'de>, T: From<String>>(from: D) -> Result<T, D::Error> {
    let text = Scalar::deserialize(from)?.into_text();
    text.map(|text| legible::short(&text).into())
        .map_err(D::Error::custom)
}

/// For `deserialize_with`: as [`text`], for the [name](legible::name) of a person, a company or a
/// firm.
pub(super) fn name<'de, D: Deserializer<'de>, T: From<String>>(from: D) -> Result<T, D::Error> {
    let text = Scalar::deserialize(from)?.into_text();
    text.map(|text| legible::name(&text).into())
        .map_err(D::Error::custom)
}

/// For `deserialize_with`: a CPF or CNPJ, unchanged if it is a string. A number has lost its
/// leading zeros, and gets them back.
pub(super) fn tax_id<'de, D: Deserializer<'de>>(from: D) -> Result<TaxId, D::Error> {
    let field = Scalar::deserialize(from)?;
    let is_number = matches!(field, Scalar::Number(_));
    let text = field.into_text().map_err(D::Error::custom)?;
    Ok(if is_number {
        TaxId::from_number(text)
    } else {
        TaxId::new(text)
    })
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

#[cfg(test)]
mod tests {
    use serde_json::json;

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
            ("0.5", Ok("0.5")),
            ("-1", Ok("-1")),
            ("1234.0", Ok("1234")),
            ("1.5e3", Ok("1500")),
            ("18446744073709551615", Ok("18446744073709551615")),
            ("\" \u{a0}Caixa \"", Ok("Caixa")),
            ("\"Nonee\"", Ok("Nonee")),
            // What other languages write for a missing text.
            ("null", Ok("")),
            ("false", Ok("")),
            ("[]", Ok("")),
            ("{}", Ok("")),
            ("\" \"", Ok("")),
            ("\"null\"", Ok("")),
            ("\"None\"", Ok("")),
            ("\"FALSE\"", Ok("")),
            ("\" undefined\"", Ok("")),
            ("\"nil\"", Ok("")),
            ("\"NaN\"", Ok("")),
            (r#""N\/A""#, Ok("")),
            (r#""n\u002fa""#, Ok("")),
            ("\"-\"", Ok("")),
            ("\"Nilo\"", Ok("Nilo")),
            ("\"--\"", Ok("--")),
            ("true", Err(())),
            ("[1]", Err(())),
            ("{\"a\":1}", Err(())),
        ] {
            assert_eq!(
                read(text::<_, String>, json).as_deref().map_err(drop),
                read_as,
                "{json}"
            );
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
            ("false", json!(null)),
            ("[]", json!(null)),
            ("{}", json!(null)),
            ("\"null\"", json!(null)),
            ("815.0", json!(815.0)),
            ("\" a \"", json!(" a ")),
            ("0", json!(0)),
            ("\"007\"", json!("007")),
        ] {
            assert_eq!(
                serde_json::to_value(read(optional_id, json).unwrap()).unwrap(),
                id,
                "{json}"
            );
        }
        assert!(read(optional_id, "[7]").is_err());
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
            ("false", ""),
            ("\"False\"", ""),
            ("\"none\"", ""),
            (r#""N\/A""#, ""),
            ("\"nan\"", ""),
            ("\"-\"", ""),
            ("52998224725.0", "52998224725"),
            ("1.91000191e11", "00191000191000"),
            ("\" 529.982.247-25 \"", " 529.982.247-25 "),
        ] {
            assert_eq!(read(tax_id, json).unwrap().as_str(), document, "{json}");
        }
    }
}
