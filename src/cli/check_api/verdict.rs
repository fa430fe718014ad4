//! Judges a response: first by the product's own client, then by a stricter check of the contract.

use std::{collections::HashMap, time::Duration};

use reqwest::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderName, LOCATION, SET_COOKIE};
use serde_json::Value;
use strum::IntoStaticStr;
use vincula_upstream::{Call, CallError, NoResponseCause, Observed, XsrfChange};

use super::{
    fields,
    report::{
        Level::{self, Failure, Good, Warning},
        Verdict,
    },
    shape::{keys, shape},
};

/// A slower response is a warning.
const SLOW: Duration = Duration::from_secs(2);

/// A larger response is a warning: a list of all banks has a few kB.
const LARGE_LIST_KB: usize = 128;
const LARGE_KB: usize = 16;

/// The purpose of a call. Its name in kebab case appears in the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Check {
    /// The product can use the response, which is also checked strictly.
    Answer,
    /// The same call works again. Lists and session data have not changed; a connect token is new.
    Repeat,
    /// As [`Check::Repeat`], on a return from the bank.
    OfSuccess,
    NoBearer,
    WrongBearer,
    /// An id of another link is rejected. An API that only uses the bearer token looks the same
    /// from outside.
    WrongId,
    UnknownToken,
    ExpiredToken,
    /// A call without the API's XSRF token is rejected.
    Xsrf,
    /// The cancel token works.
    Token,
    /// At the end the link still works. After a cancellation it has no accounts, or is rejected.
    After,
}

/// A call that was made.
pub struct Exchange {
    pub call: Call,
    pub error: Option<CallError>,
    pub response: Observed,
    /// The body as JSON; null if it is not JSON.
    pub json: Value,
    pub took: Duration,
    /// What the response does to the XSRF token.
    pub xsrf: XsrfChange,
    /// Whether the call was sent with an XSRF token.
    pub had_xsrf: bool,
}

impl Exchange {
    /// All findings about the call. `answers` has the data of each call that has worked.
    pub fn judge(&self, check: Check, answers: &HashMap<Call, Value>) -> Vec<Verdict> {
        let data = &self.json["data"];
        let before = answers.get(&self.call).unwrap_or(&Value::Null);
        let (level, seen) = match (check, &self.error) {
            (Check::Answer | Check::Repeat, Some(error))
                if self.call == Call::UpdateLinkAccount
                    && matches!(error.name(), "unchanged" | "item_not_found") =>
            {
                (Good, self.refused(error))
            }
            (Check::Answer, _) => return self.answer(answers),
            (
                Check::NoBearer
                | Check::WrongBearer
                | Check::WrongId
                | Check::UnknownToken
                | Check::ExpiredToken,
                _,
            ) => self.refusal(check),
            (Check::Repeat, None) if self.call == Call::ConnectToken && data == before => {
                return vec![(
                    Warning,
                    "fresh",
                    "the same token again, which is valid for one connection".into(),
                )];
            }
            (Check::Repeat | Check::OfSuccess, None)
                if (self.call.is_list() || self.call == Call::ValidateToken) && data != before =>
            {
                (
                    Warning,
                    format!("{}, then {}, which differs", shape(before), shape(data)),
                )
            }
            (Check::Xsrf, None) => (Warning, "accepted: the cookie protects nothing".into()),
            (Check::After, None)
                if data.as_array().is_some_and(|accounts| !accounts.is_empty()) =>
            {
                (Warning, format!("still {}", shape(data)))
            }
            (_, None) => (Good, "success".into()),
            (Check::Xsrf | Check::After, Some(CallError::Failed(_)))
                if self.call != Call::Success =>
            {
                (Good, "refused".into())
            }
            (_, Some(error)) => (Failure, error.to_string()),
        };
        vec![(level, check.into(), seen)]
    }

