//! An answer that should be a refusal.

use vincula_domain::problem::Problem;
use vincula_upstream::{Call, CallError, Caller, Unexpected};

use super::{
    answers::{meaning, summary},
    report::{Check, Level, Row},
    visit::{Tried, Visit},
};

/// The refusal that the contract asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// `meta.status` 404.
    Unknown,
    /// `meta.message` "Expired token".
    Expired,
    /// Any refusal that is not a failure of the API.
    Any,
    /// As [`Refusal::Any`], of an id that is not the link's. An API may also go by the bearer token alone, which cannot be
    /// told from outside.
    OtherId,
}

impl Visit {
    /// Records whether a call was refused, and as the contract says.
    pub fn expect_refusal<T>(&mut self, tried: &Tried<T>, name: &'static str, what: &'static str, refusal: Refusal) {
        let expected = match refusal {
            Refusal::Unknown => "a refusal with meta.status 404",
            Refusal::Expired => "a refusal with meta.message exactly \"Expired token\"",
            Refusal::Any | Refusal::OtherId => "a refusal with meta.status from 400 to 499",
        };
        let (level, told) = verdict(tried, refusal);
        let check = Check { call: tried.path(), name, tried: what, expected, contract: Row::FAILURES };
        self.add(check, level, format!("{}{told}", summary(tried)));
    }

    /// Makes a call without a bearer token, and with one that no API has issued: both have to be refused.
    pub async fn check_bearer<T>(
        &mut self,
        call: Call,
        make: impl AsyncFn(&Caller) -> Result<vincula_upstream::Answer<T>, CallError>,
    ) {
        let (nobody, stranger) = (self.nobody(), self.stranger());
        let tried = self.make(call, make(&nobody)).await;
        self.expect_refusal(&tried, "no-bearer", "without a bearer token", Refusal::Any);
        let tried = self.make(call, make(&stranger)).await;
        self.expect_refusal(&tried, "wrong-bearer", "an unknown bearer token", Refusal::Any);
    }
}

fn verdict<T>(tried: &Tried<T>, refusal: Refusal) -> (Level, String) {
    let reply = match &tried.outcome {
        Ok(_) if refusal == Refusal::OtherId => {
            return (Level::Warning, ": accepted; is the id ignored, or believed?".into());
        }
        Ok(_) => return (Level::Failure, ": accepted".into()),
        Err(CallError::Reply(reply)) => reply,
        Err(CallError::Unexpected(Unexpected::OtherShape)) => {
            return (Level::Failure, ": accepted, with data of another shape".into());
        }
        Err(error) => return (Level::Failure, format!(": {error}")),
    };
    let has_envelope = tried.json().is_some_and(|body| body.get("meta").is_some_and(serde_json::Value::is_object));
    if tried.outcome.as_ref().is_err_and(|error| error.name() == "failed") {
        let why = if (300..400).contains(&reply.http_status) { "a redirect" } else { "a failure of the API" };
        return (Level::Failure, format!(": {why}, not a refusal"));
    }
    let level = match (refusal, reply.problem) {
        (Refusal::Unknown, Problem::TokenNotExists) | (Refusal::Expired, Problem::TokenExpired) => Level::Ok,
        (Refusal::Any | Refusal::OtherId, _) if has_envelope => Level::Ok,
        (Refusal::Unknown, _) if has_envelope => Level::Warning,
        (Refusal::Any | Refusal::OtherId, _) => Level::Warning,
        (Refusal::Unknown | Refusal::Expired, _) => Level::Failure,
    };
    let told = match (level, has_envelope) {
        (_, false) => format!(": {}, so it means an invalid token", tried.why_no_meta()),
        (Level::Ok, _) => String::new(),
        _ => format!(": means {}", meaning(reply)),
    };
    let is_success = tried.observed.as_ref().is_some_and(|observed| observed.status.is_success());
    match level {
        Level::Ok if is_success => (Level::Warning, ": a failure under an HTTP status of success".into()),
        _ => (level, told),
    }
}
