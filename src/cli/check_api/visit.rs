//! The state of a check: the product's client, the credentials, and the findings so far.

use std::{
    io::{self, Write},
    time::{Duration, Instant},
};

use reqwest::header::{CONTENT_ENCODING, HeaderMap, SET_COOKIE};
use vincula_domain::token::LinkToken;
use vincula_telemetry::Trace;
use vincula_upstream::{Answer, Call, CallError, Caller, NoReplyCause, Observed, Observer, Upstream};

use super::report::{Check, Finding, Level, Report, Row};
use crate::http::RequestId;

/// A check of one API with one link.
pub struct Visit {
    pub upstream: Upstream,
    pub token: LinkToken,
    /// As the product would have it now.
    pub caller: Caller,
    pub report: Report,
    /// A call was not answered in time: each further one could take as long.
    pub has_timed_out: bool,
    observer: Observer,
    /// `X-Request-Id` of the last call.
    request_id: Option<RequestId>,
    /// Where the progress is told: the path of the last call.
    at: &'static str,
}

/// A call that was made.
pub struct Tried<T> {
    pub call: Call,
    pub outcome: Result<Answer<T>, CallError>,
    /// The response as it came, if one began.
    pub observed: Option<Observed>,
    pub took: Duration,
}

impl Visit {
    pub fn new(upstream: Upstream, token: LinkToken) -> Self {
        let observer = Observer::default();
        let caller = Caller { token: Some(token.clone()), xsrf: None };
        let upstream = upstream.observed_by(observer.clone());
        let report = Report::default();
        Self { upstream, token, caller, report, has_timed_out: false, observer, request_id: None, at: "" }
    }

    /// Makes a call as in a request of its own, and takes over its XSRF token as the product does: not the one of
    /// `list-accounts`.
    pub async fn make<T>(&mut self, call: Call, made: impl Future<Output = Result<Answer<T>, CallError>>) -> Tried<T> {
        self.tell(call);
        self.observer.take();
        let id = RequestId::random();
        let trace = Trace::begin(&HeaderMap::new(), id.as_str());
        self.request_id = Some(id);
        let begun = Instant::now();
        let outcome = trace.scope(made).await;
        let took = begun.elapsed();
        self.has_timed_out |= matches!(&outcome, Err(CallError::NoReply(NoReplyCause::TimedOut)));
        if let Ok(Answer { xsrf: Some(xsrf), .. }) = &outcome
            && call != Call::ListAccounts
        {
            self.caller.xsrf = Some(xsrf.clone());
        }
        Tried { call, outcome, observed: self.observer.take(), took }
    }

    /// Somebody without a bearer token.
    pub fn nobody(&self) -> Caller {
        Caller { token: None, xsrf: self.caller.xsrf.clone() }
    }

    /// Somebody with a token that no API has issued.
    pub fn stranger(&self) -> Caller {
        Caller { token: Some(unknown_token()), xsrf: self.caller.xsrf.clone() }
    }

    pub fn add(&mut self, check: Check, level: Level, seen: impl Into<String>) {
        let is_bad = matches!(level, Level::Warning | Level::Failure);
        let request_id = self.request_id.as_ref().filter(|_| is_bad).map(|id| id.as_str().to_owned());
        self.report.findings.push(Finding { level, check, seen: seen.into(), request_id });
    }

    /// Somebody waits: an API may take its time.
    fn tell(&mut self, call: Call) {
        if self.at != call.path() {
            self.at = call.path();
            let _ = writeln!(io::stderr(), "trying {} /{} …", call.method(), self.at);
        }
    }

    pub fn skip(&mut self, call: &'static str, tried: &'static str, reason: &str) {
        let check = Check { call, name: "not-tried", tried, expected: "", contract: Row::REQUESTS };
        self.add(check, Level::NotTried, reason);
    }
}

impl<T> Tried<T> {
    pub fn path(&self) -> &'static str {
        self.call.path()
    }

    /// The names of the cookies that the response sets.
    pub fn cookies(&self) -> impl Iterator<Item = &str> {
        let set = self.observed.iter().flat_map(|observed| observed.headers.get_all(SET_COOKIE));
        set.filter_map(|header| header.to_str().ok()?.split('=').next()).map(str::trim)
    }

    /// Why the body has no `meta`.
    pub fn why_no_meta(&self) -> &'static str {
        let Some(observed) = &self.observed else { return "no answer" };
        let body = observed.body.as_deref().unwrap_or_default().trim_ascii_start();
        match body.first() {
            _ if observed.headers.contains_key(CONTENT_ENCODING) => "compressed",
            None => "an empty body",
            Some(b'<') => "a page",
            Some(_) => "without meta",
        }
    }

    /// The body, if it is JSON.
    pub fn json(&self) -> Option<serde_json::Value> {
        serde_json::from_slice(self.observed.as_ref()?.body.as_deref()?).ok()
    }
}

/// A token that no API has issued.
pub fn unknown_token() -> LinkToken {
    let text = format!("check-api-unknown-{:032x}", rand::random::<u128>());
    LinkToken::parse(&text).expect("visible ASCII is a token")
}
