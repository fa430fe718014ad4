//! The scenario of one frame: the responses that the page gets, what fails to load, and the
//! client's steps.

use std::{collections::BTreeMap, sync::Arc};

use axum::http::Extensions;
use serde::Serialize;
use serde_json::Value;
use vincula_domain::routes;

use crate::session::{Session, Visitor};

/// The data of `scenario.js`.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Scenario {
    /// `light`, `dark` or `system`.
    pub theme: &'static str,
    /// Outcomes of calls by path, in order; the last one repeats. Calls of other actions stay
    /// pending.
    outcomes: BTreeMap<String, Vec<CallOutcome>>,
    /// What fails to load: `react` or `wasm`.
    broken: Option<&'static str>,
    /// Steps after hydration, each as soon as its element exists: the action, a CSS selector (in
    /// the page or in one of its frames), and a text.
    acts: Vec<[&'static str; 3]>,
}

/// The outcome of one call of the page.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum CallOutcome {
    /// No response yet; the page waits.
    Pending,
    /// The connection breaks.
    NoResponse,
    Response {
        status: u16,
        body: Value,
    },
}

impl CallOutcome {
    /// The response of a successful action.
    pub fn ok(body: &impl Serialize) -> Self {
        Self::response(200, body)
    }

    pub fn response(status: u16, body: &impl Serialize) -> Self {
        Self::Response {
            status,
            body: serde_json::to_value(body)
                .expect("texts, flags and lists always have a JSON form"),
        }
    }
}

/// One frame.
pub struct State {
    /// Its name in the URL.
    pub slug: &'static str,
    pub caption: &'static str,
    pub path: String,
    /// Extensions of the request for the page.
    pub extensions: Extensions,
    pub scenario: Scenario,
    /// A Playwright selector of what is visible once the state is reached.
    pub shows: &'static str,
}

/// A state of a page without a session, whose heading is visible.
pub fn screen(slug: &'static str, caption: &'static str, path: &str) -> State {
    let (path, extensions, scenario) = (path.to_owned(), Extensions::new(), Scenario::default());
    State {
        slug,
        caption,
        path,
        extensions,
        scenario,
        shows: "h1",
    }
}

impl State {
    pub fn session(self, session: Session) -> Self {
        self.with(Visitor(Some(Arc::new(session))))
    }

    /// Adds an extension of the request, for example the face of a firm with a brand.
    pub fn with<T: Clone + Send + Sync + 'static>(mut self, extension: T) -> Self {
        self.extensions.insert(extension);
        self
    }

    pub fn showing(self, shows: &'static str) -> Self {
        Self { shows, ..self }
    }

    /// Adds the outcome of the next call of an action.
    pub fn responding(self, action: &str, outcome: CallOutcome) -> Self {
        self.responding_at(&format!("{}/{action}", routes::API), outcome)
    }

    /// Adds the outcome of the next call to a path.
    pub fn responding_at(mut self, path: &str, outcome: CallOutcome) -> Self {
        self.scenario
            .outcomes
            .entry(path.to_owned())
            .or_default()
            .push(outcome);
        self
    }

    /// Waits until the page has the response of an action.
    pub fn awaiting(self, at: &'static str) -> Self {
        self.acting(["wait", at, ""])
    }

    pub fn clicking(self, at: &'static str) -> Self {
        self.acting(["click", at, ""])
    }

    pub fn typing(self, at: &'static str, text: &'static str) -> Self {
        self.acting(["type", at, text])
    }

    pub fn leaving(self, at: &'static str) -> Self {
        self.acting(["leave", at, ""])
    }

    pub fn acting(mut self, act: [&'static str; 3]) -> Self {
        self.scenario.acts.push(act);
        self
    }

    pub fn without(mut self, broken: &'static str) -> Self {
        self.scenario.broken = Some(broken);
        self
    }
}
