//! Judges what came back: by the product's own client, then by a stricter reading of the contract.

use std::{collections::HashMap, time::Duration};

use reqwest::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderName, LOCATION, SET_COOKIE};
use serde_json::Value;
use vincula_upstream::{Call, CallError, Observed};

use super::{
    fields,
    report::{
        Finding,
        Level::{self, Failure, NotTried, Ok as Good, Warning},
    },
    shape::{keys, shape},
    table::{Check, Expectation},
};

/// An answer that takes longer keeps people waiting.
const SLOW: Duration = Duration::from_secs(2);

/// An answer that is larger is unusual: a list of all banks is a few kB.
const LARGE_LIST: usize = 128 * 1024;
const LARGE: usize = 16 * 1024;

/// A call that was made.
pub struct CallRecord {
    pub outcome: Result<(), CallError>,
    /// The response as it came, if one began.
    pub observed: Option<Observed>,
    pub took: Duration,
    /// An XSRF token came that can be sent back.
    pub sets_xsrf: bool,
    pub request_id: String,
}

impl CallRecord {
    /// Without a response, for tests.
    #[cfg(test)]
    pub fn success(took: Duration) -> Self {
        Self { outcome: Ok(()), observed: None, took, sets_xsrf: false, request_id: String::new() }
    }

    /// 0 without a response.
    pub fn status(&self) -> u16 {
        self.observed.as_ref().map_or(0, |observed| observed.status.as_u16())
    }

    pub fn header(&self, name: &HeaderName) -> Option<&str> {
        self.observed.as_ref()?.headers.get(name).map(|value| value.to_str().unwrap_or_default())
    }

    /// Empty also if it was not read to its end.
    pub fn body(&self) -> &[u8] {
        self.observed.as_ref().and_then(|observed| observed.body.as_deref()).unwrap_or_default()
    }

    /// The body, if it is JSON.
    pub fn json(&self) -> Option<Value> {
        serde_json::from_slice(self.body()).ok()
    }

    pub fn data(&self) -> Option<Value> {
        self.json()?.get_mut("data").map(Value::take)
    }
}

/// Everything that there is to say about a call. `first` holds the data of the first success of each call.
pub fn judge(check: &Check, record: &CallRecord, first: &HashMap<&'static str, Value>, has_xsrf: bool) -> Vec<Finding> {
    let data = record.data().unwrap_or_default();
    let is_repeated = first.get(check.call.path()).is_some_and(|first| *first == data);
    let (level, seen) = match (check.expectation, &record.outcome) {
        (Expectation::Success, _) => return success(check, record, first, has_xsrf),
        (Expectation::SuccessOrUnchanged, Err(error)) if matches!(error.name(), "unchanged" | "item_not_found") => {
            (Good, format!("{}, {}", summary(record), meaning(error)))
        }
        (Expectation::SuccessOrUnchanged, _) => return success(check, record, first, has_xsrf),
        (
            Expectation::Refusal | Expectation::IdRefusal | Expectation::TokenNotFound | Expectation::TokenExpired,
            outcome,
        ) => {
            let (level, comment) = refusal(check.expectation, record, outcome.as_ref().err());
            (level, summary(record) + &comment)
        }
        (Expectation::Works, Ok(())) => (Good, "success".into()),
        (Expectation::SameData, Ok(())) if is_repeated => (Good, "the same".into()),
        (Expectation::SameData, Ok(())) => {
            let before = first.get(check.call.path()).map(shape).unwrap_or_default();
            (Warning, format!("{before}, then {}, which differs", shape(&data)))
        }
        (Expectation::NewData, Ok(())) if !is_repeated => (Good, "another one".into()),
        (Expectation::NewData, Ok(())) => (Warning, "the same one, which is valid for one connection".into()),
        (Expectation::NoAccount, Ok(())) => match data.as_array().map_or(0, Vec::len) {
            0 => (Good, "no account".into()),
            count => (Warning, format!("{count} accounts are still listed")),
        },
        (Expectation::XsrfRefusal, Ok(())) => (Warning, "accepted: the cookie protects nothing".into()),
        (Expectation::NoAccount | Expectation::XsrfRefusal, Err(error)) if error.reply().is_some() => {
            (Good, "refused".into())
        }
        (_, Err(error)) => (Failure, error.to_string()),
    };
    vec![check.finding(level, seen)]
}