    /// Checks a response that should be a rejection.
    fn refusal(&self, check: Check) -> (Level, String) {
        let error = match &self.error {
            Some(error @ CallError::Failed(_)) => error,
            None if check == Check::WrongId => {
                return (
                    Warning,
                    "accepted; does the API ignore the id, or trust it?".into(),
                );
            }
            None => return (Failure, "accepted".into()),
            Some(CallError::Unexpected(_)) if !self.json.is_null() => {
                return (Failure, "accepted, with data of another shape".into());
            }
            Some(error) => return (Failure, error.to_string()),
        };
        let has_meta = self.json["meta"].is_object();
        let (is_right, otherwise, expected) = match check {
            Check::UnknownToken => (
                error.name() == "token_not_found",
                if has_meta { Warning } else { Failure },
                "meta.status 404",
            ),
            Check::ExpiredToken => (
                error.name() == "token_expired",
                Failure,
                "401 and meta.message exactly \"Expired token\"",
            ),
            _ => (has_meta, Warning, "meta.status from 400 to 499"),
        };
        let level = match error.name() {
            "failed" => Failure,
            _ if !is_right => otherwise,
            _ if self.response.status < 300 => Warning,
            _ => return (Good, self.refused(error)),
        };
        (
            level,
            format!(
                "{}; expected HTTP status and {expected}",
                self.refused(error)
            ),
        )
    }

    /// Checks a response that should be a success: whether the product can use it, and what is
    /// unusual.
    fn answer(&self, answers: &HashMap<Call, Value>) -> Vec<Verdict> {
        let mut found = match &self.error {
            None => [
                vec![(Good, "answer", self.summary()), self.envelope()],
                self.unusual(),
            ]
            .concat(),
            Some(error) => vec![self.diagnosis(error)],
        };
        found.extend(fields::judge(self.call, &self.json["data"], answers));
        found
    }

    /// Checks `meta` and other top-level fields of a success.
    fn envelope(&self) -> Verdict {
        let status = &self.json["meta"]["status"];
        let others = self
            .json
            .as_object()
            .into_iter()
            .flat_map(|envelope| envelope.keys());
        let others: Vec<_> = others
            .filter(|key| *key != "data" && *key != "meta")
            .collect();
        let (level, seen) = match number(status) {
            _ if self.response.body.as_deref().is_none_or(<[u8]>::is_empty) => {
                (Good, "an empty body".into())
            }
            Some(400..) => (
                Failure,
                "meta.status reports a failure next to data: the product treats it as a success"
                    .into(),
            ),
            _ if status.as_u64() != Some(self.response.status.into()) => (
                Warning,
                format!(
                    "meta.status is {}; expected the HTTP status as number",
                    shape(status)
                ),
            ),
            _ if !others.is_empty() => (
                Warning,
                format!("also {}; expected data and meta", keys(&others)),
            ),
            _ => (Good, "data and meta".into()),
        };
        (level, "envelope", seen)
    }

    /// Checks content type, cookies, time and size.
    pub fn unusual(&self) -> Vec<Verdict> {
        let mut found = Vec::new();
        let mut add = |level, name, seen: String| found.push((level, name, seen));
        let bytes = self.response.body.as_ref().map_or(0, Vec::len);
        let kind = self
            .header(&CONTENT_TYPE)
            .unwrap_or_default()
            .to_ascii_lowercase()
            .replace(['"', ' '], "");
        let media = kind.split(';').next().unwrap_or_default();
        let is_json = media == "application/json" || media.ends_with("+json");
        let is_utf8 = !kind.contains("charset") || kind.contains("charset=utf-8");
        if bytes > 0 && !(is_json && is_utf8) {
            add(
                Warning,
                "content-type",
                "another one; expected application/json, in UTF-8".into(),
            );
        }
        let set = self.response.headers.get_all(SET_COOKIE).iter();
        let cookies: Vec<_> = set
            .filter_map(|header| header.to_str().ok()?.split('=').next())
            .map(str::trim)
            .collect();
        let others = cookies.iter().filter(|name| **name != "XSRF-TOKEN").count();
        if others > 0 {
            add(
                Warning,
                "cookies",
                format!("{others} of another name: Vincula returns XSRF-TOKEN only"),
            );
        }
        if cookies.len() > others {
            let (level, seen) = match (&self.xsrf, self.call) {
                (XsrfChange::None, _) => (
                    Failure,
                    "cannot be sent back; expected visible ASCII without ; , \" \\",
                ),
                (_, Call::ListAccounts) => (Warning, "a new one, which Vincula ignores"),
                (XsrfChange::Set(_), _) => (Good, "sent back from now on"),
                (XsrfChange::Deleted, _) => (Good, "deleted, and no longer sent"),
            };
            add(level, "xsrf-cookie", seen.into());
        }
        if self.took > SLOW {
            add(
                Warning,
                "time",
                format!(
                    "{} ms; expected at most 2 s, about 200 ms",
                    self.took.as_millis()
                ),
            );
        }
        let most = if self.call.is_list() {
            LARGE_LIST_KB
        } else {
            LARGE_KB
        };
        if bytes > most * 1024 {
            add(
                Warning,
                "size",
                format!("{bytes} bytes; expected at most {most} kB"),
            );
        }
        found
    }

