//! A strict reading of session data, accounts and banks: what the product copes with is a warning.

use std::collections::HashSet;

use serde_json::{Map, Value};
use time::{OffsetDateTime, format_description::well_known::Rfc3339};
use vincula_domain::bank::{BankCode, TaxId, is_same_bank};

use super::{
    report::Level,
    shape::{keys, shape},
};

/// Session data and token share a cookie with the rest of the session: as many bytes fit, and surely do not.
const MUCH_DATA: usize = 2_000;
const TOO_MUCH_DATA: usize = 2_900;

/// Most kinds of warnings of a list's rows, and as many of failures: an API's rows may all differ.
const MAX_KINDS: usize = 10;

/// Most rows of a list that are shown.
const MAX_ROWS: usize = 2_000;

type Problems = Vec<(Level, String)>;

/// How a field is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A text that the screens need.
    Text,
    /// A text that may be missing.
    Optional,
    /// A text or a number, sent back as it came.
    Id,
    OptionalId,
    /// Without it there is no session.
    RequiredId,
    /// Checked by [`wait`].
    Wait,
}

const SESSION: [(&str, Kind); 10] = [
    ("customer_id", Kind::RequiredId),
    ("client_name", Kind::Text),
    ("client_cpfcnpj", Kind::Text),
    ("customer_name", Kind::Text),
    ("widget_account_admin_name", Kind::Optional),
    ("widget_account_admin_cpfcnpj", Kind::Optional),
    ("widget_type", Kind::Text),
    ("widget_account_bank", Kind::Optional),
    ("link_id", Kind::OptionalId),
    ("client_uuid", Kind::Id),
];

const BANK: [(&str, Kind); 2] = [("code", Kind::Text), ("name", Kind::Text)];

/// The session data.
pub fn session(data: &Map<String, Value>) -> Problems {
    let mut problems = fields(&SESSION, data, "");
    let mut warn = |seen: String| problems.push((Level::Warning, seen));
    let has_link = data.get("link_id").is_some_and(|link| !is_blank(link));
    match text(data, "widget_type").to_ascii_lowercase().as_str() {
        "update" if !has_link => warn("an update without link_id links a new item".into()),
        "new" if has_link => warn("link_id opens Connect in update mode".into()),
        "new" | "update" | "cancel" => {}
        _ => warn("widget_type is none of new, update, cancel, and means new".into()),
    }
    for name in ["client_cpfcnpj", "widget_account_admin_cpfcnpj"] {
        let document = text(data, name);
        if !document.is_empty() && TaxId::new(document).masked().is_empty() {
            warn(format!("{name} is neither a CPF nor a CNPJ by its length"));
        }
    }
    match Value::from(data.clone()).to_string().len() {
        size if size > TOO_MUCH_DATA => {
            problems.push((Level::Failure, format!("{size} bytes of data do not fit the session's cookie")));
        }
        size if size > MUCH_DATA => warn(format!("{size} bytes of data nearly fill the session's cookie")),
        _ => {}
    }
    problems
}

/// The accounts.
pub fn accounts(list: &[Value]) -> Problems {
    rows(list, account)
}

fn account(row: &Map<String, Value>) -> Problems {
    let is_waiting = matches!(text(row, "status"), "confirming" | "awaiting_approval");
    // The number of an account that waits may not be known yet.
    let number = if is_waiting { Kind::Optional } else { Kind::Text };
    let known = [
        ("bank", Kind::Text),
        ("agency", Kind::Optional),
        ("number", number),
        ("name", Kind::Text),
        ("status", Kind::Wait),
        ("approve_by", Kind::Wait),
    ];
    let mut problems = fields(&known, row, "a row's ");
    problems.extend(wait(row).map(|seen| (Level::Warning, format!("a row's {seen}"))));
    problems
}

