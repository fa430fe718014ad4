//! The parser by hand that `envelope.rs` and `lenient.rs` replace, and a comparison of both.
//!
//! Parses the envelope `{ "data": T, "meta": { "status", "message" } }` of successful and failed responses.

use std::{fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer, Serialize,
    de::{DeserializeOwned, IgnoredAny, MapAccess, Visitor},
};
use vincula_domain::wire::{Account, BankOption, LinkingState, WaitingAccount, WidgetType};

mod fields;

use fields::{Field, Fields, FieldsSeed, KeyIndex, Prefix, Record, RecordOf};

use crate::{
    SessionData, Unexpected,
    accounts::{Row, day},
};

/// Maximum rows that are read of a list; the others are left out. Nobody has as many accounts and no country as many
/// banks, and the beginning of a longer list is still of use.
pub(super) const MAX_ROWS: usize = 2_000;

/// Maximum size of these rows, in bytes of the JSON that goes to the browser: some 800 accounts, or 1,900 banks. As much
/// may wait in every connection for a client that reads slowly.
pub const MAX_BYTES_OF_ROWS: usize = 88 * 1024;

/// Maximum length of a message, in characters; the rest is ignored.
pub(super) const MAX_PARSED_CHARS: usize = 4_096;

/// Parses `data` of a 2xx response. Its `meta` is ignored and may be missing.
///
/// # Errors
/// `NotJson`; `OtherShape` if the body is not an object or its `data` is missing or has another shape.
pub(super) fn data<T: DeserializeOwned>(body: &[u8]) -> Result<T, Unexpected> {
    let unreadable =
        |error: serde_json::Error| if error.is_data() { Unexpected::OtherShape } else { Unexpected::NotJson };
    serde_json::from_slice::<Data<T>>(body).map_err(unreadable)?.0.ok_or(Unexpected::OtherShape)
}

/// Parses `data` as a list of objects: the first of them, up to [`MAX_ROWS`] and [`MAX_BYTES_OF_ROWS`].
///
/// # Errors
/// As [`data`]; `OtherShape` also if one of these is not an object.
fn rows<T: Record + Serialize>(body: &[u8]) -> Result<Vec<T>, Unexpected> {
    let Prefix { mut records, all } = data::<Prefix<MAX_ROWS, T>>(body)?;
    let mut bytes = 0;
    let beyond = records.iter().position(|row| {
        bytes += serde_json::to_vec(row).map_or(0, |json| json.len() + ",".len());
        bytes > MAX_BYTES_OF_ROWS
    });
    records.truncate(beyond.unwrap_or(records.len()));
    if all > records.len() {
        tracing::warn!(rows = all, shown = records.len(), "a list of the upstream is too long to be shown in full");
    }
    Ok(records)
}

/// Accepts the body of a call without data: an empty one, or JSON that does not report a failure. The HTML page of a
/// proxy does not confirm a call.
///
/// # Errors
/// `NotJson`; `OtherShape` if the body reports a failure.
pub(super) fn confirmed(body: &[u8]) -> Result<(), Unexpected> {
    if body.trim_ascii().is_empty() {
        return Ok(());
    }
    serde_json::from_slice::<IgnoredAny>(body).map_err(|_| Unexpected::NotJson)?;
    if ErrorEnvelope::read(body).reports_failure() { Err(Unexpected::OtherShape) } else { Ok(()) }
}

/// The `data` of an envelope, if it has any.
struct Data<T>(Option<T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Data<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(DataVisitor(PhantomData))
    }
}

struct DataVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for DataVisitor<T> {
    type Value = Data<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an envelope")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut envelope: A) -> Result<Data<T>, A::Error> {
        let mut data = None;
        while let Some(at) = envelope.next_key_seed(KeyIndex(&["data"]))? {
            match at {
                Some(_) => data = Some(envelope.next_value()?),
                None => envelope.next_value().map(|IgnoredAny| ())?,
            }
        }
        Ok(Data(data))
    }
}

/// What a response reports of its failure. Every body can be parsed as one; missing fields are absent.
#[derive(Debug, Default)]
pub(super) struct ErrorEnvelope {
    meta: Option<Fields>,
    data: Option<Fields>,
}

impl ErrorEnvelope {
    pub(super) fn read(body: &[u8]) -> Self {
        serde_json::from_slice(body).unwrap_or_default()
    }

    /// `meta.status`, given as a number or as digits in a string.
    pub(super) fn status(&self) -> Option<u16> {
        match self.meta.as_ref()?.get("status") {
            Field::Text(text) => text.trim().parse().ok(),
            Field::Number(number) => number.as_u64()?.try_into().ok(),
            Field::Absent | Field::Other => None,
        }
    }

    /// Whether `meta.status` is 400 or more, even if no HTTP status is as large.
    pub(super) fn reports_failure(&self) -> bool {
        let status = match self.meta.as_ref().map(|meta| meta.get("status")) {
            Some(Field::Text(text)) => text.trim().parse::<u64>().ok().map(|status| status as f64),
            Some(Field::Number(number)) => number.as_f64(),
            _ => None,
        };
        status.is_some_and(|status| status >= 400.0)
    }