    /// Why the product cannot use a response.
    fn diagnosis(&self, error: &CallError) -> Verdict {
        let flaw = self.flaw();
        let (name, seen) = match error {
            CallError::NoResponse(NoResponseCause::TimedOut) => ("timeout", error.to_string()),
            CallError::NoResponse(_) => ("no-reply", error.to_string()),
            CallError::Failed(_) => {
                let hint = match self.response.status {
                    404 | 405 if self.json["meta"]["status"].is_null() => "; is the address right?",
                    403 if self.had_xsrf => "; if it is a check of XSRF, exempt these routes",
                    419 => "; a check of XSRF: exempt these routes",
                    _ => "",
                };
                (
                    flaw.map_or("refused", |(name, _)| name),
                    self.refused(error) + hint,
                )
            }
            CallError::Unexpected(_) => match flaw {
                Some((name, what)) => (name, format!("{}: {what}", self.summary())),
                None => {
                    let data = shape(&self.json["data"]);
                    (
                        "shape",
                        format!(
                            "{}: data is {data}; expected {{ \"data\": …, \"meta\": … }}",
                            self.summary()
                        ),
                    )
                }
            },
        };
        (Failure, name, seen)
    }

    /// Describes a rejection and how the product shows it. The product shows unknown rejections as
    /// an invalid token.
    fn refused(&self, error: &CallError) -> String {
        let meaning = match error.failed_response() {
            Some(response) => response.reason.meaning().unwrap_or("an invalid token"),
            None => "no refusal",
        };
        let flaw = self
            .flaw()
            .map_or_else(String::new, |(_, what)| format!(": {what}"));
        format!("{}, shown as {meaning}{flaw}", self.summary())
    }

    /// Why the product cannot read a response: the name of the finding and its description.
    fn flaw(&self) -> Option<(&'static str, &'static str)> {
        let Some(body) = &self.response.body else {
            return Some((
                "too-large",
                "expected at most 512 kB of a list, 64 kB of anything else",
            ));
        };
        Some(match body.trim_ascii_start() {
            _ if (300..400).contains(&self.response.status) => {
                let with_slash = format!("/{}/", self.call.path());
                match self
                    .header(&LOCATION)
                    .is_some_and(|to| to.ends_with(&with_slash))
                {
                    true => (
                        "redirect",
                        "a redirect to the same path with a slash, and Vincula follows none",
                    ),
                    false => ("redirect", "a redirect, and Vincula follows none"),
                }
            }
            _ if self.response.headers.contains_key(CONTENT_ENCODING) => {
                ("compression", "compressed")
            }
            [] => ("empty", "an empty body"),
            [b'<', ..] => ("page", "a page"),
            [0xef, 0xbb, 0xbf, ..] => ("charset", "a byte order mark before the JSON"),
            body if std::str::from_utf8(body).is_err() => ("charset", "no UTF-8"),
            _ if self.json.is_null() => ("not-json", "no JSON"),
            _ => return None,
        })
    }

    /// Status, `meta.status`, size and time of a response.
    fn summary(&self) -> String {
        let meta = number(&self.json["meta"]["status"])
            .map(|meta| format!(", meta.status {meta}"))
            .unwrap_or_default();
        let bytes = self
            .response
            .body
            .as_ref()
            .map(|body| format!(", {} bytes", body.len()))
            .unwrap_or_default();
        format!(
            "HTTP {}{meta}{bytes}, {} ms",
            self.response.status,
            self.took.as_millis()
        )
    }

    fn header(&self, name: &HeaderName) -> Option<&str> {
        self.response.headers.get(name)?.to_str().ok()
    }
}

/// A status, as a number or as digits.
fn number(status: &Value) -> Option<u64> {
    status
        .as_u64()
        .or_else(|| status.as_str()?.trim().parse().ok())
}