/// An answer that should be a refusal.
fn refusal(expectation: Expectation, record: &CallRecord, error: Option<&CallError>) -> (Level, String) {
    let status = record.status();
    let is_success = (200..300).contains(&status);
    let json = record.json();
    let Some(error) = error else {
        return match expectation {
            Expectation::IdRefusal => (Warning, ": accepted; is the id ignored, or believed?".into()),
            _ => (Failure, ": accepted".into()),
        };
    };
    if error.reply().is_none() {
        return match json {
            Some(_) if is_success => (Failure, ": accepted, with data of another shape".into()),
            _ => (Failure, format!(": {error}")),
        };
    }
    if error.name() == "failed" {
        let why = if (300..400).contains(&status) { "a redirect" } else { "a failure of the API" };
        return (Failure, format!(": {why}, not a refusal"));
    }
    let has_meta = json.is_some_and(|body| body.get("meta").is_some_and(Value::is_object));
    let level = match (expectation, error.name()) {
        (Expectation::TokenNotFound, "token_not_found") | (Expectation::TokenExpired, "token_expired") => Good,
        (Expectation::Refusal | Expectation::IdRefusal, _) if has_meta => Good,
        (Expectation::TokenNotFound, _) if has_meta => Warning,
        (Expectation::Refusal | Expectation::IdRefusal, _) => Warning,
        _ => Failure,
    };
    match level {
        Good if is_success => (Warning, ": a failure under an HTTP status of success".into()),
        _ if !has_meta => (level, format!(": {}, so it means an invalid token", why_no_meta(record))),
        Good => (Good, String::new()),
        _ => (level, format!(": means {}", meaning(error))),
    }
}

/// An answer that should be good: whether the product can use it, and what is unusual about it.
fn success(check: &Check, record: &CallRecord, first: &HashMap<&'static str, Value>, has_xsrf: bool) -> Vec<Finding> {
    let mut found = match &record.outcome {
        Ok(()) => {
            let mut found = vec![check.finding(Good, summary(record)), envelope(check, record)];
            found.extend(unusual(check, record));
            found
        }
        Err(error) => vec![diagnosis(check, record, error, has_xsrf)],
    };
    let data = record.data().unwrap_or_default();
    let problems = match (check.call, &data) {
        (Call::ValidateToken, Value::Object(data)) => fields::session(data),
        (Call::ListBanks, Value::Array(banks)) => fields::banks(banks),
        (Call::ListAccounts, Value::Array(rows)) if rows.is_empty() => {
            let seen = "there is no account: use a link whose client has one";
            found.push(check.other_finding(NotTried, "not-tried", seen, ""));
            return found;
        }
        (Call::ListAccounts, Value::Array(rows)) => fields::accounts(rows),
        _ => return found,
    };
    let expected = "the fields of the contract, with their types";
    let field = |(level, seen): (Level, String)| check.other_finding(level, "fields", seen, expected);
    if problems.is_empty() {
        found.push(field((Good, "as in the contract".into())));
    }
    found.extend(problems.into_iter().map(field));
    if let (Call::ListAccounts, Ok(()), Some(banks)) = (check.call, &record.outcome, first.get(Call::ListBanks.path()))
    {
        let (level, seen) = fields::bank_names(&data, banks);
        let expected = "the name in list-banks, or one with the same first word";
        found.push(check.other_finding(level, "bank-names", seen, expected));
    }
    found
}