    /// `meta.message`, truncated to [`MAX_PARSED_CHARS`].
    pub(super) fn message(&self) -> Option<&str> {
        self.meta.as_ref()?.get("message").as_text().map(beginning)
    }

    /// All strings that may name the provider's kind of error.
    pub(super) fn kinds(&self) -> impl Iterator<Item = &str> {
        // `codeDescription` is Pluggy's field for it.
        ["message", "type", "code", "codeDescription"]
            .into_iter()
            .flat_map(|name| [self.meta.as_ref(), self.data.as_ref()].map(|fields| fields.map(|all| all.get(name))))
            .filter_map(|field| field?.as_text().map(beginning))
    }
}

fn beginning(text: &str) -> &str {
    text.char_indices().nth(MAX_PARSED_CHARS).map_or(text, |(end, _)| &text[..end])
}

impl<'de> Deserialize<'de> for ErrorEnvelope {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(ErrorVisitor)
    }
}

struct ErrorVisitor;

impl<'de> Visitor<'de> for ErrorVisitor {
    type Value = ErrorEnvelope;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an envelope")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<ErrorEnvelope, A::Error> {
        const SAID: FieldsSeed = FieldsSeed(&["status", "message", "type", "code", "codeDescription"]);
        let mut envelope = ErrorEnvelope::default();
        while let Some(at) = object.next_key_seed(KeyIndex(&["meta", "data"]))? {
            match at {
                Some(0) => envelope.meta = object.next_value_seed(SAID)?,
                Some(_) => envelope.data = object.next_value_seed(SAID)?,
                None => object.next_value().map(|IgnoredAny| ())?,
            }
        }
        Ok(envelope)
    }
}

impl Record for SessionData {
    const NAMES: &'static [&'static str] = &[
        "client_name",
        "client_cpfcnpj",
        "customer_id",
        "customer_name",
        "widget_account_admin_name",
        "widget_account_admin_cpfcnpj",
        "widget_type",
        "widget_account_bank",
        "link_id",
        "client_uuid",
    ];

    fn read(fields: &Fields) -> Result<Self, Unexpected> {
        Ok(Self {
            client_name: fields.text("client_name")?,
            client_cpfcnpj: fields.tax_id("client_cpfcnpj")?,
            customer_id: fields.id("customer_id")?.ok_or(Unexpected::OtherShape)?,
            customer_name: fields.text("customer_name")?,
            widget_account_admin_name: fields.text("widget_account_admin_name")?,
            widget_account_admin_cpfcnpj: fields.tax_id("widget_account_admin_cpfcnpj")?,
            widget_type: widget_type(&fields.text("widget_type")?),
            widget_account_bank: Some(fields.text("widget_account_bank")?).filter(|code| !code.is_empty()),
            link_id: fields.id("link_id")?,
            client_uuid: fields.id("client_uuid")?,
        })
    }
}

fn widget_type(text: &str) -> WidgetType {
    match text.trim().to_ascii_lowercase().as_str() {
        "update" => WidgetType::Update,
        "cancel" => WidgetType::Cancel,
        _ => WidgetType::New,
    }
}

impl Record for Row {
    const NAMES: &'static [&'static str] = &["bank", "agency", "number", "name", "status", "approve_by"];

    fn read(row: &Fields) -> Result<Self, Unexpected> {
        let bank = row.text("bank")?;
        let state = match row.get("status").as_text() {
            Some("confirming") => LinkingState::Confirming,
            Some("awaiting_approval") => LinkingState::Awaits,
            _ => {
                let (agency, number, name) = (row.text("agency")?, row.text("number")?, row.text("name")?);
                return Ok(Self::Account(Account { bank, agency, number, name }));
            }
        };
        let approve_by = row.get("approve_by").as_text().and_then(day).unwrap_or_default();
        Ok(Self::Waiting(WaitingAccount { bank, state, approve_by }))
    }
}

impl Record for BankOption {
    const NAMES: &'static [&'static str] = &["code", "name"];

    fn read(row: &Fields) -> Result<Self, Unexpected> {
        Ok(Self { code: row.text("code")?, name: row.text("name")? })
    }
}

mod comparison {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;
    use crate::{Call, bank_form::BankRow, envelope, failure::classify, lenient::Scalar, tests::contract::samples};