/// What is wrong with what a row waits for: such a row is shown as an account, or without its day.
fn wait(row: &Map<String, Value>) -> impl Iterator<Item = &'static str> {
    let [status, approve_by] = ["status", "approve_by"].map(|name| row.get(name).filter(|value| !value.is_null()));
    let state = status.and_then(Value::as_str);
    let is_known = status.is_none() || matches!(state, Some("confirming" | "awaiting_approval"));
    let is_date = approve_by.is_none_or(|value| value.as_str().is_some_and(is_date));
    let is_apt = approve_by.is_none() || state == Some("awaiting_approval");
    let problems = [
        (!is_known).then_some("status is neither confirming nor awaiting_approval"),
        (!is_date).then_some("approve_by is neither YYYY-MM-DD nor an RFC 3339 date and time"),
        (!is_apt).then_some("approve_by stands without the status awaiting_approval"),
    ];
    problems.into_iter().flatten()
}

fn is_date(text: &str) -> bool {
    let is_time = |text: &str| OffsetDateTime::parse(text, &Rfc3339).is_ok();
    is_time(text) || is_time(&format!("{text}T00:00:00Z"))
}

/// The banks.
pub fn banks(list: &[Value]) -> Problems {
    let mut problems = rows(list, |row| fields(&BANK, row, "a row's "));
    if list.is_empty() {
        problems.push((Level::Failure, "no bank: nobody can link an account".into()));
    }
    let code =
        |row: &Value| row["code"].as_str().map_or_else(|| row["code"].to_string(), |code| code.trim().to_owned());
    let codes: Vec<_> = list.iter().filter(|row| !is_blank(&row["code"])).map(code).collect();
    let unusable = codes.iter().filter(|code| BankCode::parse(code).is_none()).count();
    if unusable > 0 {
        problems.push((Level::Failure, format!("{unusable} codes are not 1 to 64 visible ASCII characters")));
    }
    let repeated = codes.len() - codes.iter().collect::<HashSet<_>>().len();
    if repeated > 0 {
        problems.push((Level::Warning, format!("{repeated} codes occur more than once")));
    }
    problems
}

/// Whether each account's bank is one of the list, by which the product sees that a new account has arrived.
pub fn bank_names(accounts: &Value, banks: &Value) -> (Level, String) {
    let (accounts, banks) = (column(accounts, "bank"), column(banks, "name"));
    let unknown = accounts.iter().filter(|name| !banks.iter().any(|bank| is_same_bank(bank, name))).count();
    match unknown {
        0 => (Level::Ok, "all are".into()),
        _ => (Level::Warning, format!("{unknown} of {} are not", accounts.len())),
    }
}

/// The problems of a list, each with the number of rows that have it. Beyond [`MAX_KINDS`] of a level only their number.
fn rows(list: &[Value], problems_of: impl Fn(&Map<String, Value>) -> Problems) -> Problems {
    let mut found: Vec<(Level, String, usize)> = Vec::new();
    let mut further = 0;
    for row in list {
        let problems = match row {
            Value::Object(row) => problems_of(row),
            other => vec![(Level::Failure, format!("a row is {}", shape(other)))],
        };
        for (level, seen) in problems {
            let kinds = found.iter().filter(|(known, ..)| *known == level).count();
            match found.iter_mut().find(|(_, known, _)| *known == seen) {
                Some((.., count)) => *count += 1,
                None if kinds < MAX_KINDS => found.push((level, seen, 1)),
                None => further += 1,
            }
        }
    }
    let mut problems: Problems = found
        .into_iter()
        .map(|(level, seen, count)| (level, format!("{seen} ({count} of {} rows)", list.len())))
        .collect();
    if further > 0 {
        problems.push((Level::Warning, format!("{further} further problems in rows")));
    }
    if list.len() > MAX_ROWS {
        problems.push((Level::Warning, format!("{} rows, of which {MAX_ROWS} are shown", list.len())));
    }
    problems
}

