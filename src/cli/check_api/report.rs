//! What the checks found: a table by call.

use std::fmt::Write;

use vincula_upstream::Call;

/// The level of a finding, the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// The product would show an error or behave incorrectly.
    Failure,
    /// The product works, but the response deviates from the contract.
    Warning,
    /// Skipped, for the reason in the finding.
    NotTried,
    Good,
}

impl Level {
    pub fn mark(self) -> char {
        match self {
            Self::Good => '✓',
            Self::Warning => '!',
            Self::Failure => '✗',
            Self::NotTried => '-',
        }
    }
}

/// The result of a check. It holds no value of a request or a response, only their kinds and
/// lengths.
#[derive(Debug, Clone)]
pub struct Finding {
    pub level: Level,
    /// The path of the call, or `connection`.
    pub call: &'static str,
    /// From a closed list, which docs/widget-api.md documents.
    pub name: &'static str,
    pub tried: &'static str,
    pub seen: String,
    /// `X-Request-Id` of the call of a warning or a failure, for the API's log.
    pub request_id: Option<String>,
}

/// The level of a finding, its name, and a description.
pub type Verdict = (Level, &'static str, String);

/// All findings, in the order of the checks.
#[derive(Debug, Default)]
pub struct Report {
    pub findings: Vec<Finding>,
}

impl Report {
    /// Adds a finding that concerns no single call.
    pub fn add(
        &mut self,
        level: Level,
        name: &'static str,
        call: &'static str,
        tried: &'static str,
        seen: &str,
    ) {
        self.findings.push(Finding {
            level,
            call,
            name,
            tried,
            seen: seen.to_owned(),
            request_id: None,
        });
    }

    /// Adds the reason why something is skipped.
    pub fn skip(&mut self, call: &'static str, tried: &'static str, reason: &str) {
        self.add(Level::NotTried, "not-tried", call, tried, reason);
    }

    /// Whether the product would work with this API.
    pub fn is_good(&self) -> bool {
        self.count(Level::Failure) == 0
    }

    pub fn count(&self, level: Level) -> usize {
        self.findings
            .iter()
            .filter(|finding| finding.level == level)
            .count()
    }

    /// The findings as a table by call, with a closing line.
    pub fn text(&self) -> String {
        let (mut text, mut last) = (String::new(), "");
        for Finding {
            level,
            call,
            name,
            tried,
            seen,
            request_id,
        } in &self.findings
        {
            if *call != last {
                last = call;
                let method = Call::ALL
                    .iter()
                    .find(|known| known.path() == last)
                    .map(|known| known.method());
                let head =
                    method.map_or_else(|| last.to_owned(), |method| format!("{method} /{last}"));
                writeln!(text, "\n{head}").expect("writing to a String does not fail");
            }
            let mark = level.mark();
            let id = request_id
                .as_ref()
                .map_or_else(String::new, |id| format!(" (X-Request-Id {id})"));
            writeln!(text, "  {mark} {name:<13}  {tried:<36}  {seen}{id}")
                .expect("writing to a String does not fail");
        }
        let [ok, warnings, failures, not_tried] =
            [Level::Good, Level::Warning, Level::Failure, Level::NotTried]
                .map(|level| self.count(level));
        let (warnings, failures) = (counted(warnings, "warning"), counted(failures, "failure"));
        text + &format!("\n{ok} ok, {warnings}, {failures}, {not_tried} not tried\n")
    }
}

fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
