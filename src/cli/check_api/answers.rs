//! An answer that should be good: whether the product can use it, and how it comes.

use std::time::Duration;

use reqwest::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderName, LOCATION};
use serde_json::Value;
use vincula_upstream::{Call, CallError, NoReplyCause, Unexpected};

use super::{
    report::{Check, Level, Row},
    shape::{field_shape, keys, shape},
    visit::{Tried, Visit},
};

/// An answer that takes longer keeps people waiting.
const SLOW: Duration = Duration::from_secs(2);

/// An answer that is larger is unusual: a list of all banks is a few kB.
const LARGE_LIST: usize = 128 * 1024;
const LARGE: usize = 16 * 1024;

/// The same in words.
const EXPECTED: &str = "success, at most 16 kB, about 200 ms";
const EXPECTED_OF_LIST: &str = "success, at most 128 kB, about 200 ms";

impl Visit {
    /// Records whether the product can use an answer, and what is unusual about it.
    pub fn expect_success<T>(&mut self, tried: &Tried<T>, what: &'static str) -> bool {
        let call = tried.path();
        if let Err(error) = &tried.outcome {
            let (name, seen, expected) = diagnosis(tried, error, self.caller.xsrf.is_some());
            let contract = if name == "refused" { Row::FAILURES } else { Row::ANSWERS };
            self.add(Check { call, name, tried: what, expected, contract }, Level::Failure, seen);
            return false;
        }
        let expected = if is_list(tried.call) { EXPECTED_OF_LIST } else { EXPECTED };
        let answer = Check { call, name: "answer", tried: what, expected, contract: Row::ANSWERS };
        self.add(answer, Level::Ok, summary(tried));
        self.check_envelope(tried, what);
        self.check_head(tried, what);
        self.check_cost(tried, what);
        true
    }

    /// `meta` beside good data, and what else is at the top.
    fn check_envelope<T>(&mut self, tried: &Tried<T>, what: &'static str) {
        let expected = "data, and meta with the HTTP status as number";
        let check = Check { call: tried.path(), name: "envelope", tried: what, expected, contract: Row::ANSWERS };
        let http_status = tried.observed.as_ref().map(|observed| observed.status.as_u16());
        let (level, seen) = match tried.json() {
            None => (Level::Ok, "an empty body".to_owned()),
            Some(Value::Object(envelope)) => {
                let unknown: Vec<_> = envelope.keys().filter(|key| *key != "data" && *key != "meta").collect();
                match envelope.get("meta").and_then(|meta| meta.get("status")) {
                    None => (Level::Warning, format!("meta is {}", field_shape(&envelope, "meta"))),
                    Some(status) if number(status).is_some_and(|status| status >= 400) => (
                        Level::Failure,
                        "meta.status reports a failure beside data: the product takes it for a success".to_owned(),
                    ),
                    Some(status) if status.as_u64() != http_status.map(u64::from) => {
                        (Level::Warning, format!("meta.status is {}, not the HTTP status", shape(status)))
                    }
                    Some(_) if !unknown.is_empty() => (Level::Warning, format!("also {}", keys(unknown.into_iter()))),
                    Some(_) => (Level::Ok, "data and meta".to_owned()),
                }
            }
            Some(other) => (Level::Warning, shape(&other)),
        };
        self.add(check, level, seen);
    }

    /// Content type, encoding and cookies.
    fn check_head<T>(&mut self, tried: &Tried<T>, what: &'static str) {
        let Some(observed) = &tried.observed else { return };
        let call = tried.path();
        let kind = text(&observed.headers, &CONTENT_TYPE).to_ascii_lowercase();
        let is_empty = observed.body.as_ref().is_none_or(Vec::is_empty);
        let (media, charset) = kind.split_once(';').unwrap_or((&kind, ""));
        let is_utf8 = !charset.contains("charset") || charset.replace(['"', ' '], "").contains("charset=utf-8");
        let is_json = media.trim() == "application/json" || media.trim().ends_with("+json");
        let is_as_agreed = is_empty || (is_json && is_utf8);
        if !is_as_agreed {
            let expected = "Content-Type: application/json, in UTF-8";
            let check = Check { call, name: "content-type", tried: what, expected, contract: Row::ANSWERS };
            let seen = if is_json { "JSON, with another charset" } else { "another Content-Type, or none" };
            self.add(check, Level::Warning, seen);
        }
        let others = tried.cookies().filter(|name| *name != "XSRF-TOKEN").count();
        if others > 0 {
            let expected = "none: Vincula returns XSRF-TOKEN only";
            let check = Check { call, name: "cookies", tried: what, expected, contract: Row::XSRF };
            self.add(check, Level::Warning, format!("{others} of another name"));
        }
        let sets_xsrf = tried.cookies().any(|name| name == "XSRF-TOKEN");
        if sets_xsrf {
            let is_read = matches!(&tried.outcome, Ok(answer) if answer.xsrf.is_some());
            let (level, seen) = match (is_read, tried.call) {
                (false, _) => (Level::Failure, "an XSRF-TOKEN that cannot be sent back"),
                (true, Call::ListAccounts) => (Level::Warning, "a new XSRF-TOKEN, which Vincula does not take over"),
                (true, _) => (Level::Ok, "XSRF-TOKEN, sent back from now on"),
            };
            let expected = "visible ASCII without ; , \" \\, not set by list-accounts";
            self.add(Check { call, name: "xsrf-cookie", tried: what, expected, contract: Row::XSRF }, level, seen);
        }
    }

