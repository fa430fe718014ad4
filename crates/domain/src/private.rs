//! Personal data.

use std::{fmt, ops::Deref};

use serde::{Deserialize, Serialize};

/// Personal data: a name, a document, an address. `Debug` prints `…` and there is no `Display`, so
/// that a log line that prints a struct does not contain it. It serializes as the value.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Private<T>(T);

impl<T> Private<T> {
    pub fn into_inner(self) -> T {
        self.0
    }
}

impl<T> From<T> for Private<T> {
    fn from(value: T) -> Self {
        Self(value)
    }
}

impl From<&str> for Private<String> {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl<T> Deref for Private<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> fmt::Debug for Private<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("…")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_output_omits_value() {
        let name: Private<String> = "Bia".into();
        assert_eq!(format!("{name:?} {:?}", Some(&name)), "… Some(…)");
    }

    #[test]
    fn serializes_as_value() {
        let name: Private<String> = "Bia".into();
        let json = serde_json::to_string(&name).unwrap();
        assert_eq!(json, r#""Bia""#);
        assert_eq!(
            serde_json::from_str::<Private<String>>(&json).unwrap(),
            name
        );
    }
}
