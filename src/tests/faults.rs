//! Every fault of the upstream × every call, over real HTTP (design D8): the failure that the person gets, their
//! unchanged session, and another client of the same server, who is served meanwhile.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    time::Duration,
};

use axum::{body::Body, http::Request};
use serde_json::{Value, json};
use tokio::{join, task::JoinSet, time::timeout};
use vincula_faulty::{
    Fault, MARK, MAX_SENT, Meaning,
    sample::{report, sample},
    table::faults,
};
use vincula_upstream::Call;

use super::{
    Answer, HOST_NAME, LINK, OUTAGE, TestApp,
    catalogue::{Case, Expected, Uses, cases, due, outage, problem, unanswered},
    network::Network,
    scripted::{Act, mislabelled},
};

/// The token of another client of the same server.
const BYSTANDER: &str = "somebody-else";

/// The upstream timeout where only it ends a call, in milliseconds: enough for a good call on a busy machine.
const IMPATIENCE: &str = "2000";

/// Longest time for anything, on a busy machine, too.
const PATIENCE: Duration = Duration::from_secs(120);

/// Another process takes over after so many actions, before the rate limit rejects them.
const TIRED_AFTER: usize = 20;

/// Most bytes of a response to the browser: the rows of a list, or a failure.
const MAX_BYTES: usize = 600 * 1024;
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
            session: victim.session().unwrap().id.as_str().to_owned(),
            cookie: format!("{}={}", victim.codec.name(), victim.cookie.take().unwrap()),
        };
        victim.cookie = cookie;
        Self { victim, bystander }
    }

    /// The same two, with a server that has a short upstream timeout.
    async fn with_short_timeout(self) -> Self {
        Self::on_one_server(self.victim.with_timeout(IMPATIENCE)).await
    }

    /// The same two, with a new process, whose rate limits are unused.
    async fn with_fresh_process(self) -> Self {
        Self::on_one_server(self.victim.with_fresh_process()).await
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

/// The failure that the person gets, by the name of the call's outcome.
fn expected(name: &str) -> Expected {
    match name {
        "cut_off" | "timed_out" => unanswered(),
        "refused" => problem("token-invalid"),
        "failed" | "unexpected_answer" => outage(),
        "token_not_found" => problem("token-not-exists"),
        "token_expired" => problem("token-expired"),
        "item_not_found" => problem("link-not-exists"),
        "unchanged" => problem("link-not-updated"),
        other => unreachable!("{other}"),
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

/// Runs a client's call against these faults, one after the other. Returns the violations.
async fn meet(case: Case, faults: Vec<Fault>) -> Vec<String> {
    let call = Call::ALL.into_iter().find(|call| call.path() == case.call).expect("one of the nine calls");
    let mut two = Two::on_one_server(due_or_new(&case).await).await;
    let (before, mut surprises) = (two.victim.cookie.clone(), Vec::new());
    let (late, prompt): (Vec<_>, Vec<_>) = faults.into_iter().partition(|fault| fault.meaning == Meaning::TooLate);
    let first_late = prompt.len();
    for (at, fault) in prompt.into_iter().chain(late).enumerate() {
        two = match at.checked_sub(first_late) {
            Some(late) if late % TIRED_AFTER == 0 => two.with_short_timeout().await,
            None if at > 0 && at % TIRED_AFTER == 0 => two.with_fresh_process().await,
            _ => two,
        };
        two.victim.upstream.on(case.call, Act::Fault(fault.clone()));
        let outcome = fault.outcome(call.path());
        let Ok((answer, beside)) = timeout(PATIENCE, two.act(&case)).await else {
            surprises.push(format!("{}, {fault:?}: no end", case.action));
            return surprises;
        };
        let taken = two.victim.upstream.flooded();
        let checks = || {
            match outcome {
                Ok(()) => assert_eq!(answer.status, 200, "{answer:?}"),
                Err(name) => {
                    // The table does not say which refusals are the widget API's own failures: the catalogue's test does.
                    let name = if name == "refused" && answer.text.contains(OUTAGE) { "failed" } else { name };
                    let (status, failure) = expected(name);
                    answer.assert_failure(status, &failure);
                    assert_eq!(two.victim.cookie, before, "the session is as it was");
                    assert!(answer.text.len() < MAX_FAILURE_BYTES, "{} bytes", answer.text.len());
                }
            }
            assert!(answer.text.len() < MAX_BYTES, "{} bytes", answer.text.len());
            assert!(!format!("{answer:?}").contains(MARK), "the upstream's words: {answer:?}");
            assert!(fault.meaning == Meaning::TooLate || taken < MAX_SENT, "{taken} bytes taken");
            assert_eq!(beside, Ok(()));
        };
        if let Err(surprise) = catch_unwind(AssertUnwindSafe(checks)) {
            let surprise = surprise.downcast_ref::<String>().cloned().unwrap_or_default();
            surprises.push(format!("{}, {fault:?}: {surprise}", case.action));
        }
        if answer.status == 200 {
            two.victim.cookie.clone_from(&before);
            two = two.with_fresh_process().await;
        }
    }
    let mut two = two.with_fresh_process().await;
    two.victim.upstream.on(case.call, mislabelled(case.call));
    let answer = two.act(&case).await.0;
    assert_eq!(answer.status, 200, "{}: {answer:?}", case.action);
    surprises
}

#[tokio::test]
async fn attack_every_call_survives_every_fault_and_nobody_else_notices() {
    let cases = 0..told_cases().len();
    let all: Vec<_> = cases.clone().flat_map(|case| faults().into_iter().map(move |fault| (case, fault))).collect();
    let all = sample(all, 160);
    let (count, mut running, mut surprises) = (all.len(), JoinSet::new(), Vec::new());
    for (at, case) in told_cases().into_iter().enumerate() {
        let met = all.iter().filter(|(case, _)| *case == at).map(|(_, fault)| fault.clone()).collect();
        running.spawn(meet(case, met));
    }
    while let Some(met) = running.join_next().await {
        surprises.extend(met.unwrap());
    }
    report("faults of the upstream, over real HTTP", count, &surprises);
}

/// The ninth call: its failure does not change the action (design D9).
#[tokio::test]
async fn attack_no_fault_of_the_log_is_noticed() {
    let all = sample(faults(), 20);
    let (count, mut surprises) = (all.len(), Vec::new());
    let mut two = Two::on_one_server(due("open_connect").await).await;
    let case = cases().into_iter().find(|case| case.action == "open_connect").unwrap();
    for (at, fault) in all.into_iter().enumerate() {
        if at > 0 && at % TIRED_AFTER == 0 {
            two = two.with_fresh_process().await;
        }
        two.victim.upstream.on("log", Act::Fault(fault.clone()));
        let (answer, beside) = two.act(&case).await;
        let token = answer.status == 200 && answer.json()["connectToken"] == "connect-token-of-pluggy";
        if !token || beside.is_err() || format!("{answer:?}").contains(MARK) {
            surprises.push(format!("{fault:?}: {answer:?}, {beside:?}"));
        }
    }
    report("faults of the upstream's log", count, &surprises);
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
