//! Attacks as tables of cases: raw bytes over real sockets, against a listening server.
//!
//! `make check` tries some of the cases, chosen by a seed, and `make attack` all of them. A case states what must hold;
//! a violation is a surprise, which names the case.

mod answers;
mod conditional;
mod cookies;
mod csrf;
mod forms;
mod injection;
mod limits;
mod logs;
mod paths;
mod sample;
mod shapes;
mod stops;
mod wire;

use std::{fmt::Display, net::SocketAddr};

use sample::{report, sample};
use serde_json::Value;
use wire::{Ask, Line, Reply};

use super::TestApp;

/// Marks the attacker's input. No response may contain it.
const MARK: &str = "ev1l";

/// The client's name in every session here, which all documents of the session contain.
const CLIENT: &str = "Padaria Estrela do Sul";

/// A listening server, with one browser's session.
struct Target {
    app: TestApp,
    address: SocketAddr,
}

impl Target {
    async fn of(app: TestApp) -> Self {
        let app = app.over_the_network().await;
        app.upstream.forget();
        let address = app.network.as_ref().expect("it listens").address;
        Self { app, address }
    }

    /// The session cookie as the browser sends it.
    fn cookie(&self) -> String {
        format!("{}={}", self.app.codec.name(), self.app.cookie.as_deref().unwrap_or_default())
    }

    /// The session's id, which its pages carry.
    fn page(&self) -> String {
        self.app.session().map(|session| session.id).unwrap_or_default()
    }

    /// An action of a page of ours, with the session's cookie.
    fn action(&self, action: &str, mut input: Value) -> Ask {
        input["session"] = self.page().into();
        Ask::json(&format!("/api/{action}"), &serde_json::json!({ "input": input })).with("cookie", self.cookie())
    }

    /// Sends one request on a connection of its own, and returns its response.
    async fn ask(&self, ask: &Ask) -> Reply {
        let mut line = Line::to(self.address).await;
        line.send(&ask.clone().with("connection", "close").bytes()).await;
        line.reply_to(ask).await.unwrap_or_default()
    }
}

/// The cases of one area of attacks.
struct Area {
    name: &'static str,
    cases: usize,
    surprises: Vec<String>,
}

impl Area {
    fn begin(name: &'static str) -> Self {
        Self { name, cases: 0, surprises: Vec::new() }
    }

    /// Adds a case, with its violations.
    fn case(&mut self, case: impl Display, violations: Violations) {
        self.cases += 1;
        if !violations.0.is_empty() {
            self.surprises.push(format!("{case}: {}", violations.0.join("; ")));
        }
    }

    /// Prints the result, and fails on any violation.
    #[track_caller]
    fn finish(self) {
        report(self.name, self.cases, &self.surprises);
    }
}

/// The violations of one case.
#[derive(Default)]
struct Violations(Vec<String>);

impl Violations {
    fn check(&mut self, holds: bool, otherwise: impl Display) {
        let otherwise = otherwise.to_string();
        if !holds && !self.0.contains(&otherwise) {
            self.0.push(otherwise);
        }
    }

    /// Checks every response: no server error, no reflected input, no name of the server's software, no access for
    /// other sites, and no caching unless it is a file.
    fn check_common(&mut self, reply: &Reply) {
        let status = reply.status;
        self.check(status != 0, "no answer");
        self.check(!matches!(status, 500 | 501 | 505), format_args!("status {status}"));
        self.check(!reply.holds(MARK), format_args!("repeats what was sent: {reply:?}"));
        for name in ["server", "x-powered-by", "access-control-allow-origin"] {
            self.check(reply.header(name).is_none(), name);
        }
        let kept = reply.header("cache-control").unwrap_or_default();
        let is_file = matches!(status, 200 | 206 | 304) && kept.starts_with("public, max-age=");
        // Responses to invalid requests come from outside the router, with hardly any headers.
        let is_bare = status >= 400 && reply.header("content-type").is_none() && reply.body.is_empty();
        self.check(is_file || is_bare || kept == "no-store", format_args!("may be kept: {status} {kept:?}"));
    }

    fn check_status(&mut self, reply: &Reply, statuses: &[u16]) {
        self.check(statuses.contains(&reply.status), format_args!("{} instead of {statuses:?}", reply.status));
    }

    /// Checks that the response sets no cookie.
    fn check_no_cookie(&mut self, reply: &Reply) {
        self.check(reply.header("set-cookie").is_none(), "sets a cookie");
    }

    /// Checks that the response does not name the client.
    fn check_anonymous(&mut self, reply: &Reply) {
        self.check(!reply.holds(CLIENT), "shows whose session it is");
    }

    /// Checks that the upstream received no call, and forgets its calls.
    fn check_no_upstream_call(&mut self, target: &Target) {
        let calls = target.app.upstream.lines();
        target.app.upstream.forget();
        self.check(calls.is_empty(), format_args!("upstream calls {calls:?}"));
    }
}
