//! A payload, taken apart strictly: a missing key, a key too many and a value of another type are refused by name.

use axum::{body::Bytes, http::HeaderMap};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::{checks, envelope::Answer};

/// The keys of a payload that have not been taken yet.
pub struct Payload(Map<String, Value>);

impl Payload {
    /// Reads a body that has to be a JSON object, and declared as JSON.
    ///
    /// # Errors
    /// 422 when it is not.
    pub fn read(headers: &HeaderMap, body: &Bytes) -> Result<Self, Answer> {
        checks::json_type(headers)?;
        serde_json::from_slice(body).map(Self).map_err(|error| Answer::unprocessable(format!("payload: {error}")))
    }

    /// Takes the value of a key that has to be there.
    ///
    /// # Errors
    /// 422 when it is missing or of another type.
    pub fn take<T: DeserializeOwned>(&mut self, key: &str) -> Result<T, Answer> {
        self.take_optional(key)?.ok_or_else(|| Answer::unprocessable(format!("{key}: missing")))
    }

    /// Takes the value of a key that may be missing; `null` is a value.
    ///
    /// # Errors
    /// 422 when it is of another type.
    pub fn take_optional<T: DeserializeOwned>(&mut self, key: &str) -> Result<Option<T>, Answer> {
        let value = self.0.remove(key).map(serde_json::from_value).transpose();
        value.map_err(|error| Answer::unprocessable(format!("{key}: {error}")))
    }

    /// Ends the reading.
    ///
    /// # Errors
    /// 422 when a key is left.
    pub fn end(self) -> Result<(), Answer> {
        match self.0.keys().next() {
            Some(key) => Err(Answer::unprocessable(format!("{key}: not part of this call"))),
            None => Ok(()),
        }
    }
}