    fn check_cost<T>(&mut self, tried: &Tried<T>, what: &'static str) {
        let call = tried.path();
        if tried.took > SLOW {
            let check = Check { call, name: "time", tried: what, expected: "at most 2 s", contract: Row::TIME };
            self.add(check, Level::Warning, ms(tried.took));
        }
        let bytes = tried.observed.as_ref().and_then(|seen| seen.body.as_ref()).map_or(0, Vec::len);
        let (most, expected) =
            if is_list(tried.call) { (LARGE_LIST, "at most 128 kB") } else { (LARGE, "at most 16 kB") };
        if bytes > most {
            let check = Check { call, name: "size", tried: what, expected, contract: Row::ANSWERS };
            self.add(check, Level::Warning, format!("{bytes} bytes"));
        }
    }
}

fn is_list(call: Call) -> bool {
    matches!(call, Call::ListAccounts | Call::ListBanks)
}

/// Why the product cannot use a response: the name of the check, what was seen, and what was expected.
fn diagnosis<T>(tried: &Tried<T>, error: &CallError, has_xsrf: bool) -> (&'static str, String, &'static str) {
    let seen = summary(tried);
    let headers = tried.observed.as_ref().map(|observed| &observed.headers);
    let has = |name: &HeaderName| headers.is_some_and(|headers| headers.contains_key(name));
    let body = tried.observed.as_ref().and_then(|observed| observed.body.as_deref()).unwrap_or_default();
    let status = tried.observed.as_ref().map_or(0, |observed| observed.status.as_u16());
    match error {
        CallError::NoReply(cause) => {
            let name = if *cause == NoReplyCause::TimedOut { "timeout" } else { "no-reply" };
            (name, format!("no complete answer ({cause})"), "an answer")
        }
        _ if (300..400).contains(&status) => {
            let to = headers.map_or("", |headers| text(headers, &LOCATION));
            let slash =
                if to.ends_with(&format!("/{}/", tried.path())) { " to the same path with a slash" } else { "" };
            ("redirect", format!("{seen}{slash}"), "no redirect: Vincula follows none")
        }
        CallError::Unexpected(Unexpected::TooLarge) => {
            ("too-large", seen, "at most 512 kB of a list, 64 kB of anything else")
        }
        _ if has(&CONTENT_ENCODING) => ("compression", format!("{seen}, with Content-Encoding"), "no Content-Encoding"),
        CallError::Unexpected(Unexpected::OtherShape) => {
            let body = tried.json().unwrap_or(Value::Null);
            match body.get("data") {
                Some(data) => ("shape", format!("{seen}: data is {}", shape(data)), "what the call needs, in data"),
                None => ("shape", format!("{seen}: {} without data", shape(&body)), r#"{ "data": …, "meta": … }"#),
            }
        }
        CallError::Unexpected(Unexpected::NotJson) if body.trim_ascii().is_empty() => {
            ("empty", seen, "a body with data")
        }
        _ if body.trim_ascii_start().starts_with(b"<") => {
            let hint = if matches!(status, 404 | 405) { "; is the address right?" } else { "" };
            ("page", format!("{seen}: a page{hint}"), "JSON")
        }
        CallError::Unexpected(Unexpected::NotJson) if std::str::from_utf8(body).is_err() => {
            ("charset", format!("{seen}: no UTF-8"), "JSON in UTF-8")
        }
        CallError::Unexpected(Unexpected::NotJson) if body.starts_with(b"\xef\xbb\xbf") => {
            ("charset", format!("{seen}: a byte order mark before the JSON"), "JSON in UTF-8 without it")
        }
        CallError::Unexpected(Unexpected::NotJson) => ("not-json", format!("{seen}: no JSON"), "JSON"),
        CallError::Reply(reply) => {
            let hint = match status {
                404 | 405 if reply.meta_status.is_none() => ": no call of this API; is the address right?",
                403 if has_xsrf => ": if it is a check of XSRF, exempt these routes",
                419 => ": a check of XSRF; exempt these routes",
                _ => "",
            };
            ("refused", format!("{seen}, shown as {}{hint}", meaning(reply)), "success")
        }
    }
}

/// What the product makes of a refusal: any that it does not know it shows as an invalid token.
pub fn meaning(reply: &vincula_upstream::Reply) -> &'static str {
    reply.problem.refusal().map_or("an invalid token", |(_, meaning)| meaning)
}

/// Status, `meta.status`, size and time of a response.
pub fn summary<T>(tried: &Tried<T>) -> String {
    let Some(observed) = &tried.observed else { return format!("no answer, {}", ms(tried.took)) };
    let status = observed.status.as_u16();
    let meta = tried.json().and_then(|body| number(body.get("meta")?.get("status")?));
    let meta = meta.map_or_else(String::new, |meta| format!(", meta.status {meta}"));
    match &observed.body {
        Some(body) => format!("HTTP {status}{meta}, {} bytes, {}", body.len(), ms(tried.took)),
        None => format!("HTTP {status}, {}", ms(tried.took)),
    }
}

/// A status, as a number or as digits.
fn number(status: &Value) -> Option<u64> {
    status.as_u64().or_else(|| status.as_str()?.trim().parse().ok())
}

fn ms(took: Duration) -> String {
    format!("{} ms", took.as_millis())
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> &'a str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}