/// The problems of an object's fields.
fn fields(known: &[(&'static str, Kind)], object: &Map<String, Value>, of: &str) -> Problems {
    let mut problems: Problems = known
        .iter()
        .filter_map(|(name, kind)| {
            let (level, seen) = problem(*kind, object.get(*name).unwrap_or(&Value::Null))?;
            Some((level, format!("{of}{name} is {seen}")))
        })
        .collect();
    let unknown: Vec<_> = object.keys().filter(|key| !known.iter().any(|(name, _)| name == key)).collect();
    if !unknown.is_empty() {
        problems.push((Level::Warning, format!("{of}fields that the product ignores: {}", keys(unknown.into_iter()))));
    }
    problems
}

fn problem(how: Kind, value: &Value) -> Option<(Level, String)> {
    let is_id = matches!(how, Kind::Id | Kind::OptionalId | Kind::RequiredId);
    let level = if how == Kind::RequiredId { Level::Failure } else { Level::Warning };
    match value {
        _ if how == Kind::Wait => None,
        Value::Bool(_) | Value::Array(_) | Value::Object(_) => Some((Level::Failure, shape(value))),
        Value::Number(_) if is_id => None,
        Value::Number(_) => Some((Level::Warning, "a number, which has no left zeros".into())),
        _ if !is_blank(value) || matches!(how, Kind::Optional | Kind::OptionalId) => None,
        _ => Some((level, if value.is_null() { "missing or null".into() } else { "empty".into() })),
    }
}

fn is_blank(value: &Value) -> bool {
    value.is_null() || value.as_str().is_some_and(|text| text.trim().is_empty())
}

/// A text without spaces around it; empty if it is missing or none.
fn text<'a>(fields: &'a Map<String, Value>, name: &str) -> &'a str {
    fields.get(name).and_then(Value::as_str).unwrap_or_default().trim()
}

/// The texts of one field of a list's rows.
fn column<'a>(rows: &'a Value, name: &str) -> Vec<&'a str> {
    let rows = rows.as_array().into_iter().flatten().filter_map(Value::as_object);
    rows.map(|row| text(row, name)).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_row_that_waits_needs_no_number_but_a_known_status_and_a_day_that_is_one() {
        let status = "a row's status is neither confirming nor awaiting_approval";
        let day = "a row's approve_by is neither YYYY-MM-DD nor an RFC 3339 date and time";
        let apt = "a row's approve_by stands without the status awaiting_approval";
        let awaiting = |by: Value| json!({ "number": "", "status": "awaiting_approval", "approve_by": by });
        for (more, expected) in [
            (json!({}), &[][..]),
            (json!({ "status": null, "approve_by": null }), &[]),
            (json!({ "number": null, "status": "confirming" }), &[]),
            (json!({ "number": "", "status": "awaiting_approval" }), &[]),
            (awaiting("2026-12-07".into()), &[]),
            (awaiting("2026-12-07T23:59:59-03:00".into()), &[]),
            (awaiting("2026-12-07T12:00:00.000Z".into()), &[]),
            (json!({ "number": "" }), &["a row's number is empty"]),
            (json!({ "status": "done" }), &[status]),
            (json!({ "status": "" }), &[status]),
            (json!({ "status": true }), &[status]),
            (awaiting("07/12/2026".into()), &[day]),
            (awaiting("2026-02-30".into()), &[day]),
            (awaiting("".into()), &[day]),
            (awaiting(1_796_612_400.into()), &[day]),
            (json!({ "approve_by": "2026-12-07" }), &[apt]),
            (json!({ "status": "confirming", "approve_by": "2026-12-07" }), &[apt]),
        ] {
            let mut row = json!({ "bank": "Itaú", "agency": "0405", "number": "12345-6", "name": "Boa Vista" });
            let (Value::Object(row), Value::Object(more)) = (&mut row, &more) else { unreachable!() };
            row.extend(more.clone());
            let expected: Problems = expected.iter().map(|seen| (Level::Warning, (*seen).to_owned())).collect();
            assert_eq!(account(row), expected, "{more:?}");
        }
    }
}
