//! Parses the envelope `{ "data": T, "meta": { "status", "message" } }` of successful and failed
//! responses.

use serde::{Deserialize, Deserializer, de::DeserializeOwned};
use serde_json::{from_str, value::RawValue};

use super::lenient::{Scalar, Unexpected, is_nothing, object};

/// Parses `data` of a 2xx response. Its `meta` is ignored and may be missing.
pub(super) fn data<'a, T: Deserialize<'a>>(body: &'a [u8]) -> Result<T, Unexpected> {
    #[derive(Deserialize)]
    struct Envelope<T> {
        data: T,
    }
    object(body).map(|Envelope { data }| data)
}

pub(super) fn record<T: DeserializeOwned>(body: &[u8]) -> Result<T, Unexpected> {
    object(data::<&RawValue>(body)?.get().as_bytes())
}

/// The rows of a list that could be read, and how many could not.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct List<T> {
    pub rows: Vec<T>,
    pub unreadable: usize,
}

/// Parses `data` as a list of objects, in the upstream's order.
///
/// Other languages write an empty list in other ways: `data` may be missing or
/// [nothing](is_nothing), and so may the whole body. A row that cannot be read is left out.
///
/// # Errors
///
/// If there are rows and none can be read, or if the list is empty and `meta` has a failure.
pub(super) fn list<T: DeserializeOwned>(body: &[u8]) -> Result<List<T>, Unexpected> {
    #[derive(Deserialize)]
    struct Envelope<'a> {
        #[serde(borrow)]
        data: Option<&'a RawValue>,
    }
    let is_empty_body = matches!(body.trim_ascii(), b"null" | b"[]");
    let data = if is_empty_body {
        None
    } else {
        object::<Envelope>(body)?.data
    };
    let rows: Vec<&RawValue> = match data {
        Some(data) if !is_nothing(data) => {
            from_str(data.get()).map_err(|_| Unexpected::OtherShape)?
        }
        _ => Vec::new(),
    };
    let mut list = List {
        rows: Vec::new(),
        unreadable: 0,
    };
    let mut is_other_list = false;
    for row in rows {
        match object(row.get().as_bytes()) {
            Ok(row) => list.rows.push(row),
            Err(_) => {
                list.unreadable += 1;
                is_other_list |= !is_nothing(row);
            }
        }
    }
    let is_empty = list.rows.is_empty();
    if is_empty && (is_other_list || ErrorEnvelope::read(body).reports_failure()) {
        return Err(Unexpected::OtherShape);
    }
    Ok(list)
}

/// Accepts the body of a call without data, unless it is an HTML page or an envelope that reports a
/// failure. An HTML page comes from a captive portal or a proxy. The order has then not reached the
/// upstream.
pub(super) fn confirmed(body: &[u8]) -> Result<(), Unexpected> {
    if is_html_page(body) {
        return Err(Unexpected::HtmlPage);
    }
    if ErrorEnvelope::read(body).reports_failure() {
        Err(Unexpected::OtherShape)
    } else {
        Ok(())
    }
}

/// Whether a body begins with markup, whatever its `Content-Type`: some frameworks declare every
/// response as HTML, also JSON and plain text.
fn is_html_page(body: &[u8]) -> bool {
    body.trim_ascii_start().starts_with(b"<")
}

/// What a response reports of its failure. Every body can be parsed as one; missing fields are
/// absent.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ErrorEnvelope {
    #[serde(deserialize_with = "report")]
    meta: Report,
    #[serde(deserialize_with = "report")]
    data: Report,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Report {
    status: Scalar,
    message: Scalar,
    r#type: Scalar,
    code: Scalar,
    /// Pluggy's field for its kind of error.
    code_description: Scalar,
}

impl ErrorEnvelope {
    pub(super) fn read(body: &[u8]) -> Self {
        // A message in another encoding must not hide the status.
        object(String::from_utf8_lossy(body).as_bytes()).unwrap_or_default()
    }

    /// `meta.status`, given as a whole number or in a string.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a whole number in the range of the type"
    )]
    pub(super) fn status(&self) -> Option<u16> {
        let status = self.meta.status.as_number()?;
        let is_status = status.fract() == 0.0 && (0.0..=f64::from(u16::MAX)).contains(&status);
        is_status.then_some(status as u16)
    }

    /// Whether `meta` has a status or a message, as every response of the upstream.
    pub(super) fn has_meta(&self) -> bool {
        self.status().is_some() || self.message().is_some()
    }

    /// Whether `meta.status` is 400 or more, even if no HTTP status is as large, or `meta.message`
    /// names an expired token.
    pub(super) fn reports_failure(&self) -> bool {
        let status = self.meta.status.as_number();
        status.is_some_and(|status| status >= 400.0) || self.names_expired_token()
    }

    /// Whether `meta.message` is the specification's for an expired token.
    pub(super) fn names_expired_token(&self) -> bool {
        self.message()
            .is_some_and(|message| message.trim() == "Expired token")
    }

    pub(super) fn message(&self) -> Option<&str> {
        self.meta.message.as_text()
    }

    /// All strings that may name the provider's kind of error.
    pub(super) fn kinds(&self) -> impl Iterator<Item = &str> {
        [&self.meta, &self.data]
            .into_iter()
            .flat_map(|part| {
                [
                    &part.message,
                    &part.r#type,
                    &part.code,
                    &part.code_description,
                ]
            })
            .filter_map(|field| field.as_text())
    }
}

