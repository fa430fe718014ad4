//! The envelope `{ "data": T, "meta": { "status", "message" } }` and its tolerant reading (design D7).

use serde_json::{Map, Value};

use super::{Id, Unexpected};
use crate::bank::TaxId;

/// Takes `data` out of a 2xx answer. `meta` says nothing more there, and may be missing.
///
/// # Errors
/// `NotJson`, or `OtherShape` where the body is no object or has no `data`.
pub(super) fn data(body: &[u8]) -> Result<Value, Unexpected> {
    match serde_json::from_slice(body) {
        Ok(Value::Object(mut envelope)) => envelope.remove("data").ok_or(Unexpected::OtherShape),
        Ok(_) => Err(Unexpected::OtherShape),
        Err(_) => Err(Unexpected::NotJson),
    }
}

/// Reads `data` as a list of objects.
///
/// # Errors
/// As [`data`]; `OtherShape` too where one of the list is no object.
pub(super) fn rows(body: &[u8]) -> Result<Vec<Fields>, Unexpected> {
    match data(body)? {
        Value::Array(rows) => rows.into_iter().map(Fields::of).collect(),
        _ => Err(Unexpected::OtherShape),
    }
}

/// Reads the calls whose response is not used: whatever the body is, it is fine.
pub(super) fn unused(_body: &[u8]) -> Result<(), Unexpected> {
    Ok(())
}

/// An object of the upstream's, read field by field: unknown fields are ignored, missing ones and null are absent.
pub(super) struct Fields(Map<String, Value>);

impl Fields {
    /// # Errors
    /// `OtherShape` for all that is no object.
    pub(super) fn of(value: Value) -> Result<Self, Unexpected> {
        match value {
            Value::Object(fields) => Ok(Self(fields)),
            _ => Err(Unexpected::OtherShape),
        }
    }

    /// A text exactly as it was written (left zeros stay), or a number as text; empty where absent.
    ///
    /// # Errors
    /// `OtherShape` for a list, an object, true or false.
    pub(super) fn text(&self, name: &str) -> Result<String, Unexpected> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(String::new()),
            Some(Value::String(text)) => Ok(text.clone()),
            Some(Value::Number(number)) => Ok(number.to_string()),
            Some(_) => Err(Unexpected::OtherShape),
        }
    }

    /// A CPF or CNPJ as it was written. A number has lost its left zeros: it gets them back, up to the 11 digits of
    /// a CPF or the 14 of a CNPJ.
    ///
    /// # Errors
    /// As [`Fields::text`].
    pub(super) fn tax_id(&self, name: &str) -> Result<TaxId, Unexpected> {
        let text = self.text(name)?;
        Ok(TaxId::new(match (self.0.get(name), text.len()) {
            (Some(Value::Number(_)), ..=11) => format!("{text:0>11}"),
            (Some(Value::Number(_)), _) => format!("{text:0>14}"),
            _ => text,
        }))
    }

    /// An id with its JSON type; blank text is absent.
    ///
    /// # Errors
    /// As [`Fields::text`].
    pub(super) fn id(&self, name: &str) -> Result<Option<Id>, Unexpected> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Id::parse(text)),
            Some(Value::Number(number)) => Ok(Some(number.clone().into())),
            Some(_) => Err(Unexpected::OtherShape),
        }
    }
}

/// What a reply that is not 2xx says of itself. Anything at all can be read as one; what is not there is absent.
#[derive(Debug, Default)]
pub(super) struct ErrorEnvelope {
    meta: Value,
    data: Value,
}

impl ErrorEnvelope {
    pub(super) fn read(body: &[u8]) -> Self {
        let mut envelope = serde_json::from_slice(body).unwrap_or(Value::Null);
        let mut take = |name| envelope.get_mut(name).map(Value::take).unwrap_or_default();
        Self { meta: take("meta"), data: take("data") }
    }

    /// `meta.status`, a number or a text of digits.
    pub(super) fn status(&self) -> Option<u16> {
        match self.meta.get("status")? {
            Value::String(text) => text.trim().parse().ok(),
            number => number.as_u64()?.try_into().ok(),
        }
    }

    /// `meta.message`.
    pub(super) fn message(&self) -> Option<&str> {
        self.meta.get("message")?.as_str()
    }

    /// Every text that may name the provider's kind of error.
    pub(super) fn kinds(&self) -> impl Iterator<Item = &str> {
        // `codeDescription` is Pluggy's own name for it.
        ["message", "type", "code", "codeDescription"]
            .into_iter()
            .flat_map(|name| [self.meta.get(name), self.data.get(name)])
            .filter_map(|value| value?.as_str())
    }
}

