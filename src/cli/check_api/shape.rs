//! Describes values without showing them: reports are pasted into tickets.

use serde_json::Value;

/// Longest name of a field that is shown, in bytes.
const MAX_KEY: usize = 40;

/// Most names of fields that are shown.
const MAX_KEYS: usize = 6;

/// The kind of a value and its length.
pub fn shape(value: &Value) -> String {
    match value {
        Value::Null => "null or missing".into(),
        Value::Bool(_) => "a boolean".into(),
        Value::Number(number) => format!("a number of {} characters", number.to_string().len()),
        Value::String(text) if text.trim().is_empty() => "a blank text".into(),
        Value::String(text) if text.bytes().all(|b| b.is_ascii_digit()) => {
            format!("a text of {} digits", text.len())
        }
        Value::String(text) => format!("a text of {} characters", text.chars().count()),
        Value::Array(items) => format!("a list of {}", items.len()),
        Value::Object(fields) => format!(
            "an object with {}",
            keys(&fields.keys().collect::<Vec<_>>())
        ),
    }
}

/// The names of fields. A name of unusual form is not shown, because it may be a document or a
/// token.
pub fn keys(names: &[&String]) -> String {
    let shown: Vec<_> = names
        .iter()
        .take(MAX_KEYS)
        .map(|name| {
            if is_plain(name) {
                name
            } else {
                "(another name)"
            }
        })
        .collect();
    match names.len() {
        0 => "no field".into(),
        count if count > MAX_KEYS => format!("{} and {} more", shown.join(", "), count - MAX_KEYS),
        _ => shown.join(", "),
    }
}

fn is_plain(name: &str) -> bool {
    let mut bytes = name.bytes();
    let begins = bytes
        .next()
        .is_some_and(|b| b.is_ascii_alphabetic() || b == b'_');
    begins
        && name.len() <= MAX_KEY
        && bytes.all(|b| b.is_ascii_alphabetic() || matches!(b, b'_' | b'-'))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn describes_values_without_showing_them() {
        for (value, described) in [
            (json!(null), "null or missing"),
            (json!(true), "a boolean"),
            (json!(52_998_224_725_u64), "a number of 11 characters"),
            (json!(""), "a blank text"),
            (json!(" "), "a blank text"),
            (json!("52998224725"), "a text of 11 digits"),
            (json!("João"), "a text of 4 characters"),
            (json!([1, 2]), "a list of 2"),
            (json!({}), "an object with no field"),
            (
                json!({"a": 1, "52998224725": 2}),
                "an object with (another name), a",
            ),
        ] {
            assert_eq!(shape(&value), described);
        }
        let many: Vec<_> = ('a'..='i').map(|letter| letter.to_string()).collect();
        assert_eq!(
            keys(&many.iter().collect::<Vec<_>>()),
            "a, b, c, d, e, f and 3 more"
        );
    }
}
