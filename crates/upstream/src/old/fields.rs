//! Lenient parsing of objects (design D7), streamed from the JSON text: unknown fields are skipped and take no memory,
//! whatever their size and depth.

use std::{fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer,
    de::{DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use serde_json::Number;
use vincula_domain::bank::TaxId;

use crate::{Id, Unexpected};

/// A type that is read from a JSON object of the upstream, field by field.
pub(super) trait Record: Sized {
    /// The fields to read.
    const NAMES: &'static [&'static str];

    /// # Errors
    /// `OtherShape` if a required field is missing or a field has the wrong type.
    fn read(fields: &Fields) -> Result<Self, Unexpected>;
}

/// The requested fields of an object. Unknown fields are ignored, missing and null ones are absent; of duplicates, the
/// last counts.
#[derive(Debug)]
pub(super) struct Fields {
    names: &'static [&'static str],
    values: Vec<Field>,
}

/// The value of a field.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) enum Field {
    #[default]
    Absent,
    Text(String),
    Number(Number),
    /// A boolean, a list or an object, which no field accepts.
    Other,
}

/// Deserializes a [`Record`].
pub(super) struct RecordOf<T>(pub T);

/// The first records of a list, up to `MAX`; the others only have to be JSON.
pub(super) struct Prefix<const MAX: usize, T> {
    pub records: Vec<T>,
    /// The length of the whole list.
    pub all: usize,
}

/// Reads the fields with these names from an object; `None` for any other JSON value.
pub(super) struct FieldsSeed(pub &'static [&'static str]);

impl Fields {
    pub fn get(&self, name: &str) -> &Field {
        let at = self.names.iter().position(|known| *known == name);
        at.map_or(&Field::Absent, |at| &self.values[at])
    }

    /// A string unchanged (with its leading zeros), or a number as a string; empty if absent.
    ///
    /// # Errors
    /// `OtherShape` for a list, an object or a boolean.
    pub fn text(&self, name: &str) -> Result<String, Unexpected> {
        match self.get(name) {
            Field::Absent => Ok(String::new()),
            Field::Text(text) => Ok(text.clone()),
            Field::Number(number) => Ok(number.to_string()),
            Field::Other => Err(Unexpected::OtherShape),
        }
    }

    /// A CPF or CNPJ, unchanged if it is a string. A number has lost its leading zeros, so it is padded to the
    /// 11 digits of a CPF or the 14 of a CNPJ.
    ///
    /// # Errors
    /// As [`Fields::text`].
    pub fn tax_id(&self, name: &str) -> Result<TaxId, Unexpected> {
        let text = self.text(name)?;
        Ok(TaxId::new(match (self.get(name), text.len()) {
            (Field::Number(_), ..=11) => format!("{text:0>11}"),
            (Field::Number(_), _) => format!("{text:0>14}"),
            _ => text,
        }))
    }

    /// An id with its JSON type; a blank string is absent.
    ///
    /// # Errors
    /// As [`Fields::text`].
    pub fn id(&self, name: &str) -> Result<Option<Id>, Unexpected> {
        match self.get(name) {
            Field::Absent => Ok(None),
            Field::Text(text) => Ok(Id::parse(text)),
            Field::Number(number) => Ok(Some(number.clone().into())),
            Field::Other => Err(Unexpected::OtherShape),
        }
    }
}

impl Field {
    pub fn as_text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }
}

impl<'de, T: Record> Deserialize<'de> for RecordOf<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let fields = FieldsSeed(T::NAMES).deserialize(from)?.ok_or_else(|| D::Error::custom("no object"))?;
        T::read(&fields).map(Self).map_err(D::Error::custom)
    }
}

impl<'de, const MAX: usize, T: Record> Deserialize<'de> for Prefix<MAX, T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_seq(ListVisitor(PhantomData))
    }
}

struct ListVisitor<const MAX: usize, T>(PhantomData<T>);

impl<'de, const MAX: usize, T: Record> Visitor<'de> for ListVisitor<MAX, T> {
    type Value = Prefix<MAX, T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut records = Vec::new();
        while records.len() < MAX {
            let Some(RecordOf(record)) = list.next_element()? else { break };
            records.push(record);
        }
        let mut all = records.len();
        while list.next_element::<IgnoredAny>()?.is_some() {
            all += 1;
        }
        Ok(Prefix { records, all })
    }
}

impl<'de> DeserializeSeed<'de> for FieldsSeed {
    type Value = Option<Fields>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        from.deserialize_any(AnyVisitor(self.0))
    }
}

/// Finds the index of a key among the requested names.
pub(super) struct KeyIndex(pub &'static [&'static str]);

impl<'de> DeserializeSeed<'de> for KeyIndex {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        from.deserialize_str(self)
    }
}

impl Visitor<'_> for KeyIndex {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
        Ok(self.0.iter().position(|known| *known == name))
    }
}

/// Accepts any JSON: the fields with these names from an object, `None` from anything else.
struct AnyVisitor(&'static [&'static str]);

impl<'de> Visitor<'de> for AnyVisitor {
    type Value = Option<Fields>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Self::Value, A::Error> {
        let mut values = vec![Field::Absent; self.0.len()];
        while let Some(at) = object.next_key_seed(KeyIndex(self.0))? {
            match at {
                Some(at) => values[at] = object.next_value()?,
                None => object.next_value().map(|IgnoredAny| ())?,
            }
        }
        Ok(Some(Fields { names: self.0, values }))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Self::Value, A::Error> {
        IgnoredAny.visit_seq(list).map(|_| None)
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_str<E>(self, _: &str) -> Result<Self::Value, E> {
        Ok(None)
    }
}

impl<'de> Deserialize<'de> for Field {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(FieldVisitor)
    }
}

struct FieldVisitor;

impl<'de> Visitor<'de> for FieldVisitor {
    type Value = Field;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Field, E> {
        Ok(Field::Absent)
    }

    fn visit_str<E>(self, text: &str) -> Result<Field, E> {
        Ok(Field::Text(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Field, E> {
        Ok(Field::Text(text))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Field, E> {
        Ok(Field::Number(number.into()))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Field, E> {
        Ok(Field::Number(number.into()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Field, E> {
        Ok(Number::from_f64(number).map_or(Field::Other, Field::Number))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Field, E> {
        Ok(Field::Other)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Field, A::Error> {
        IgnoredAny.visit_seq(list).map(|_| Field::Other)
    }

    fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<Field, A::Error> {
        IgnoredAny.visit_map(object).map(|_| Field::Other)
    }
}
