//! The scenario of one frame: the responses that the page gets, what is broken, and what a person does in it.

use std::collections::BTreeMap;

use serde::Serialize;
use vincula_domain::wire::Failure;

/// The data of `scenario.js`.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Scenario {
    /// `light` or `dark`; absent: the system's.
    pub scheme: Option<&'static str>,
    /// Responses by path, in turn; the last one repeats. Other paths never get a response.
    answers: BTreeMap<String, Vec<Answer>>,
    pub broken: Option<Broken>,
    /// Steps of a person, after hydration.
    pub acts: Vec<Act>,
}

/// The outcome of one call of the page.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Answer {
    /// No outcome: the page waits.
    Never,
    /// The connection breaks.
    NoReply,
    Reply {
        status: u16,
        body: serde_json::Value,
    },
}

/// The resource that fails to load.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Broken {
    React,
    Wasm,
}

/// A step of a person, as soon as the element is there; `at` is a CSS selector, in the page or in a frame of it.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "act", rename_all = "lowercase")]
pub enum Act {
    Click { at: &'static str },
    Type { at: &'static str, text: &'static str },
    Leave { at: &'static str },
    Toast { kind: &'static str, text: &'static str },
}

impl Answer {
    /// The response of an action that succeeds.
    pub fn data(body: &impl Serialize) -> Self {
        Self::Reply { status: 200, body: as_json(body) }
    }

    pub fn failure(status: u16, failure: &Failure) -> Self {
        Self::Reply { status, body: as_json(failure) }
    }
}

impl Scenario {
    /// Adds the next response at a path of ours.
    pub fn answer(&mut self, path: &str, answer: Answer) {
        self.answers.entry(path.to_owned()).or_default().push(answer);
    }
}

fn as_json(body: &impl Serialize) -> serde_json::Value {
    serde_json::to_value(body).expect("texts, flags and lists always have a JSON form")
}
