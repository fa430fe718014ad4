//! A process that is killed in the middle of a step: with the cookie from before, another one repeats it.

use std::{future::pending, net::TcpListener};

use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};
use tokio_util::sync::CancellationToken;

use super::*;
use crate::server::listen::{MAX_CONNECTIONS, serve};
use crate::tests::{ITEM, bank_form, catalogue::due, consent_form, scripted::Act, site};
use wire::FORM;

/// A server with a runtime of its own, which can be killed.
struct Process {
    runtime: Runtime,
    address: SocketAddr,
}

impl Process {
    fn start(upstream: &str) -> Self {
        let (router, _) = TestApp::process(upstream, &[]);
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        runtime.spawn(async move {
            let listener = tokio::net::TcpListener::from_std(listener).unwrap();
            serve(router, listener, MAX_CONNECTIONS, CancellationToken::new(), pending(), pending()).await;
        });
        Self { runtime, address }
    }

    /// Ends everything that it does.
    fn kill(self) {
        self.runtime.shutdown_background();
    }
}

#[derive(Debug, Clone, Copy)]
enum Moment {
    /// The upstream has the call and has not responded.
    InFlight,
    /// The response is lost on its way to the browser.
    Answered,
    /// Nothing is in flight on the connection.
    Between,
}

/// A step by its action, or by its form.
#[derive(Debug, Clone, Copy)]
struct Step {
    name: &'static str,
    /// The action that the session is ready for.
    due: &'static str,
    /// Verb and path of its call, if it makes one.
    call: Option<&'static str>,
}

const STEPS: [Step; 11] = [
    Step { name: "validate_token", due: "validate_token", call: Some("POST /validate-token") },
    Step { name: "POST /", due: "validate_token", call: Some("POST /validate-token") },
    Step { name: "accept_consent", due: "accept_consent", call: Some("POST /authorize-customer") },
    Step { name: "POST /integration/widget", due: "accept_consent", call: Some("POST /authorize-customer") },
    Step { name: "list_accounts", due: "list_accounts", call: Some("GET /list-accounts") },
    Step { name: "list_banks", due: "list_banks", call: Some("GET /list-banks") },
    Step { name: "save_bank_form", due: "list_banks", call: None },
    Step { name: "open_connect", due: "open_connect", call: Some("POST /connect-token") },
    Step { name: "finish_connect", due: "finish_connect", call: Some("PUT /update-link-account") },
    Step { name: "confirm_success", due: "confirm_success", call: Some("POST /success") },
    Step { name: "POST /cancel/confirm", due: "cancel_integrations", call: Some("POST /cancel-integrations") },
];

impl Step {
    fn ask(self, target: &Target) -> Ask {
        let page = target.page();
        let form = |path: &str, form: String| Ask::post(path, FORM, form).with("cookie", target.cookie());
        let input = match self.name {
            "POST /" => return Ask::post("/?token=abc", FORM, ""),
            "POST /integration/widget" => return form("/integration/widget", consent_form(&page)),
            "POST /cancel/confirm" => return form("/cancel/confirm", format!("session={page}")),
            "validate_token" => json!({ "query": "?token=abc" }),
            "accept_consent" => json!({ "text": &site::TEXT_OF_COMPANY[..8] }),
            "save_bank_form" => bank_form(),
            "finish_connect" => json!({ "itemId": ITEM }),
            _ => json!({}),
        };
        target.action(self.name, input)
    }

    /// Checks that the step succeeded: it leads to no error screen, and to no notice of a missing response.
    fn check_success(self, violations: &mut Violations, reply: &Reply) {
        let to = match reply.status {
            200 => serde_json::from_slice::<Value>(&reply.body).unwrap_or_default()["to"].as_str().map(str::to_owned),
            303 => reply.header("location").map(|to| to.into_owned()),
            status => return violations.check(false, format_args!("status {status}: {}", reply.text())),
        };
        let to = to.unwrap_or_default();
        violations.check(!to.starts_with("/error") && !to.contains("aviso="), format_args!("leads to {to}"));
        let keeps = !matches!(self.name, "list_accounts" | "list_banks");
        violations.check(!keeps || reply.header("set-cookie").is_some(), "keeps nothing");
    }
}

#[tokio::test]
async fn a_killed_process_costs_no_step() {
    let moments = [Moment::InFlight, Moment::Answered, Moment::Between];
    let cases: Vec<_> = STEPS.into_iter().flat_map(|step| moments.map(|moment| (step, moment))).collect();
    let mut area = Area::begin("processes killed in the middle of a step");
    for (step, moment) in sample(cases, 16) {
        let app = if step.due == "validate_token" { TestApp::start().await } else { due(step.due).await };
        let violations = killed(app, step, moment).await;
        area.case(format_args!("{}, {moment:?}", step.name), violations);
    }
    area.finish();
}

async fn killed(app: TestApp, step: Step, moment: Moment) -> Violations {
    let mut violations = Violations::default();
    let process = Process::start(&app.upstream.base());
    app.upstream.forget();
    let mut target = Target { app, address: process.address };
    let ask = step.ask(&target);
    let mut line = Line::to(target.address).await;
    match (moment, step.call) {
        (Moment::InFlight, Some(call)) => {
            let path = call.split_once('/').unwrap().1;
            target.app.upstream.on(path, Act::Hang);
            line.send(&ask.bytes()).await;
            target.app.upstream.received_all(&[call]).await;
            process.kill();
            violations.check(line.reply().await.is_none(), "a killed process responds");
            target.app.upstream.well(path);
        }
        (Moment::InFlight | Moment::Answered, _) => {
            line.send(&ask.bytes()).await;
            let reply = line.reply().await.unwrap_or_default();
            step.check_success(&mut violations, &reply);
            process.kill();
        }
        (Moment::Between, _) => {
            line.send(&Ask::get("/healthz").bytes()).await;
            let reply = line.reply().await.unwrap_or_default();
            violations.check_status(&reply, &[200]);
            process.kill();
            line.send(&ask.bytes()).await;
            violations.check(line.reply().await.is_none(), "a killed process responds");
            let heard = target.app.upstream.lines();
            violations.check(heard.is_empty(), format_args!("upstream heard {heard:?}"));
        }
    }
    let next = Process::start(&target.app.upstream.base());
    target.address = next.address;
    let reply = target.ask(&ask).await;
    step.check_success(&mut violations, &reply);
    violations.check_common(&reply);
    next.kill();
    violations
}
