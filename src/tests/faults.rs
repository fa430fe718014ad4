//! Every fault of the upstream × every call, over real HTTP (design D8): what the person is told, that nothing of theirs
//! is lost, and that somebody else on the same server is served meanwhile.

use std::sync::Arc;

use axum::{body::Body, http::Request};
use serde_json::{Value, json};
use tokio::{join, task::JoinSet};

use super::{
    Answer, HOST_NAME, LINK, TestApp,
    catalogue::{Case, Told, Uses, cases, due, problem, unanswered},
    network::Network,
    scripted::{Act, mislabelled},
};
use crate::upstream::tests::faulty::{Fault, Kind, MOST_TAKEN};

/// The token of somebody else on the same server.
const BYSTANDER: &str = "somebody-else";

/// Where only the clock ends a call: as long as a good one may take on a busy machine, in milliseconds.
const IMPATIENCE: &str = "2000";

/// A person whose calls fail, and somebody else whose calls do not.
struct Two {
    victim: TestApp,
    bystander: Bystander,
}

/// Somebody who looks at their accounts.
struct Bystander {
    network: Arc<Network>,
    /// Name and value.
    cookie: String,
    session: String,
}

impl Two {
    async fn on_one_server(victim: TestApp) -> Self {
        let mut victim = victim.over_the_network().await;
        victim.upstream.spare(BYSTANDER);
        let cookie = victim.cookie.take();
        let entered = victim.validate(&format!("?token={BYSTANDER}")).await;
        assert_eq!(entered.status, 200, "{entered:?}");
        let bystander = Bystander {
            network: victim.network.clone().unwrap(),
            session: victim.session().unwrap().id.as_str().to_owned(),
            cookie: format!("{}={}", victim.keeper.name(), victim.cookie.take().unwrap()),
        };
        victim.cookie = cookie;
        Self { victim, bystander }
    }

    /// The same two before a server that does not wait long.
    async fn impatient(self) -> Self {
        Self::on_one_server(self.victim.waiting_at_most(IMPATIENCE)).await
    }

    /// The victim acts while the bystander does, too.
    async fn act(&mut self, case: &Case) -> Answer {
        let acting = async {
            match case.action {
                "validate_token" => self.victim.validate(&LINK[1..]).await,
                action => self.victim.act(action, case.input.clone()).await,
            }
        };
        join!(acting, self.bystander.is_served()).0
    }
}

impl Bystander {
    async fn is_served(&self) {
        let body = json!({ "input": { "session": self.session } }).to_string();
        let list = self.request("POST", "/api/list_accounts").header("content-type", "application/json");
        let listed = self.network.send(list.body(body.into()).unwrap()).await;
        assert_eq!(listed.status(), 200, "the accounts of somebody else");
        self.is_shown_pages().await;
    }

    async fn is_shown_pages(&self) {
        for path in ["/integration/accounts", "/healthz", "/readyz"] {
            let shown = self.network.send(self.request("GET", path).body(Body::empty()).unwrap()).await;
            assert_eq!(shown.status(), 200, "{path}");
        }
    }

    fn request(&self, method: &str, path: &str) -> axum::http::request::Builder {
        let request = Request::builder().method(method).uri(path).header("host", HOST_NAME);
        request.header("cookie", &self.cookie).header("sec-fetch-site", "same-origin")
    }
}

/// What is told of a fault; nothing where nobody reads what is wrong with a 2xx answer.
fn told(fault: Fault, uses: Uses) -> Option<Told> {
    match fault.kind() {
        Kind::NoReply | Kind::TooLate => Some(unanswered()),
        Kind::Refusal | Kind::TooLarge => Some(problem("token-invalid")),
        Kind::Unusable => (uses == Uses::Data).then(|| problem("token-invalid")),
    }
}

/// The eight calls whose failures the person is told; the ninth is the log.
fn told_cases() -> Vec<Case> {
    let entry = Case { action: "validate_token", call: "validate-token", uses: Uses::Data, input: Value::Null };
    std::iter::once(entry).chain(cases()).collect()
}

async fn due_or_new(case: &Case) -> TestApp {
    if case.action == "validate_token" { TestApp::start().await } else { due(case.action).await }
}

fn faults(which: impl Fn(Kind) -> bool) -> impl Iterator<Item = Fault> {
    // A server that is not there at all is so for everybody: it has a test of its own.
    Fault::ALL.into_iter().filter(move |fault| *fault != Fault::Refused && which(fault.kind()))
}

async fn all(mut tests: JoinSet<()>) {
    while let Some(done) = tests.join_next().await {
        done.unwrap();
    }
}

/// Each call meets each fault; then it goes well, by an answer with a wrong label.
async fn survives(case: Case) {
    let mut two = Two::on_one_server(due_or_new(&case).await).await;
    let before = two.victim.cookie.clone();
    let mut met = 0;
    for fault in faults(|kind| kind != Kind::TooLate).chain(faults(|kind| kind == Kind::TooLate)) {
        let Some((status, failure)) = told(fault, case.uses) else { continue };
        if fault == Fault::Hang {
            two = two.impatient().await;
        }
        two.victim.upstream.on(case.call, Act::Fault(fault));
        let answer = two.act(&case).await;
        assert_eq!(answer.status, status, "{fault:?}");
        answer.assert_failure(status, &failure);
        assert_eq!(two.victim.cookie, before, "{}, {fault:?}: the session is as it was", case.action);
        let taken = two.victim.upstream.flooded();
        assert!(taken < MOST_TAKEN, "{}, {fault:?}: {taken} bytes taken", case.action);
        met += 1;
    }
    assert!(met >= 16, "{}: {met}", case.action);
    let mut two = Two::on_one_server(two.victim.rested()).await;
    two.victim.upstream.on(case.call, mislabelled(case.call));
    let answer = two.act(&case).await;
    assert_eq!(answer.status, 200, "{}: {answer:?}", case.action);
}

#[tokio::test]
async fn every_call_survives_every_fault_and_nobody_else_notices() {
    let mut tests = JoinSet::new();
    for case in told_cases() {
        tests.spawn(survives(case));
    }
    all(tests).await;
}

#[tokio::test]
async fn a_good_answer_that_nobody_reads_may_hold_anything() {
    let mut tests = JoinSet::new();
    for case in cases().into_iter().filter(|case| case.uses == Uses::Nothing) {
        for fault in faults(|kind| kind == Kind::Unusable) {
            let case = Case { input: case.input.clone(), ..case };
            tests.spawn(async move {
                let mut two = Two::on_one_server(due(case.action).await).await;
                two.victim.upstream.on(case.call, Act::Fault(fault));
                let answer = two.act(&case).await;
                assert_eq!(answer.status, 200, "{}, {fault:?}: {answer:?}", case.action);
            });
        }
    }
    all(tests).await;
}

/// The ninth call: whatever befalls it, the action beside it is as without it (design D9).
#[tokio::test]
async fn no_fault_of_the_log_is_noticed() {
    let mut two = Two::on_one_server(due("open_connect").await).await;
    let case = cases().into_iter().find(|case| case.action == "open_connect").unwrap();
    for fault in faults(|_| true) {
        two.victim.upstream.on("log", Act::Fault(fault));
        let answer = two.act(&case).await;
        assert_eq!(
            (answer.status, &answer.json()["connectToken"]),
            (200, &json!("connect-token-of-pluggy")),
            "{fault:?}"
        );
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
        two.bystander.is_shown_pages().await;
    }
}
