//! Conversion between wire types and JavaScript values, which the page's scripts parse from and
//! write to JSON.

use std::fmt;

use js_sys::{Array, Object};
use serde::{
    Deserializer, Serialize,
    de::{
        self, DeserializeOwned, IntoDeserializer, Visitor,
        value::{MapDeserializer, SeqDeserializer},
    },
    forward_to_deserialize_any,
};
use wasm_bindgen::prelude::*;

/// Writes a value. `None` is omitted from JSON.
pub fn write<T: Serialize + ?Sized>(value: &T) -> JsValue {
    // Cannot fail for structs, lists, texts and numbers.
    serde_wasm_bindgen::to_value(value).unwrap_or_default()
}

/// Reads a value from `JSON.parse`. Returns `None` if it is not of this type. `serde_wasm_bindgen`
/// reads all values of JavaScript and has detailed errors, which would make the wasm module 10 kB
/// larger (brotli).
pub fn read<T: DeserializeOwned>(value: JsValue) -> Option<T> {
    T::deserialize(Json(value)).ok()
}

/// The value is not of the type.
#[derive(Debug)]
struct Mismatch;

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("another type")
    }
}

impl std::error::Error for Mismatch {}

impl de::Error for Mismatch {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

/// A value from `JSON.parse`.
struct Json(JsValue);

impl Json {
    fn text(&self) -> Result<String, Mismatch> {
        self.0.as_string().ok_or(Mismatch)
    }
}

impl IntoDeserializer<'_, Mismatch> for Json {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for Json {
    type Error = Mismatch;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        if let Some(text) = self.0.as_string() {
            visitor.visit_string(text)
        } else if let Some(is_true) = self.0.as_bool() {
            visitor.visit_bool(is_true)
        } else if let Some(number) = self.0.as_f64() {
            match whole(number) {
                Some(whole) => visitor.visit_u32(whole),
                None => visitor.visit_f64(number),
            }
        } else if Array::is_array(&self.0) {
            self.deserialize_seq(visitor)
        } else if self.0.is_object() {
            self.deserialize_map(visitor)
        } else {
            visitor.visit_unit()
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        visitor.visit_unit()
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        visitor.visit_bool(self.0.as_bool().ok_or(Mismatch)?)
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        visitor.visit_u32(self.0.as_f64().and_then(whole).ok_or(Mismatch)?)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        visitor.visit_string(self.text()?)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        self.deserialize_string(visitor)
    }

    /// A variant without data is written as its name.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Mismatch> {
        visitor.visit_enum(self.text()?.into_deserializer())
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        if self.0.is_null() {
            visitor.visit_none()
        } else {
            visitor.visit_some(self)
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Mismatch> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        if Array::is_array(&self.0) {
            visitor.visit_seq(SeqDeserializer::new(items(self.0)))
        } else {
            Err(Mismatch)
        }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        if !self.0.is_object() {
            return Err(Mismatch);
        }
        let entries = Object::entries(self.0.unchecked_ref());
        let entry = |Json(entry)| {
            let entry: Array = JsValue::unchecked_into(entry);
            (Json(entry.get(0)), Json(entry.get(1)))
        };
        visitor.visit_map(MapDeserializer::new(items(entries.into()).map(entry)))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Mismatch> {
        self.deserialize_map(visitor)
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 u8 u16 u64 f32 f64 char str bytes byte_buf unit unit_struct tuple tuple_struct
    }
}

fn whole(number: f64) -> Option<u32> {
    let whole = number as u32;
    (f64::from(whole) == number).then_some(whole)
}

/// The items of an array.
fn items(array: JsValue) -> impl Iterator<Item = Json> {
    let array: Array = array.unchecked_into();
    (0..array.length()).map(move |index| Json(array.get(index)))
}