/// `meta` beside good data, and what else is at the top.
fn envelope(check: &Check, record: &CallRecord) -> Finding {
    let (level, seen) = match record.json() {
        None => (Good, "an empty body".to_owned()),
        Some(Value::Object(envelope)) => {
            let unknown: Vec<_> = envelope.keys().filter(|key| *key != "data" && *key != "meta").collect();
            let meta = envelope.get("meta");
            match meta.and_then(|meta| meta.get("status")) {
                None => (Warning, format!("meta is {}", meta.map_or_else(|| "missing".into(), shape))),
                Some(status) if number(status).is_some_and(|status| status >= 400) => {
                    (Failure, "meta.status reports a failure beside data: the product takes it for a success".into())
                }
                Some(status) if status.as_u64() != Some(record.status().into()) => {
                    (Warning, format!("meta.status is {}, not the HTTP status", shape(status)))
                }
                Some(_) if !unknown.is_empty() => (Warning, format!("also {}", keys(unknown.into_iter()))),
                Some(_) => (Good, "data and meta".into()),
            }
        }
        Some(other) => (Warning, shape(&other)),
    };
    check.other_finding(level, "envelope", seen, "data, and meta with the HTTP status as number")
}

/// Content type, cookies, time and size.
fn unusual(check: &Check, record: &CallRecord) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut add = |level, name, seen: String, expected| found.push(check.other_finding(level, name, seen, expected));
    let kind = record.header(&CONTENT_TYPE).unwrap_or_default().to_ascii_lowercase();
    let (media, charset) = kind.split_once(';').unwrap_or((&kind, ""));
    let is_utf8 = !charset.contains("charset") || charset.replace(['"', ' '], "").contains("charset=utf-8");
    let is_json = media.trim() == "application/json" || media.trim().ends_with("+json");
    let is_as_agreed = record.body().is_empty() || (is_json && is_utf8);
    if !is_as_agreed {
        let seen = if is_json { "JSON, with another charset" } else { "another Content-Type, or none" };
        add(Warning, "content-type", seen.into(), "Content-Type: application/json, in UTF-8");
    }
    let set = record.observed.iter().flat_map(|observed| observed.headers.get_all(SET_COOKIE));
    let cookies: Vec<_> = set.filter_map(|header| header.to_str().ok()?.split('=').next()).map(str::trim).collect();
    let others = cookies.iter().filter(|name| **name != "XSRF-TOKEN").count();
    if others > 0 {
        add(Warning, "cookies", format!("{others} of another name"), "none: Vincula returns XSRF-TOKEN only");
    }
    if cookies.contains(&"XSRF-TOKEN") {
        let (level, seen) = match check.call {
            _ if !record.sets_xsrf => (Failure, "an XSRF-TOKEN that cannot be sent back"),
            Call::ListAccounts => (Warning, "a new XSRF-TOKEN, which Vincula does not take over"),
            _ => (Good, "XSRF-TOKEN, sent back from now on"),
        };
        add(level, "xsrf-cookie", seen.into(), "visible ASCII without ; , \" \\, not set by list-accounts");
    }
    if record.took > SLOW {
        add(Warning, "time", format!("{} ms", record.took.as_millis()), "at most 2 s");
    }
    let bytes = record.body().len();
    let (most, expected) = if check.is_list() { (LARGE_LIST, "at most 128 kB") } else { (LARGE, "at most 16 kB") };
    if bytes > most {
        add(Warning, "size", format!("{bytes} bytes"), expected);
    }
    found
}