    /// Everything that the product reads of a body, by each parser.
    fn check(body: &[u8]) {
        let is_json = str::from_utf8(body).is_ok_and(|text| serde_json::from_str::<IgnoredAny>(text).is_ok());
        // Of what is no JSON, the reason for the refusal may differ.
        let reason = |why: Unexpected| if is_json { why } else { Unexpected::NotJson };
        let session = data::<RecordOf<SessionData>>(body).map(|RecordOf(data)| data).map_err(reason);
        let text = String::from_utf8_lossy(body);
        assert!(session == envelope::record(body).map_err(reason), "{text}");
        let json = |rows| serde_json::to_string(&rows).unwrap();
        assert_eq!(
            rows::<Row>(body).map(|rows| serde_json::to_string(&rows).unwrap()).map_err(reason),
            envelope::rows::<Row>(body).map(json).map_err(reason),
            "{text}"
        );
        assert_eq!(
            rows::<BankOption>(body).map(|rows| serde_json::to_string(&rows).unwrap()).map_err(reason),
            envelope::rows::<BankRow>(body).map(|rows| serde_json::to_string(&rows).unwrap()).map_err(reason),
            "{text}"
        );
        let token = |found: Result<Option<String>, Unexpected>| {
            found.map_err(reason).and_then(|text| text.ok_or(reason(Unexpected::OtherShape)))
        };
        assert_eq!(
            token(data::<Field>(body).map(|field| field.as_text().map(str::to_owned))),
            token(envelope::data::<Scalar>(body).map(|field| field.as_text().map(str::to_owned))),
            "{text}"
        );
        if str::from_utf8(body).is_err() {
            return;
        }
        assert_eq!(confirmed(body), envelope::confirmed(body), "{text}");
        let (before, now) = (ErrorEnvelope::read(body), envelope::ErrorEnvelope::read(body));
        assert_eq!(
            (before.status(), before.reports_failure(), before.message()),
            (now.status(), now.reports_failure(), now.message()),
            "{text}"
        );
        let sorted = |mut kinds: Vec<String>| {
            kinds.sort();
            kinds
        };
        assert_eq!(
            sorted(before.kinds().map(str::to_owned).collect()),
            sorted(now.kinds().map(str::to_owned).collect()),
            "{text}"
        );
        for call in Call::ALL {
            let _ = classify(call, 400, &now);
        }
    }

    const NAMES: &str = "data|meta|status|message|type|code|codeDescription|name|bank|agency|number|approve_by|\
                         customer_id|client_name|client_cpfcnpj|widget_type|widget_account_bank|link_id|client_uuid";

    fn leaf() -> impl Strategy<Value = Value> {
        prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            (0_u64..600).prop_map(Value::from),
            "\\PC{0,12}".prop_map(Value::from),
            "confirming|awaiting_approval|2026-12-07|2026-12-07T10:00:00Z|Expired token|item not found|update| Cancel "
                .prop_map(Value::from),
            " {0,2}[0-9]{0,15} {0,2}".prop_map(Value::from),
            (0_i32..2).prop_map(|_| json!(404.5)),
        ]
    }

    fn any_json() -> impl Strategy<Value = Value> {
        leaf().prop_recursive(4, 40, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
                prop::collection::vec((prop_oneof![4 => NAMES, 1 => "[a-z]{1,6}"], inner), 0..8)
                    .prop_map(|fields| Value::Object(fields.into_iter().collect())),
            ]
        })
    }

    /// The bodies of the samples, and of failures.
    fn sample() -> impl Strategy<Value = Value> {
        let mut bodies: Vec<Value> = Call::ALL.map(|call| serde_json::from_str(samples(call).1).unwrap()).into();
        for text in [
            include_str!("../samples/list-accounts.waiting.answer.json"),
            include_str!("../samples/error.expired-token.json"),
            include_str!("../samples/error.item-not-found.json"),
            include_str!("../samples/error.not-found.json"),
            include_str!("../samples/error.other.json"),
            include_str!("../samples/error.unchanged.json"),
        ] {
            bodies.push(serde_json::from_str(text).unwrap());
        }
        prop::sample::select(bodies)
    }

    /// Every place of a value, as JSON pointers.
    fn places(value: &Value, at: &str, all: &mut Vec<String>) {
        all.push(at.to_owned());
        match value {
            Value::Object(fields) => {
                fields.iter().for_each(|(name, field)| places(field, &format!("{at}/{name}"), all))
            }
            Value::Array(items) => {
                items.iter().enumerate().for_each(|(i, item)| places(item, &format!("{at}/{i}"), all))
            }
            _ => {}
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn both_read_any_json_alike(value in any_json(), other in any_json()) {
            check(value.to_string().as_bytes());
            check(json!({ "data": value, "meta": other }).to_string().as_bytes());
        }

        #[test]
        fn both_read_changed_samples_alike(
            mut body in sample(), changes in prop::collection::vec((any::<prop::sample::Index>(), any_json()), 0..3),
        ) {
            for (at, to) in changes {
                let mut all = Vec::new();
                places(&body, "", &mut all);
                *body.pointer_mut(&all[at.index(all.len())]).unwrap() = to;
            }
            check(body.to_string().as_bytes());
        }

        #[test]
        fn both_read_broken_samples_alike(
            body in sample(), at in any::<prop::sample::Index>(), put in "[\\[\\]{}\",:0-9a-z \\\\]{0,3}", cut in 0_usize..3,
        ) {
            let mut bytes = body.to_string().into_bytes();
            let at = at.index(bytes.len());
            let end = (at + cut).min(bytes.len());
            bytes.splice(at..end, put.into_bytes());
            check(&bytes);
        }

        #[test]
        fn both_read_any_bytes_alike(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            check(&bytes);
        }
    }
}
