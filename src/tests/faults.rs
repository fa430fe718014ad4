//! Faults of the upstream × every call, over real HTTP: the failure that the person gets, their unchanged session, and
//! another client of the same server, who is served meanwhile. Which faults there are is the upstream client's own test.

use std::{sync::Arc, time::Duration};

use axum::{body::Body, http::Request};
use serde_json::{Value, json};
use tokio::{join, time::timeout};

use super::{
    Answer, HOST_NAME, LINK, TestApp,
    catalogue::{Case, Expected, Uses, cases, due, outage, unanswered},
    network::Network,
    scripted::{Act, mislabelled},
};

/// The token of another client of the same server.
const BYSTANDER: &str = "somebody-else";

/// Marks the upstream's words, which nobody may see.
const MARK: &str = "dito-pelo-upstream";

/// The upstream timeout where only it ends a call, in milliseconds: enough for a good call on a busy machine.
const SHORT_TIMEOUT: &str = "2000";

/// Longest time for anything, on a busy machine, too.
const LONG_TIMEOUT: Duration = Duration::from_secs(120);

const MAX_FAILURE_BYTES: usize = 300;

/// A client whose calls fail, and another whose calls succeed.
struct Two {
    victim: TestApp,
    bystander: Bystander,
}

/// A client who views their accounts.
struct Bystander {
    network: Arc<Network>,
    /// Name and value.
    cookie: String,
    session: String,
}

impl Two {
    async fn on_one_server(victim: TestApp) -> Self {
        let mut victim = victim.over_the_network().await;
        victim.upstream.always_succeed(BYSTANDER);
        let cookie = victim.cookie.take();
        let entered = victim.validate(&format!("?token={BYSTANDER}")).await;
        assert_eq!(entered.status, 200, "{entered:?}");
        let bystander = Bystander {
            network: victim.network.clone().unwrap(),
            session: victim.session().unwrap().id,
            cookie: format!("{}={}", victim.codec.name(), victim.cookie.take().unwrap()),
        };
        victim.cookie = cookie;
        Self { victim, bystander }
    }

    /// The same two, with a server that has a short upstream timeout.
    async fn with_short_timeout(self) -> Self {
        Self::on_one_server(self.victim.with_timeout(SHORT_TIMEOUT)).await
    }

    /// Both act at the same time. Returns the victim's response, and an error if the bystander was not served.
    async fn act(&mut self, case: &Case) -> (Answer, Result<(), String>) {
        let acting = async {
            match case.action {
                "validate_token" => self.victim.validate(&LINK[1..]).await,
                action => self.victim.act(action, case.input.clone()).await,
            }
        };
        join!(acting, self.bystander.is_served())
    }
}

impl Bystander {
    async fn is_served(&self) -> Result<(), String> {
        let body = json!({ "input": { "session": self.session } }).to_string();
        let list = self.request("POST", "/api/list_accounts").header("content-type", "application/json");
        let listed = Answer::of(self.network.send(list.body(body.into()).unwrap()).await).await;
        if listed.status != 200 || !listed.text.contains("Padaria Estrela do Sul") {
            return Err(format!("the accounts of somebody else: {listed:?}"));
        }
        self.is_shown_pages().await
    }

    async fn is_shown_pages(&self) -> Result<(), String> {
        for path in ["/integration/accounts", "/healthz", "/readyz"] {
            let shown = self.network.send(self.request("GET", path).body(Body::empty()).unwrap()).await;
            if shown.status() != 200 {
                return Err(format!("somebody else at {path}: {}", shown.status()));
            }
        }
        Ok(())
    }

    fn request(&self, method: &str, path: &str) -> axum::http::request::Builder {
        let request = Request::builder().method(method).uri(path).header("host", HOST_NAME);
        request.header("cookie", &self.cookie).header("sec-fetch-site", "same-origin")
    }
}

/// The eight calls whose failures reach the person; the ninth is the log.
fn told_cases() -> Vec<Case> {
    let entry = Case { action: "validate_token", call: "validate-token", uses: Uses::Data, input: Value::Null };
    std::iter::once(entry).chain(cases()).collect()
}

async fn due_or_new(case: &Case) -> TestApp {
    if case.action == "validate_token" { TestApp::start().await } else { due(case.action).await }
}

/// One fault of each kind, and the failure that the person gets.
fn faults() -> Vec<(Act, Expected)> {
    let page = format!("<!doctype html><h1>{MARK}</h1>");
    vec![
        (Act::Reset, unanswered()),
        (Act::Cut, unanswered()),
        (Act::Garbage, unanswered()),
        (Act::text(500, "text/html", &page), outage()),
        (Act::text(200, "text/html", &page), outage()),
        (Act::error(500, MARK), outage()),
        (Act::Hang, unanswered()),
    ]
}

#[tokio::test]
async fn every_call_survives_every_fault_and_nobody_else_notices() {
    for case in told_cases() {
        let mut two = Two::on_one_server(due_or_new(&case).await).await;
        let before = two.victim.cookie.clone();
        for (act, (status, failure)) in faults() {
            if matches!(act, Act::Hang) {
                two = two.with_short_timeout().await;
            }
            two.victim.upstream.on(case.call, act.clone());
            let (answer, beside) = timeout(LONG_TIMEOUT, two.act(&case)).await.expect("every call ends");
            answer.assert_failure(status, &failure);
            assert_eq!(two.victim.cookie, before, "{}, {act:?}: the session is as it was", case.action);
            assert!(answer.text.len() < MAX_FAILURE_BYTES, "{} bytes", answer.text.len());
            assert!(!format!("{answer:?}").contains(MARK), "the upstream's words: {answer:?}");
            assert_eq!(beside, Ok(()), "{}, {act:?}", case.action);
        }
        two.victim.upstream.on(case.call, mislabelled(case.call));
        let answer = two.act(&case).await.0;
        assert_eq!(answer.status, 200, "{}: {answer:?}", case.action);
    }
}

/// The ninth call: its failure does not change the action.
#[tokio::test]
async fn no_fault_of_the_log_is_noticed() {
    let mut two = Two::on_one_server(due("open_connect").await).await;
    let case = cases().into_iter().find(|case| case.action == "open_connect").unwrap();
    for (act, _) in faults() {
        two.victim.upstream.on("log", act.clone());
        let (answer, beside) = two.act(&case).await;
        assert_eq!(answer.json()["connectToken"], "connect-token-of-pluggy", "{act:?}: {answer:?}");
        assert_eq!(beside, Ok(()), "{act:?}");
        assert!(!format!("{answer:?}").contains(MARK), "the upstream's words: {answer:?}");
    }
}

#[tokio::test]
async fn an_upstream_that_is_not_there_takes_no_page_away() {
    for case in told_cases() {
        let mut two = Two::on_one_server(due_or_new(&case).await).await;
        let before = two.victim.cookie.clone();
        two.victim.upstream.close().await;
        let answer = match case.action {
            "validate_token" => two.victim.validate(&LINK[1..]).await,
            action => two.victim.act(action, case.input).await,
        };
        let (status, failure) = unanswered();
        answer.assert_failure(status, &failure);
        assert_eq!(two.victim.cookie, before, "{}", case.action);
        assert_eq!(two.bystander.is_shown_pages().await, Ok(()));
    }
}
