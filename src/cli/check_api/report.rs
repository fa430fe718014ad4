//! What the checks found: for people a table by call, for machines JSON.

use std::fmt::Write;

use serde::Serialize;
use vincula_upstream::Call;

/// Width of the column of what was seen, in characters; a longer text moves the rest of its line.
const SEEN: usize = 44;

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    Ok,
    /// The product copes, but the contract says otherwise.
    Warning,
    /// The product would show an error, or do a wrong thing.
    Failure,
    /// Not tried, for the reason in [`Finding::seen`].
    NotTried,
}

/// The paragraph of docs/upstream.md, "What holds for all calls", or the call, that a finding is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Row(pub &'static str);

impl Row {
    pub const REQUESTS: Self = Self("Requests");
    pub const XSRF: Self = Self("XSRF");
    pub const ANSWERS: Self = Self("Answers");
    pub const TIME: Self = Self("Time");
    pub const FAILURES: Self = Self("Failures");
    pub const REPETITION: Self = Self("Repetition");
}

/// Something to try.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Check {
    /// The path of the call, or `connection`.
    pub call: &'static str,
    /// From a closed list, which docs/upstream.md documents.
    #[serde(rename = "check")]
    pub name: &'static str,
    pub tried: &'static str,
    pub expected: &'static str,
    pub contract: Row,
}

/// The result of a check. It holds no value of a request or a response, only their kinds and lengths.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    pub level: Level,
    #[serde(flatten)]
    pub check: Check,
    pub seen: String,
    /// `X-Request-Id` of the last call before a warning or a failure, for the API's log.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
}

/// All findings, in the order in which things were tried.
#[derive(Debug, Clone, Default)]
pub struct Report {
    pub findings: Vec<Finding>,
}

/// The form of `--json`.
#[derive(Serialize)]
struct Json<'a> {
    version: u8,
    ok: usize,
    warnings: usize,
    failures: usize,
    not_tried: usize,
    findings: &'a [Finding],
}

impl Report {
    /// Whether the product would work with this API.
    pub fn is_good(&self) -> bool {
        self.count(Level::Failure) == 0
    }

    /// The number of findings of this level.
    pub fn count(&self, level: Level) -> usize {
        self.findings.iter().filter(|finding| finding.level == level).count()
    }

    /// The findings as JSON, documented in docs/upstream.md.
    pub fn json(&self) -> String {
        let json = Json {
            version: 1,
            ok: self.count(Level::Ok),
            warnings: self.count(Level::Warning),
            failures: self.count(Level::Failure),
            not_tried: self.count(Level::NotTried),
            findings: &self.findings,
        };
        serde_json::to_string_pretty(&json).expect("findings have text keys only")
    }

    /// The findings as a table by call, with a closing line.
    pub fn text(&self) -> String {
        let width = |of: fn(&Finding) -> &str| {
            self.findings.iter().map(|finding| of(finding).chars().count()).max().unwrap_or_default()
        };
        let (names, tries) = (width(|finding| finding.check.name), width(|finding| finding.check.tried));
        let (mut text, mut last) = (String::new(), "");
        for Finding { level, check, seen, request_id } in &self.findings {
            let Check { call, name, tried, expected, contract } = check;
            if *call != last {
                last = call;
                let method = Call::ALL.iter().find(|known| known.path() == last).map(|known| known.method());
                let head = method.map_or_else(|| last.to_owned(), |method| format!("{method} /{last}"));
                writeln!(text, "\n{head}").expect("writing to a String does not fail");
            }
            let rest = match level {
                Level::NotTried => String::new(),
                _ => format!("  expected {expected} [{}]", contract.0),
            };
            let id = request_id.as_ref().map_or_else(String::new, |id| format!(" (X-Request-Id {id})"));
            let line = format!("  {} {name:<names$}  {tried:<tries$}  {seen:<SEEN$}{rest}{id}", level.mark());
            writeln!(text, "{}", line.trim_end()).expect("writing to a String does not fail");
        }
        let [ok, warnings, failures, not_tried] =
            [Level::Ok, Level::Warning, Level::Failure, Level::NotTried].map(|level| self.count(level));
        let (warnings, failures) = (counted(warnings, "warning"), counted(failures, "failure"));
        writeln!(text, "\n{ok} ok, {warnings}, {failures}, {not_tried} not tried")
            .expect("writing to a String does not fail");
        text
    }
}

fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

impl Level {
    fn mark(self) -> char {
        match self {
            Self::Ok => '✓',
            Self::Warning => '!',
            Self::Failure => '✗',
            Self::NotTried => '-',
        }
    }
}
