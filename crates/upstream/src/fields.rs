//! Lenient parsing of objects (design D7), streamed from the JSON text: unknown fields are skipped and take no memory,
//! whatever their size and depth.

use std::{fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer,
    de::{DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use serde_json::Number;
use vincula_domain::bank::TaxId;

use super::{Id, Unexpected};

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

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn fields(value: &Value) -> Fields {
        FieldsSeed(&["a", "b", "c", "d", "e", "f", "g", "h"]).deserialize(value).unwrap().expect("an object")
    }

    #[test]
    fn only_objects_have_fields() {
        for value in [json!(null), json!(true), json!(7), json!(-7), json!(0.5), json!("x"), json!([{"a": 1}])] {
            assert!(FieldsSeed(&["a"]).deserialize(&value).unwrap().is_none(), "{value}");
        }
        let twice = serde_json::from_str::<RecordOf<A>>(r#"{"a": 1, "x": {"a": [2]}, "a": "3"}"#).unwrap();
        assert_eq!(twice.0.0, "3", "the last counts");
    }

    struct A(String);

    impl Record for A {
        const NAMES: &'static [&'static str] = &["a"];

        fn read(fields: &Fields) -> Result<Self, Unexpected> {
            fields.text("a").map(Self)
        }
    }

    #[test]
    fn texts_may_come_as_numbers_and_keep_left_zeros() {
        let fields = fields(&json!({"a": "0001", "b": 1, "c": null, "d": true, "e": {}, "f": [], "g": 0.5, "h": -1}));
        for (name, text) in [("a", "0001"), ("b", "1"), ("c", ""), ("missing", ""), ("g", "0.5"), ("h", "-1")] {
            assert_eq!(fields.text(name), Ok(text.to_owned()), "{name}");
        }
        for name in ["d", "e", "f"] {
            assert_eq!(fields.text(name), Err(Unexpected::OtherShape), "{name}");
        }
    }

    #[test]
    fn ids_keep_their_json_type() {
        let fields = fields(&json!({"a": 7, "b": "7", "c": null, "d": "", "e": " ", "f": {}, "g": 0, "h": "007"}));
        for (name, id) in [
            ("a", json!(7)),
            ("b", json!("7")),
            ("c", json!(null)),
            ("d", json!(null)),
            ("e", json!(null)),
            ("g", json!(0)),
            ("h", json!("007")),
        ] {
            assert_eq!(serde_json::to_value(fields.id(name).unwrap()).unwrap(), id, "{name}");
        }
        assert_eq!(fields.id("f"), Err(Unexpected::OtherShape));
    }

    #[test]
    fn documents_given_as_numbers_get_their_left_zeros_back() {
        for (value, text) in [
            (json!("529.982.247-25"), "529.982.247-25"),
            (json!("123"), "123"),
            (json!(52_998_224_725_u64), "52998224725"),
            (json!(1_234_567_890_u64), "01234567890"),
            (json!(191_000_191_000_u64), "00191000191000"),
            (json!(null), ""),
        ] {
            assert_eq!(fields(&json!({"d": value})).tax_id("d").unwrap().as_str(), text, "{value}");
        }
    }

    #[test]
    fn the_first_are_read_and_the_others_skipped() {
        let read = |body: &str| serde_json::from_str::<Prefix<2, A>>(body).map(|list| (list.records.len(), list.all));
        for (body, counts) in [("[]", (0, 0)), (r#"[{},{"a":1}]"#, (2, 2)), (r#"[{},{},7,{"a":[]}]"#, (2, 4))] {
            assert_eq!(read(body).unwrap(), counts, "{body}");
        }
        for bad in ["[{},7]", "[null]", "[[]]", "{}", "7", r#"[{"a":[]}]"#] {
            assert!(read(bad).unwrap_err().is_data(), "{bad}");
        }
        assert!(read("[{},{},}]").unwrap_err().is_syntax(), "the others have to be JSON");
    }
}