/// Reads an answer as a refusal and as all that a 2xx answer may hold. For tests: it only must not panic.
#[cfg(any(test, fuzzing))]
pub fn read_in_every_way(body: &[u8]) {
    let envelope = ErrorEnvelope::read(body);
    let _ = (envelope.status(), envelope.message(), envelope.kinds().count(), rows(body).is_ok());
    if let Ok(fields) = data(body).and_then(Fields::of) {
        for name in ["data", "code", "customer_id", "client_cpfcnpj", "link_id"] {
            let _ = (fields.text(name), fields.tax_id(name), fields.id(name).is_ok());
        }
    }
    let _ = data(body).map(super::SessionData::try_from);
    for call in super::Call::ALL {
        let _ = super::failure::classify(call, 400, &envelope);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn fields(value: Value) -> Fields {
        Fields::of(value).unwrap()
    }

    #[test]
    fn data_is_taken_out_of_an_object_only() {
        assert_eq!(data(br#"{"data":"x","meta":{"status":200,"message":"OK"},"more":1}"#), Ok(json!("x")));
        assert_eq!(data(br#"{"data":null}"#), Ok(Value::Null));
        for (body, what) in [
            ("", Unexpected::NotJson),
            ("   ", Unexpected::NotJson),
            ("<html>", Unexpected::NotJson),
            (r#"{"data":"x""#, Unexpected::NotJson),
            (r#"{"data":"x"} trailing"#, Unexpected::NotJson),
            (r#"["x"]"#, Unexpected::OtherShape),
            (r#""x""#, Unexpected::OtherShape),
            (r#"{"meta":{}}"#, Unexpected::OtherShape),
        ] {
            assert_eq!(data(body.as_bytes()), Err(what), "{body}");
        }
        let deep = format!(r#"{{"data":{}{}}}"#, "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(data(deep.as_bytes()), Err(Unexpected::NotJson), "nesting is limited, not the stack");
    }

    #[test]
    fn texts_may_come_as_numbers_and_keep_left_zeros() {
        let fields = fields(json!({"a": "0001", "b": 1, "c": null, "d": true, "e": {}, "f": []}));
        for (name, text) in [("a", "0001"), ("b", "1"), ("c", ""), ("missing", "")] {
            assert_eq!(fields.text(name), Ok(text.to_owned()), "{name}");
        }
        for name in ["d", "e", "f"] {
            assert_eq!(fields.text(name), Err(Unexpected::OtherShape), "{name}");
        }
    }

    #[test]
    fn ids_keep_their_json_type() {
        let fields = fields(json!({"a": 7, "b": "7", "c": null, "d": "", "e": " ", "f": {}, "g": 0, "h": "007"}));
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
            assert_eq!(fields(json!({"d": value})).tax_id("d").unwrap().as_str(), text, "{value}");
        }
    }

    #[test]
    fn anything_can_be_read_as_a_failure() {
        for (body, status, message) in [
            (r#"{"meta":{"status":404,"message":"x"}}"#, Some(404), Some("x")),
            (r#"{"meta":{"status":" 404 "}}"#, Some(404), None),
            (r#"{"meta":{"status":"soon","message":7}}"#, None, None),
            (r#"{"meta":{"status":99999}}"#, None, None),
            (r#"{"meta":{"status":-1}}"#, None, None),
            (r#"{"meta":"404"}"#, None, None),
            (r#"{"meta":[404]}"#, None, None),
            (r#"{"status":404,"message":"x"}"#, None, None),
            ("[]", None, None),
            ("404", None, None),
            ("", None, None),
            ("<html>404</html>", None, None),
        ] {
            let envelope = ErrorEnvelope::read(body.as_bytes());
            assert_eq!((envelope.status(), envelope.message()), (status, message), "{body}");
        }
    }

    /// JSON of any shape, rich in the names that we look for.
    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            "\\PC{0,12}".prop_map(Value::from),
        ];
        let names = prop_oneof!["data|meta|status|message|code|name|customer_id|client_cpfcnpj|link_id", "[a-z]{1,6}"];
        leaf.prop_recursive(4, 40, 6, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
                prop::collection::vec((names.clone(), inner), 0..6)
                    .prop_map(|fields| Value::Object(fields.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn any_json_can_be_read(value in any_json()) {
            read_in_every_way(value.to_string().as_bytes());
            let wrapped = json!({ "data": value, "meta": value });
            prop_assert_eq!(data(wrapped.to_string().as_bytes()).is_ok(), true);
            read_in_every_way(wrapped.to_string().as_bytes());
        }

        #[test]
        fn any_bytes_can_be_read(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            read_in_every_way(&bytes);
        }
    }
}