/// Anything but an object reports nothing.
fn report<'de, D: Deserializer<'de>>(from: D) -> Result<Report, D::Error> {
    Ok(object(<&RawValue>::deserialize(from)?.get().as_bytes()).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;
    use crate::{
        SessionData,
        responses::{Account, Bank},
    };

    #[test]
    fn data_is_taken_out_of_an_object_only() {
        assert_eq!(
            data(br#"{"data":"x","meta":{"status":200,"message":"OK"},"more":1}"#),
            Ok(Scalar::Text("x".into()))
        );
        assert_eq!(data(br#"{"data":null}"#), Ok(Scalar::Absent));
        for (body, what) in [
            ("", Unexpected::NotJson),
            ("   ", Unexpected::NotJson),
            ("<html>", Unexpected::NotJson),
            (r#"{"data":"x""#, Unexpected::NotJson),
            (r#"{"data":"x"} trailing"#, Unexpected::NotJson),
            (r#"["x"]"#, Unexpected::OtherShape),
            (r#""x""#, Unexpected::OtherShape),
            (r#"{"meta":{}}"#, Unexpected::OtherShape),
            (r#"{"data":1,"data":2}"#, Unexpected::OtherShape),
        ] {
            assert_eq!(data::<Scalar>(body.as_bytes()), Err(what), "{body}");
        }
    }

    /// Nesting must not overflow the stack, wherever it is.
    #[test]
    fn nesting_of_any_depth_is_skipped_or_refused() {
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        let objects = format!("{}7{}", r#"{"data":"#.repeat(100_000), "}".repeat(100_000));
        for (body, rows) in [
            (format!(r#"{{"data":{deep}}}"#), Err(Unexpected::OtherShape)),
            (
                format!(r#"{{"data":[{{"code":{deep}}}]}}"#),
                Err(Unexpected::OtherShape),
            ),
            (
                format!(r#"{{"data":[{{"other":{deep}}}],"meta":{deep}}}"#),
                Ok(1),
            ),
            (objects, Err(Unexpected::OtherShape)),
        ] {
            let read = list::<Bank>(body.as_bytes());
            assert_eq!(read.map(|list| list.rows.len()), rows);
            assert_eq!(confirmed(body.as_bytes()), Ok(()));
        }
        let expired =
            format!(r#"{{"data":{deep},"meta":{{"message":"Expired token","more":{deep}}}}}"#);
        assert_eq!(
            ErrorEnvelope::read(expired.as_bytes()).message(),
            Some("Expired token")
        );
    }

    /// Reads a list of banks: their codes, and how many rows were left out.
    fn banks(body: &str) -> Result<(String, usize), Unexpected> {
        let List { rows, unreadable } = list::<Bank>(body.as_bytes())?;
        let codes: Vec<_> = rows.into_iter().map(|bank| bank.code).collect();
        Ok((codes.join(" "), unreadable))
    }

    #[test]
    fn empty_list_is_written_in_many_ways() {
        for body in [
            r#"{"data":[]}"#,
            r#"{"data":[ ],"meta":{"status":200}}"#,
            r#"{"data":null,"meta":{"status":200,"message":"OK"}}"#,
            r#"{"data":{}}"#,
            r#"{"data":""}"#,
            r#"{"data":false}"#,
            r#"{"data":[null]}"#,
            r#"{"meta":{"status":200}}"#,
            r#"{"meta":[]}"#,
            "{}",
            " { } ",
            "[]",
            "null",
            " null\n",
        ] {
            let rows = banks(body).map(|(codes, _)| codes);
            assert_eq!(rows.as_deref(), Ok(""), "{body}");
        }
        for body in [
            "",
            " ",
            "false",
            r#""""#,
            "<html>",
            r#"{"data":true}"#,
            r#"{"data":"no"}"#,
            r#"{"data":{"0":{"code":"a"}}}"#,
            r#"{"data":0}"#,
            // A failure in `meta`.
            r#"{"data":null,"meta":{"status":404}}"#,
            r#"{"data":[],"meta":{"status":"500"}}"#,
            r#"{"data":[null],"meta":{"status":500.0}}"#,
            r#"{"data":{},"meta":{"status":200,"message":"Expired token"}}"#,
            r#"{"meta":{"status":401}}"#,
        ] {
            assert!(banks(body).is_err(), "{body}");
        }
    }

    #[test]
    fn unreadable_rows_are_left_out_and_counted() {
        for (rows, read) in [
            (r#"{"code":"a"},null,{"code":"b"}"#, Ok(("a b", 1))),
            (r#"{"code":"a"},false,"",[],"x",7,["a"]"#, Ok(("a", 6))),
            (r#"{"code":"a"},{"code":{"x":1}}"#, Ok(("a", 1))),
            (r#"{"code":"a"},{"code":"b","code":"c"}"#, Ok(("a", 1))),
            (r#"{"code":"a","name":false}"#, Ok(("a", 0))),
            ("{}", Ok(("", 0))),
            ("null,null", Ok(("", 2))),
            // Another list: that it is empty would be a guess.
            (r#""001","260""#, Err(Unexpected::OtherShape)),
            (r#"null,["001","BB"]"#, Err(Unexpected::OtherShape)),
        ] {
            let got = banks(&format!(r#"{{"data":[{rows}]}}"#));
            let expected = read.map(|(codes, left_out)| (codes.to_owned(), left_out));
            assert_eq!(got, expected, "{rows}");
        }
    }

    #[test]
    fn order_fails_on_html_page_or_reported_failure() {
        for body in [
            "",
            " \r\n",
            "null",
            r#""OK""#,
            "[]",
            "{}",
            r#"{"data":null}"#,
            r#"[{"meta":{"status":500}}]"#,
            "OK",
            "1 < 2",
            r#"{"data":"#,
            "{} {}",
        ] {
            assert_eq!(confirmed(body.as_bytes()), Ok(()), "{body}");
        }
        for body in [
            "<!doctype html>",
            "\n <HTML>",
            "<!-- portal --><html>",
            "<?xml?><html/>",
        ] {
            assert_eq!(
                confirmed(body.as_bytes()),
                Err(Unexpected::HtmlPage),
                "{body}"
            );
        }
        let expired = br#"{"meta":{"status":200,"message":"Expired token"}}"#;
        assert_eq!(confirmed(expired), Err(Unexpected::OtherShape));
        for (status, is_fine) in [
            ("200", true),
            ("399", true),
            ("\"soon\"", true),
            ("null", true),
            ("{\"status\":500}", true),
            ("400", false),
            ("500", false),
            ("\" 404 \"", false),
            ("200.0", true),
            ("\"404.0\"", false),
            ("400.5", false),
            ("70000", false),
            ("18446744073709551616", false),
        ] {
            let body = format!(r#"{{"data":{{}},"meta":{{"status":{status}}}}}"#);
            let expected = if is_fine {
                Ok(())
            } else {
                Err(Unexpected::OtherShape)
            };
            assert_eq!(confirmed(body.as_bytes()), expected, "{status}");
        }
    }

    #[test]
    fn parses_any_json_as_failure() {
        for (body, status, message) in [
            (
                r#"{"meta":{"status":404,"message":"x"}}"#,
                Some(404),
                Some("x"),
            ),
            (r#"{"meta":{"status":" 404 "}}"#, Some(404), None),
            (r#"{"meta":{"status":"soon","message":7}}"#, None, None),
            (r#"{"meta":{"status":99999}}"#, None, None),
            (r#"{"meta":{"status":-1}}"#, None, None),
            (r#"{"meta":{"status":404.0}}"#, Some(404), None),
            (r#"{"meta":{"status":"404.0"}}"#, Some(404), None),
            (r#"{"meta":{"status":404.5}}"#, None, None),
            (r#"{"meta":[]}"#, None, None),
            (r#"{"meta":false,"data":[]}"#, None, None),
            (r#"{"meta":[404]}"#, None, None),
            (r#"{"status":404,"message":"x"}"#, None, None),
            ("", None, None),
            ("<html>404</html>", None, None),
        ] {
            let envelope = ErrorEnvelope::read(body.as_bytes());
            assert_eq!(
                (envelope.status(), envelope.message()),
                (status, message),
                "{body}"
            );
        }
        let latin1 =
            b"{\"meta\":{\"status\":404,\"message\":\"n\xe3o\"},\"data\":{\"detail\":\"n\xe3o\"}}";
        let envelope = ErrorEnvelope::read(latin1);
        assert_eq!(
            (envelope.status(), envelope.message()),
            (Some(404), Some("n\u{fffd}o"))
        );
    }

    /// JSON of any shape, rich in the field names that the client reads.
    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            "\\PC{0,12}".prop_map(Value::from),
        ];
        let names = prop_oneof![
            "data|meta|status|message|code|name|customer_id|client_cpfcnpj|link_id",
            "[a-z]{1,6}"
        ];
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
            for json in [value.clone(), json!({ "data": value, "meta": value })] {
                let body = json.to_string();
                let envelope = ErrorEnvelope::read(body.as_bytes());
                let _ = (envelope.status(), envelope.reports_failure(), envelope.kinds().count());
                let _ = (record::<SessionData>(body.as_bytes()).is_ok(), list::<Bank>(body.as_bytes()).is_ok());
                let _ = (list::<Account>(body.as_bytes()).is_ok(), data::<Scalar>(body.as_bytes()).is_ok());
                prop_assert_ne!(confirmed(body.as_bytes()), Err(Unexpected::HtmlPage));
            }
        }
    }
}
