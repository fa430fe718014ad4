//! What the checks found: a table by call.

use std::fmt::Write;

use vincula_upstream::Call;

/// Width of the column of what was seen, in characters; a longer text moves the rest of its line.
const SEEN: usize = 44;

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    Ok,
    /// The product copes, but the contract says otherwise.
    Warning,
    /// The product would show an error, or do a wrong thing.
    Failure,
    /// Not tried, for the reason in [`Finding::seen`].
    NotTried,
}

/// The result of a check. It holds no value of a request or a response, only their kinds and lengths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub level: Level,
    /// The path of the call, or `connection`.
    pub call: &'static str,
    /// From a closed list, which docs/widget-api.md documents.
    pub name: &'static str,
    pub tried: &'static str,
    pub seen: String,
    pub expected: &'static str,
    /// `X-Request-Id` of the last call before a warning or a failure, for the API's log.
    pub request_id: Option<String>,
}

/// All findings, in the order in which things were tried.
#[derive(Debug, Clone, Default)]
pub struct Report {
    pub findings: Vec<Finding>,
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

    /// The findings as a table by call, with a closing line.
    pub fn text(&self) -> String {
        let width = |of: fn(&Finding) -> &str| {
            self.findings.iter().map(|finding| of(finding).chars().count()).max().unwrap_or_default()
        };
        let (names, tries) = (width(|finding| finding.name), width(|finding| finding.tried));
        let (mut text, mut last) = (String::new(), "");
        for Finding { level, call, name, tried, seen, expected, request_id } in &self.findings {
            if *call != last {
                last = call;
                let method = Call::ALL.iter().find(|known| known.path() == last).map(|known| known.method());
                let head = method.map_or_else(|| last.to_owned(), |method| format!("{method} /{last}"));
                writeln!(text, "\n{head}").expect("writing to a String does not fail");
            }
            let mark = match level {
                Level::Ok => '✓',
                Level::Warning => '!',
                Level::Failure => '✗',
                Level::NotTried => '-',
            };
            let expected = match expected.is_empty() {
                true => String::new(),
                false => format!("  expected {expected}"),
            };
            let id = request_id.as_ref().map_or_else(String::new, |id| format!(" (X-Request-Id {id})"));
            let line = format!("  {mark} {name:<names$}  {tried:<tries$}  {seen:<SEEN$}{expected}{id}");
            writeln!(text, "{}", line.trim_end()).expect("writing to a String does not fail");
        }
        let [ok, warnings, failures, not_tried] =
            [Level::Ok, Level::Warning, Level::Failure, Level::NotTried].map(|level| self.count(level));
        let (warnings, failures) = (counted(warnings, "warning"), counted(failures, "failure"));
        text + &format!("\n{ok} ok, {warnings}, {failures}, {not_tried} not tried\n")
    }
}

fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
