//! Ids: the upstream's own, and those of Connect's items.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Number;

/// Longest item id, in bytes. Today's are UUIDs, which have 36.
const MAX_ITEM_LEN: usize = 128;

/// An id that the client sends back exactly as received: a number stays a number, a string a
/// string.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Id {
    Number(Number),
    Text(String),
}

impl Id {
    /// Accepts any string that is not blank, unchanged.
    pub fn parse(text: &str) -> Option<Self> {
        (!text.trim().is_empty()).then(|| Self::Text(text.to_owned()))
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => text.fmt(f),
        }
    }
}

/// The id of an item of Connect, as the browser reports it: 1 to 128 ASCII letters, digits, `-` and
/// `_`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct ItemId(String);

impl ItemId {
    /// Accepts an item id; `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let fits = (1..=MAX_ITEM_LEN).contains(&text.len())
            && text
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
        fits.then(|| Self(text.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_survive_the_session_cookie_with_their_type() {
        for json in [
            "7",
            "\"7\"",
            "\"007\"",
            "-1",
            "18446744073709551615",
            "\"é \\\"\"",
        ] {
            let id: Id = serde_json::from_str(json).unwrap();
            assert_eq!(serde_json::to_string(&id).unwrap(), json);
        }
        for bad in ["null", "true", "[]", "{}"] {
            assert!(serde_json::from_str::<Id>(bad).is_err(), "{bad}");
        }
        assert_eq!(
            (
                Id::Number(7.into()).to_string(),
                Id::parse("007").unwrap().to_string()
            ),
            ("7".into(), "007".into())
        );
        assert_eq!(Id::parse(" "), None);
    }

    #[test]
    fn item_ids_are_plain() {
        assert!(ItemId::parse("6f4e0ccb-6ea3-4cf3-8e55-7f6a3e3f7d2a").is_some());
        for bad in ["", "a b", "../x", "a/b", "é", "a\n", &"a".repeat(129)] {
            assert!(ItemId::parse(bad).is_none(), "{bad:?}");
        }
    }
}
