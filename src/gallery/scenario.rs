//! The scenario of one frame: the responses that the page gets, what is broken, and what a person does in it.

use std::collections::BTreeMap;

use serde::Serialize;
use vincula_domain::{
    routes,
    wire::{AccountList, Failure},
};
use vincula_pages::Face;

use crate::{session::Session, steps::accounts::ServerListedAccounts};

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

/// What shows that the list, or the end of the flow, is there.
pub const FIRST_ACCOUNT: &str = "text=1234567-8";
pub const CONCLUDE: &str = "role=button[name='Concluir integração']";

/// One frame.
pub struct State {
    /// Its name in the URL.
    pub slug: &'static str,
    pub caption: &'static str,
    /// The path of its page.
    pub path: String,
    pub session: Option<Session>,
    /// The accounts, where the server lists them for a browser without JavaScript.
    pub listed: Option<ServerListedAccounts>,
    /// The face of its firm; without one the sandbox's.
    pub face: Option<Face>,
    pub scenario: Scenario,
    /// What is visible once the state is reached, as a selector of Playwright.
    pub shows: &'static str,
}

/// A state of a page without a session, whose heading is visible.
pub fn screen(slug: &'static str, caption: &'static str, path: &str) -> State {
    let (path, scenario) = (path.to_owned(), Scenario::default());
    State { slug, caption, path, session: None, listed: None, face: None, scenario, shows: "h1" }
}

impl State {
    pub fn session(self, session: Session) -> Self {
        Self { session: Some(session), ..self }
    }

    pub fn showing(self, shows: &'static str) -> Self {
        Self { shows, ..self }
    }

    /// As a firm with a brand shows it.
    pub fn with_face(self, face: Face) -> Self {
        Self { face: Some(face), ..self }
    }

    /// The next response of one of our actions.
    pub fn answering(mut self, action: &str, answer: Answer) -> Self {
        self.scenario.answer(&format!("{}/{action}", routes::API), answer);
        self
    }

    /// The next response for the sandbox's stand-in.
    pub fn answering_stand_in(mut self, path: &str, answer: Answer) -> Self {
        self.scenario.answer(&format!("{}/{path}", routes::SANDBOX), answer);
        self
    }

    pub fn acting(mut self, act: Act) -> Self {
        self.scenario.acts.push(act);
        self
    }

    pub fn clicking(self, at: &'static str) -> Self {
        self.acting(Act::Click { at })
    }

    pub fn typing(self, at: &'static str, text: &'static str) -> Self {
        self.acting(Act::Type { at, text })
    }

    /// The focus leaves a field.
    pub fn leaving(self, at: &'static str) -> Self {
        self.acting(Act::Leave { at })
    }

    pub fn toasting(self, kind: &'static str, text: &'static str) -> Self {
        self.acting(Act::Toast { kind, text })
    }

    pub fn with_broken(mut self, broken: Broken) -> Self {
        self.scenario.broken = Some(broken);
        self
    }

    pub fn listing(self, accounts: AccountList) -> Self {
        Self { listed: Some(ServerListedAccounts(accounts)), ..self }
    }
}
