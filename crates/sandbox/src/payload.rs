//! Strict parsing of payloads: errors name the key that is missing, unknown or of the wrong type.

use axum::{body::Bytes, http::HeaderMap};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::{checks, envelope::Answer};

/// The keys of a payload that are not taken yet.
pub struct Payload(Map<String, Value>);

impl Payload {
    /// Parses a body, which has to be declared as JSON and be a JSON object.
    ///
    /// # Errors
    /// 422 if it is not.
    pub fn read(headers: &HeaderMap, body: &Bytes) -> Result<Self, Answer> {
        checks::json_type(headers)?;
        serde_json::from_slice(body).map(Self).map_err(|error| Answer::unprocessable(format!("payload: {error}")))
    }

    /// Takes the value of a required key.
    ///
    /// # Errors
    /// 422 if it is missing or has another type.
    pub fn take<T: DeserializeOwned>(&mut self, key: &str) -> Result<T, Answer> {
        self.take_optional(key)?.ok_or_else(|| Answer::unprocessable(format!("{key}: missing")))
    }

    /// Takes the value of an optional key; `null` counts as a value.
    ///
    /// # Errors
    /// 422 if it has another type.
    pub fn take_optional<T: DeserializeOwned>(&mut self, key: &str) -> Result<Option<T>, Answer> {
        let value = self.0.remove(key).map(serde_json::from_value).transpose();
        value.map_err(|error| Answer::unprocessable(format!("{key}: {error}")))
    }

    /// Checks that every key was taken.
    ///
    /// # Errors
    /// 422 if a key is left.
    pub fn end(self) -> Result<(), Answer> {
        match self.0.keys().next() {
            Some(key) => Err(Answer::unprocessable(format!("{key}: not part of this call"))),
            None => Ok(()),
        }
    }
}