/// Why the product cannot use a response.
fn diagnosis(check: &Check, record: &CallRecord, error: &CallError, has_xsrf: bool) -> Finding {
    let seen = summary(record);
    let (status, body, json) = (record.status(), record.body(), record.json());
    let is_read = record.observed.as_ref().is_some_and(|observed| observed.body.is_some());
    let is_unexpected = error.name() == "unexpected_answer";
    let (name, seen, expected) = match json {
        _ if !is_unexpected && error.reply().is_none() => {
            let name = if error.name() == "timed_out" { "timeout" } else { "no-reply" };
            (name, format!("no complete answer ({error})"), "an answer")
        }
        _ if (300..400).contains(&status) => {
            let with_slash = format!("/{}/", check.call.path());
            let is_slash = record.header(&LOCATION).is_some_and(|to| to.ends_with(&with_slash));
            let hint = if is_slash { " to the same path with a slash" } else { "" };
            ("redirect", seen + hint, "no redirect: Vincula follows none")
        }
        _ if is_unexpected && !is_read => ("too-large", seen, "at most 512 kB of a list, 64 kB of anything else"),
        _ if record.header(&CONTENT_ENCODING).is_some() => {
            ("compression", seen + ", with Content-Encoding", "no Content-Encoding")
        }
        Some(body) if is_unexpected => match body.get("data") {
            Some(data) => ("shape", format!("{seen}: data is {}", shape(data)), "what the call needs, in data"),
            None => ("shape", format!("{seen}: {} without data", shape(&body)), r#"{ "data": …, "meta": … }"#),
        },
        _ if body.trim_ascii_start().starts_with(b"<") => {
            let hint = if matches!(status, 404 | 405) { "; is the address right?" } else { "" };
            ("page", format!("{seen}: a page{hint}"), "JSON")
        }
        _ if !is_unexpected => {
            let has_meta = json.is_some_and(|body| body.pointer("/meta/status").is_some());
            let hint = match status {
                404 | 405 if !has_meta => ": no call of this API; is the address right?",
                403 if has_xsrf => ": if it is a check of XSRF, exempt these routes",
                419 => ": a check of XSRF; exempt these routes",
                _ => "",
            };
            ("refused", format!("{seen}, shown as {}{hint}", meaning(error)), "success")
        }
        _ if body.trim_ascii().is_empty() => ("empty", seen, "a body with data"),
        _ if std::str::from_utf8(body).is_err() => ("charset", seen + ": no UTF-8", "JSON in UTF-8"),
        _ if body.starts_with(b"\xef\xbb\xbf") => {
            ("charset", seen + ": a byte order mark before the JSON", "JSON in UTF-8 without it")
        }
        _ => ("not-json", seen + ": no JSON", "JSON"),
    };
    check.other_finding(Failure, name, seen, expected)
}

/// What the product makes of a refusal: any that it does not know it shows as an invalid token.
fn meaning(error: &CallError) -> &'static str {
    match error.name() {
        "item_not_found" => "an unknown item",
        "unchanged" => "nothing to update",
        "token_not_found" => "an unknown token",
        "token_expired" => "an expired token",
        _ => "an invalid token",
    }
}

/// Why the body has no `meta`.
fn why_no_meta(record: &CallRecord) -> &'static str {
    match record.body().trim_ascii_start().first() {
        _ if record.header(&CONTENT_ENCODING).is_some() => "compressed",
        None => "an empty body",
        Some(b'<') => "a page",
        Some(_) => "without meta",
    }
}

/// Status, `meta.status`, size and time of a response.
fn summary(record: &CallRecord) -> String {
    let ms = record.took.as_millis();
    let Some(observed) = &record.observed else { return format!("no answer, {ms} ms") };
    let meta = record.json().and_then(|body| number(body.pointer("/meta/status")?));
    let meta = meta.map_or_else(String::new, |meta| format!(", meta.status {meta}"));
    let bytes = observed.body.as_ref().map_or_else(String::new, |body| format!(", {} bytes", body.len()));
    format!("HTTP {}{meta}{bytes}, {ms} ms", record.status())
}

/// A status, as a number or as digits.
fn number(status: &Value) -> Option<u64> {
    status.as_u64().or_else(|| status.as_str()?.trim().parse().ok())
}
