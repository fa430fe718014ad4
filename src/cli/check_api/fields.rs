//! A strict check of session data, accounts and banks. Deviations that the product tolerates are
//! warnings.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::Value;
use time::{OffsetDateTime, format_description::well_known::Rfc3339};
use vincula_domain::bank::{BankCode, TaxId, is_same_bank};
use vincula_upstream::{Call, MAX_ROWS};

use self::Kind::{Any, Id, Text};
use super::{
    report::{
        Level::{self, Failure, Good, NotTried, Warning},
        Verdict,
    },
    shape::{keys, shape},
};

/// Session data and token share a cookie with the rest of the session. The first size always fits,
/// the second never does.
const MUCH_DATA: usize = 2_000;
const TOO_MUCH_DATA: usize = 2_900;

/// Maximum number of different problems that are reported for the rows of a list.
const MAX_KINDS: usize = 20;

type Problems = Vec<(Level, String)>;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    /// A text or a number, returned unchanged.
    Id,
    /// Checked apart.
    Any,
}

/// The name of a field, and the level of a finding if it is missing.
type Field = (&'static str, Kind, Level);

const SESSION: [Field; 10] = [
    ("customer_id", Id, Failure),
    ("client_name", Text, Warning),
    ("client_cpfcnpj", Text, Warning),
    ("customer_name", Text, Warning),
    ("widget_account_admin_name", Text, Good),
    ("widget_account_admin_cpfcnpj", Text, Good),
    ("widget_type", Text, Warning),
    ("widget_account_bank", Text, Good),
    ("link_id", Id, Good),
    ("client_uuid", Id, Warning),
];

const BANK: [Field; 2] = [("code", Text, Warning), ("name", Text, Warning)];

/// Checks the data of a response against the fields of the contract.
pub fn judge(call: Call, data: &Value, answers: &HashMap<Call, Value>) -> Vec<Verdict> {
    let mut found = Vec::new();
    let mut problems = match (call, data) {
        (Call::ValidateToken, Value::Object(_)) => session(data),
        (Call::ListBanks, Value::Array(list)) => banks(list),
        (Call::ListAccounts, Value::Array(list)) if list.is_empty() => {
            return vec![(
                NotTried,
                "not-tried",
                "there is no account: use a link whose client has one".into(),
            )];
        }
        (Call::ListAccounts, Value::Array(list)) => {
            found.extend(
                answers
                    .get(&Call::ListBanks)
                    .map(|banks| bank_names(list, banks)),
            );
            rows(list, account)
        }
        _ => return found,
    };
    if problems.is_empty() {
        problems.push((Good, "as in the contract".into()));
    }
    found.extend(
        problems
            .into_iter()
            .map(|(level, seen)| (level, "fields", seen)),
    );
    found
}

fn session(data: &Value) -> Problems {
    let mut problems = fields(&SESSION, data);
    let mut warn = |seen: String| problems.push((Warning, seen));
    let has_link = !is_blank(&data["link_id"]);
    match text(data, "widget_type").to_ascii_lowercase().as_str() {
        "update" if !has_link => warn("an update without link_id links a new item".into()),
        "new" if has_link => warn("link_id opens Connect in update mode".into()),
        "new" | "update" | "cancel" => {}
        _ => warn("widget_type is not new, update or cancel, so it means new".into()),
    }
    for name in ["client_cpfcnpj", "widget_account_admin_cpfcnpj"] {
        let document = text(data, name);
        if !document.is_empty() && TaxId::new(document).masked().is_empty() {
            warn(format!("{name} is neither a CPF nor a CNPJ by its length"));
        }
    }
    let size = data.to_string().len();
    if size > MUCH_DATA {
        let level = if size > TOO_MUCH_DATA {
            Failure
        } else {
            Warning
        };
        problems.push((
            level,
            format!(
                "{size} bytes of data leave little room in the session's cookie; expected at most {MUCH_DATA}"
            ),
        ));
    }
    problems
}

fn account(row: &Value) -> Problems {
    let [status, approve_by] = ["status", "approve_by"].map(|name| &row[name]);
    let is_waiting = matches!(status.as_str(), Some("confirming" | "awaiting_approval"));
    let known = [
        ("bank", Text, Warning),
        ("agency", Text, Good),
        // That of an account that waits may not be known yet.
        ("number", Text, if is_waiting { Good } else { Warning }),
        ("name", Text, Warning),
        ("status", Any, Good),
        ("approve_by", Any, Good),
    ];
    let mut problems = fields(&known, row);
    let mut warn = |seen: &str| problems.push((Warning, seen.to_owned()));
    if !status.is_null() && !is_waiting {
        warn("status is neither confirming nor awaiting_approval");
    }
    if !approve_by.is_null() {
        if !approve_by.as_str().is_some_and(is_date) {
            warn("approve_by is neither YYYY-MM-DD nor an RFC 3339 date and time");
        }
        if status != "awaiting_approval" {
            warn("approve_by is set without the status awaiting_approval");
        }
    }
    problems
}

fn is_date(text: &str) -> bool {
    let is_time = |text: &str| OffsetDateTime::parse(text, &Rfc3339).is_ok();
    is_time(text) || is_time(&format!("{text}T00:00:00Z"))
}

fn banks(list: &[Value]) -> Problems {
    if list.is_empty() {
        return vec![(Failure, "no bank: clients cannot link an account".into())];
    }
    let mut codes = HashSet::new();
    rows(list, |row| {
        let mut problems = fields(&BANK, row);
        let code = row["code"]
            .as_str()
            .map_or_else(|| row["code"].to_string(), |code| code.trim().into());
        if !is_blank(&row["code"]) && BankCode::parse(&code).is_none() {
            problems.push((
                Failure,
                "code is not 1 to 64 visible ASCII characters".into(),
            ));
        }
        if !is_blank(&row["code"]) && !codes.insert(code) {
            problems.push((Warning, "code is the same as in another row".into()));
        }
        problems
    })
}

/// Checks that each account's bank is on the bank list. The product recognises a new account by it.
fn bank_names(accounts: &[Value], banks: &Value) -> Verdict {
    let is_known = |account: &&Value| {
        let mut banks = banks.as_array().into_iter().flatten();
        banks.any(|bank| is_same_bank(text(bank, "name"), text(account, "bank")))
    };
    match accounts.len() - accounts.iter().filter(is_known).count() {
        0 => (Good, "bank-names", "all are in list-banks".into()),
        unknown => (
            Warning,
            "bank-names",
            format!("{unknown} have another first word than any in list-banks"),
        ),
    }
}

/// The problems of a list, the worst first, each with the number of affected rows.
fn rows(list: &[Value], mut problems_of: impl FnMut(&Value) -> Problems) -> Problems {
    let mut counts = BTreeMap::<(Level, String), usize>::new();
    for row in list {
        let is_object = row.is_object();
        let problems = if is_object {
            problems_of(row)
        } else {
            vec![(Failure, format!("a row is {}", shape(row)))]
        };
        for problem in problems {
            *counts.entry(problem).or_default() += 1;
        }
    }
    let further = counts.len().saturating_sub(MAX_KINDS);
    let mut problems: Problems = counts
        .into_iter()
        .take(MAX_KINDS)
        .map(|((level, seen), count)| (level, format!("{seen} ({count} of {} rows)", list.len())))
        .collect();
    if list.len() > MAX_ROWS {
        problems.push((
            Warning,
            format!("{} rows, of which {MAX_ROWS} are shown", list.len()),
        ));
    }
    if further > 0 {
        problems.push((Warning, format!("{further} further problems in rows")));
    }
    problems
}

fn fields(known: &[Field], object: &Value) -> Problems {
    let mut problems = Problems::new();
    for &(name, kind, if_missing) in known {
        let (level, is) = match &object[name] {
            _ if kind == Any => continue,
            value @ (Value::Bool(_) | Value::Array(_) | Value::Object(_)) => {
                (Failure, shape(value))
            }
            Value::Number(_) if kind == Text => {
                (Warning, "a number, which has no left zeros".into())
            }
            value if is_blank(value) && if_missing != Good => {
                (if_missing, "missing or empty".into())
            }
            _ => continue,
        };
        problems.push((level, format!("{name} is {is}")));
    }
    let names = object
        .as_object()
        .into_iter()
        .flat_map(|object| object.keys());
    let unknown: Vec<_> = names
        .filter(|key| !known.iter().any(|(name, ..)| name == key))
        .collect();
    if !unknown.is_empty() {
        problems.push((
            Warning,
            format!("fields that the product ignores: {}", keys(&unknown)),
        ));
    }
    problems
}

fn is_blank(value: &Value) -> bool {
    value.is_null() || value.as_str().is_some_and(|text| text.trim().is_empty())
}

/// A trimmed text; empty if it is missing or not a text.
fn text<'a>(object: &'a Value, name: &str) -> &'a str {
    object[name].as_str().unwrap_or_default().trim()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn waiting_row_needs_known_status_and_valid_day() {
        let status = "status is neither confirming nor awaiting_approval";
        let day = "approve_by is neither YYYY-MM-DD nor an RFC 3339 date and time";
        let apt = "approve_by is set without the status awaiting_approval";
        let awaiting =
            |by: Value| json!({ "number": "", "status": "awaiting_approval", "approve_by": by });
        for (more, expected) in [
            (json!({}), &[][..]),
            (json!({ "status": null, "approve_by": null }), &[]),
            (json!({ "number": null, "status": "confirming" }), &[]),
            (json!({ "number": "", "status": "awaiting_approval" }), &[]),
            (awaiting("2026-12-07".into()), &[]),
            (awaiting("2026-12-07T23:59:59-03:00".into()), &[]),
            (awaiting("2026-12-07T12:00:00.000Z".into()), &[]),
            (json!({ "number": "" }), &["number is missing or empty"]),
            (json!({ "status": "done" }), &[status]),
            (json!({ "status": "" }), &[status]),
            (json!({ "status": true }), &[status]),
            (awaiting("07/12/2026".into()), &[day]),
            (awaiting("2026-02-30".into()), &[day]),
            (awaiting("".into()), &[day]),
            (awaiting(1_796_612_400.into()), &[day]),
            (json!({ "approve_by": "2026-12-07" }), &[apt]),
            (
                json!({ "status": "confirming", "approve_by": "2026-12-07" }),
                &[apt],
            ),
        ] {
            let mut row = json!({ "bank": "Itaú", "agency": "0405", "number": "12345-6", "name": "Boa Vista" });
            row.as_object_mut()
                .unwrap()
                .extend(more.as_object().unwrap().clone());
            let expected: Problems = expected
                .iter()
                .map(|seen| (Warning, (*seen).to_owned()))
                .collect();
            assert_eq!(account(&row), expected, "{more:?}");
        }
    }
}
