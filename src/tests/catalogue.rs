//! The error catalogue: every action against every failure of the widget API.

use serde_json::{Value, json};
use tokio::time::Instant;
use vincula_testing::{error_examples, example};

use super::{
    Act, Answer, ITEM, LINK, OUTAGE, TOKEN_MARK, TestApp, consent_form, item, navigate,
    no_response, sent_item, update,
};
use crate::session::SuccessCall;

/// The part of a successful response that an action uses.
#[derive(Clone, Copy, PartialEq)]
enum Uses {
    Data,
    /// As `Data`, but without data the list is empty.
    List,
    /// A 2xx is a success unless its body is an HTML page or reports a failure.
    Nothing,
}

/// An action, its upstream call, and its input.
struct Case {
    action: &'static str,
    call: &'static str,
    uses: Uses,
    input: Value,
}

/// A fault of the widget API, and the resulting failure for each kind of call.
struct Outcome {
    name: &'static str,
    act: Act,
    expected: Expected,
    /// In place of `expected` for connect-token and update-link-account, or for the latter alone.
    provider: Option<Expected>,
    update: Option<Expected>,
    /// Whether it is a success for calls that use no data.
    confirms: bool,
    /// Whether it is an empty list.
    is_empty: bool,
}

/// HTTP status and failure.
type Expected = (u16, Value);

fn cases() -> Vec<Case> {
    let case = |action, call, uses, input| Case {
        action,
        call,
        uses,
        input,
    };
    vec![
        case(
            "validate_token",
            "validate-token",
            Uses::Data,
            json!({ "query": &LINK[1..] }),
        ),
        case(
            "accept_consent",
            "authorize-customer",
            Uses::Nothing,
            json!({}),
        ),
        case("list_accounts", "list-accounts", Uses::List, json!({})),
        case("list_banks", "list-banks", Uses::List, json!({})),
        case("open_connect", "connect-token", Uses::Data, json!({})),
        case(
            "finish_connect",
            "update-link-account",
            Uses::Nothing,
            item(ITEM),
        ),
        case("confirm_success", "success", Uses::Nothing, json!({})),
        case(
            "cancel_integrations",
            "cancel-integrations",
            Uses::Nothing,
            json!({}),
        ),
    ]
}

/// A session in which the action is allowed.
async fn due(action: &str) -> TestApp {
    match action {
        "validate_token" => TestApp::start().await,
        "accept_consent" | "cancel_integrations" => TestApp::entered(json!({})).await,
        "list_accounts" | "list_banks" => TestApp::consented(json!({})).await,
        "open_connect" => TestApp::chosen(json!({})).await,
        "finish_connect" => TestApp::entered(update()).await,
        "confirm_success" => TestApp::linked(json!({})).await,
        other => unreachable!("{other} calls nobody"),
    }
}

fn problem(slug: &str) -> Expected {
    let status = if slug == "token-expired" { 410 } else { 422 };
    (status, navigate(&format!("/error/{slug}")))
}

/// The failure for an outage of the widget API or an unreadable response.
fn outage() -> Expected {
    (500, navigate(OUTAGE))
}

fn unanswered() -> Expected {
    (500, no_response())
}

fn outcomes() -> Vec<Outcome> {
    let outcome = |name, act, expected| Outcome {
        name,
        act,
        expected,
        provider: None,
        update: None,
        confirms: false,
        is_empty: false,
    };
    let envelope = |http: u16, body: Value| Act::json(http, &body);
    let mut outcomes = vec![
        outcome("reset", Act::Reset, unanswered()),
        outcome("cut amid the body", Act::Cut, unanswered()),
        outcome("no HTTP", Act::Garbage, unanswered()),
        outcome(
            "meta 404",
            Act::error(404, "Token not found"),
            problem("token-not-exists"),
        ),
        outcome(
            "meta 404 as text in an HTTP 400",
            envelope(400, json!({ "meta": { "status": "404" } })),
            problem("token-not-exists"),
        ),
        outcome(
            "HTTP 404 without an envelope",
            Act::text(404, "text/html", "<h1>Not Found</h1>"),
            outage(),
        ),
        outcome(
            "expired",
            Act::error(401, "Expired token"),
            problem("token-expired"),
        ),
        outcome(
            "expired in an HTTP 500",
            Act::error(500, "Expired token"),
            problem("token-expired"),
        ),
        outcome(
            "another case of letters",
            Act::error(401, "expired token"),
            problem("token-invalid"),
        ),
        outcome(
            "other reply",
            Act::error(422, "Customer 529.982.247-25 is blocked"),
            problem("token-invalid"),
        ),
        outcome(
            "a portal's page",
            Act::text(
                200,
                "text/html",
                "<html>Bem-vindo à rede do aeroporto</html>",
            ),
            outage(),
        ),
        outcome(
            "HTML 500",
            Act::text(500, "text/html", "<h1>Whoops</h1>"),
            outage(),
        ),
        outcome("empty 503", Act::text(503, "text/plain", ""), outage()),
        outcome(
            "redirect",
            Act::text(302, "text/html", "").with("location", "https://elsewhere.example/login"),
            outage(),
        ),
    ];
    for (name, body, expected) in [
        (
            "2xx and meta 500",
            r#"{"data":null,"meta":{"status":500,"message":"Whoops"}}"#,
            outage(),
        ),
        (
            "2xx and meta 404 as text",
            r#"{"data":null,"meta":{"status":"404"}}"#,
            problem("token-not-exists"),
        ),
        (
            "2xx and expired",
            r#"{"meta":{"status":401,"message":"Expired token"}}"#,
            problem("token-expired"),
        ),
    ] {
        outcomes.push(outcome(
            name,
            Act::text(200, "application/json", body),
            expected,
        ));
    }
    for (name, act) in [
        (
            "2xx without data",
            envelope(200, json!({ "meta": { "status": 200, "message": "OK" } })),
        ),
        (
            "2xx with null",
            envelope(200, json!({ "data": null, "meta": { "status": 200 } })),
        ),
        ("204", Act::text(204, "text/plain", "")),
        ("299 with JSON", Act::text(299, "application/json", "{}")),
    ] {
        outcomes.push(Outcome {
            confirms: true,
            is_empty: true,
            ..outcome(name, act, outage())
        });
    }
    for (name, body) in [
        (
            "2xx of another shape, without a firm",
            r#"{"data":{"client_name":"Ana"},"meta":{"status":200}}"#,
        ),
        ("2xx with broken JSON", r#"{"data":["#),
        ("empty 2xx", ""),
    ] {
        let act = Act::text(200, "application/json", body);
        outcomes.push(Outcome {
            confirms: true,
            ..outcome(name, act, outage())
        });
    }
    for (name, act) in [
        ("200 with plain text", Act::text(200, "text/plain", "OK")),
        (
            "201 with plain text that is declared as HTML",
            Act::text(201, "text/html", "OK"),
        ),
    ] {
        outcomes.push(Outcome {
            confirms: true,
            ..outcome(name, act, outage())
        });
    }
    for (name, body, expected) in [
        (
            "item not found",
            json!({ "data": { "code": "ITEM_NOT_FOUND" }, "meta": { "status": 404, "message": "item not found" } }),
            problem("token-not-exists"),
        ),
        (
            "Item Not Found",
            json!({ "meta": { "status": 400, "message": "Item Not Found" } }),
            problem("token-invalid"),
        ),
    ] {
        let provider = Some(problem("link-not-exists"));
        outcomes.push(Outcome {
            provider,
            ..outcome(name, envelope(400, body), expected)
        });
    }
    for (name, act, expected) in [
        (
            "meta 409",
            Act::error(409, "Conflict"),
            problem("token-invalid"),
        ),
        (
            "meta 304",
            envelope(400, json!({ "meta": { "status": 304 } })),
            outage(),
        ),
        (
            "said to be unchanged",
            Act::error(422, "Credentials had no changes"),
            problem("token-invalid"),
        ),
    ] {
        let update = Some(problem("link-not-updated"));
        outcomes.push(Outcome {
            update,
            ..outcome(name, act, expected)
        });
    }
    outcomes
}

impl Outcome {
    /// The failure that results from this fault in a call; `None` if the call succeeds.
    fn expected(&self, call: &str, uses: Uses) -> Option<&Expected> {
        let asks_provider = matches!(call, "connect-token" | "update-link-account");
        match (&self.provider, &self.update) {
            _ if self.confirms && uses == Uses::Nothing => None,
            _ if self.is_empty && uses == Uses::List => None,
            (Some(expected), _) if asks_provider => Some(expected),
            (_, Some(expected)) if call == "update-link-account" => Some(expected),
            _ => Some(&self.expected),
        }
    }
}

/// No text of the widget API or of a library may reach the browser.
#[track_caller]
fn assert_shows_no_cause(answer: &Answer, app: &TestApp) {
    let host = app.upstream.base();
    let host = host.split('/').nth(2).unwrap();
    answer.assert_lacks(&[
        host,
        "blocked",
        "529.982",
        "Whoops",
        "aeroporto",
        "Conflict",
        "elsewhere",
        "widget-api",
    ]);
    answer.assert_lacks(&["serde", "reqwest", "hyper"]);
}

/// The examples of failures, each with its problem for most calls, for connect-token and for
/// update-link-account.
const EXAMPLES: [(&str, [&str; 3]); 5] = [
    ("error.expired-token", ["token-expired"; 3]),
    (
        "error.item-not-found",
        ["token-not-exists", "link-not-exists", "link-not-exists"],
    ),
    ("error.not-found", ["token-not-exists"; 3]),
    ("error.other", ["token-invalid"; 3]),
    (
        "error.unchanged",
        ["token-invalid", "token-invalid", "link-not-updated"],
    ),
];

#[tokio::test]
async fn examples_of_failures_lead_to_screen_of_their_problem() {
    let names: Vec<_> = error_examples().map(|(name, _)| name).collect();
    assert_eq!(names, EXAMPLES.map(|(name, _)| name), "each has its row");
    for case in cases() {
        let mut app = due(case.action).await;
        for (name, [usual, connect_token, update]) in EXAMPLES {
            let body = example(name);
            let expected = match case.call {
                "connect-token" => connect_token,
                "update-link-account" => update,
                _ => usual,
            };
            let status = body["meta"]["status"].as_u64().unwrap();
            app.upstream
                .on(case.call, Act::json(status.try_into().unwrap(), body));
            let answer = app.act(case.action, case.input.clone()).await;
            let (status, failure) = problem(expected);
            answer.assert_failure(status, &failure);
        }
    }
}

#[tokio::test]
async fn each_failure_of_each_call_follows_catalogue_and_keeps_session() {
    for case in cases() {
        let mut app = due(case.action).await;
        let before = app.jar.session.clone();
        let mut failed = 0;
        for outcome in outcomes() {
            let Some((status, failure)) = outcome.expected(case.call, case.uses) else {
                continue;
            };
            app.upstream.on(case.call, outcome.act.clone());
            app.upstream.forget();
            let answer = app.act(case.action, case.input.clone()).await;
            let what = format!("{}, {}", case.action, outcome.name);
            assert_eq!(answer.status, *status, "{what}");
            answer.assert_failure(*status, failure);
            assert_shows_no_cause(&answer, &app);
            assert_eq!(app.jar.session, before, "{what}: the session is as it was");
            let asked: Vec<_> = app
                .upstream
                .lines()
                .into_iter()
                .filter(|line| line.ends_with(&format!(" /{}", case.call)))
                .collect();
            assert_eq!(asked.len(), 1, "{what}");
            failed += 1;
        }
        assert!(failed > 15, "{}", case.action);
        app.upstream.recover(case.call);
        let done = app.done(case.action, case.input).await;
        assert!(!done.to_string().contains(TOKEN_MARK), "{done}");
    }
}

#[tokio::test]
async fn accepts_any_2xx_of_call_without_data() {
    for case in cases()
        .into_iter()
        .filter(|case| case.uses == Uses::Nothing)
    {
        for outcome in outcomes().into_iter().filter(|outcome| outcome.confirms) {
            let mut app = due(case.action).await;
            let before = app.snapshot();
            app.upstream.on(case.call, outcome.act);
            let answer = app.act(case.action, case.input.clone()).await;
            assert_eq!(
                answer.status, 200,
                "{}, {}: {answer:?}",
                case.action, outcome.name
            );
            assert_ne!(app.snapshot(), before, "{}, {}", case.action, outcome.name);
        }
    }
}

/// The timeout is the default of 30 minutes; the test controls the clock.
#[tokio::test(start_paused = true)]
async fn shows_toast_if_upstream_is_down_or_too_slow() {
    for case in cases() {
        let mut closed = due(case.action).await;
        closed.upstream.close().await;
        let hanging = due(case.action).await;
        hanging.upstream.on(case.call, Act::Hang);
        // An item is kept by the browser, which submits it again.
        let longest = if case.action == "finish_connect" {
            0
        } else {
            30
        };
        for (mut app, minutes) in [(closed, 0), (hanging, longest)] {
            let before = app.jar.session.clone();
            let begun = Instant::now();
            let answer = app.act(case.action, case.input.clone()).await;
            assert_eq!(begun.elapsed().as_secs() / 60, minutes, "{}", case.action);
            answer.assert_failure(500, &no_response());
            assert_eq!(app.jar.session, before, "{}", case.action);
        }
    }
}

/// A proxy, a firewall or another server at the address responds as it likes. Its response is an
/// outage, never the upstream's refusal: the link is not to blame, and the browser keeps the item.
#[tokio::test]
async fn only_envelope_of_upstream_refuses() {
    const STATUSES: [u16; 14] = [
        400, 401, 403, 404, 405, 407, 409, 413, 421, 429, 451, 500, 503, 530,
    ];
    let strangers = |status| {
        [
            Act::text(status, "text/html", "<html>Just a moment…</html>"),
            Act::text(status, "text/plain", "Forbidden"),
            Act::status(status),
            Act::json(status, &json!({ "message": "Forbidden", "status": 404 })),
        ]
    };
    for case in cases() {
        let mut app = due(case.action).await;
        for status in STATUSES {
            let what = format!("{}, HTTP {status}", case.action);
            let busy = match case.uses {
                Uses::List => unanswered(),
                _ => outage(),
            };
            let (own, strange) = match status {
                429 => (busy.clone(), busy),
                500.. => (outage(), outage()),
                404 => (problem("token-not-exists"), outage()),
                409 if case.call == "update-link-account" => {
                    (problem("link-not-updated"), outage())
                }
                _ => (problem("token-invalid"), outage()),
            };
            let acts = strangers(status).map(|act| (act, &strange));
            for (act, (status, failure)) in
                acts.into_iter().chain([(Act::error(status, "no"), &own)])
            {
                app.upstream.on(case.call, act.clone());
                let answer = app.act(case.action, case.input.clone()).await;
                assert_eq!(answer.status, *status, "{what}: {act:?}");
                answer.assert_failure(*status, failure);
            }
        }
    }
    let mut app = TestApp::chosen(json!({})).await;
    for status in STATUSES {
        for act in strangers(status) {
            app.upstream.on("log", act.clone());
            let submitted = app.done("submit_item", sent_item()).await;
            assert_eq!(submitted["item"], "kept", "HTTP {status}: {act:?}");
        }
        app.upstream.on("log", Act::error(status, "no"));
        let submitted = app.done("submit_item", sent_item()).await;
        let is_busy_or_out = status == 429 || status >= 500;
        let expected = if is_busy_or_out { "kept" } else { "refused" };
        assert_eq!(submitted["item"], expected, "HTTP {status}");
    }
}

/// If a link is opened twice and the second validation fails, the session stays as it was.
#[tokio::test]
async fn failed_validation_keeps_previous_session() {
    let mut app = TestApp::chosen(json!({})).await;
    let before = app.snapshot();
    for outcome in outcomes() {
        app.upstream.on("validate-token", outcome.act.clone());
        for query in [&LINK[1..], "?of-success", "?token=another"] {
            let answer = app.validate(query).await;
            assert_eq!(
                answer.status, outcome.expected.0,
                "{}, {query}",
                outcome.name
            );
            assert_eq!(app.snapshot(), before, "{}, {query}", outcome.name);
        }
    }
}

/// Without JavaScript, redirects lead to the same screens.
#[tokio::test]
async fn native_forms_redirect_by_catalogue() {
    for outcome in outcomes() {
        for (call, uses, address, page) in [
            ("validate-token", Uses::Data, LINK, "entry"),
            (
                "authorize-customer",
                Uses::Nothing,
                "/integration/widget",
                "consent",
            ),
            (
                "cancel-integrations",
                Uses::Nothing,
                "/cancel/confirm",
                "cancel-confirm",
            ),
        ] {
            let Some((_, failure)) = outcome.expected(call, uses) else {
                continue;
            };
            let mut app = due(if call == "validate-token" {
                "validate_token"
            } else {
                "accept_consent"
            })
            .await;
            let before = app.jar.session.clone();
            app.upstream.on(call, outcome.act.clone());
            let session = app.session().map(|session| session.id).unwrap_or_default();
            let answer = app.post_form(address, &consent_form(&session)).await;
            match failure["navigate"]["to"].as_str() {
                Some(to) => answer.assert_redirect(to),
                None => assert_stays_at(&mut app, &answer, address, page).await,
            }
            assert_eq!(
                app.jar.session, before,
                "{}, {call}: the session is as it was",
                outcome.name
            );
        }
    }
}

/// The redirect leads back to the page, which shows the text of the toast. The client can retry
/// there.
async fn assert_stays_at(app: &mut TestApp, answer: &Answer, address: &str, page: &str) {
    assert_eq!(answer.status, 303, "{answer:?}");
    let back = answer.location().unwrap().to_owned();
    assert!(back.starts_with(address), "{back}");
    let shown = app.get(&back).await;
    assert_eq!((shown.status, shown.page()), (200, Some(page)));
    let words = ">Houve falha na requisição.<";
    assert!(shown.shown().contains(words), "{}", shown.text);
    assert!(
        !app.get(address).await.shown().contains(words),
        "only after a failure"
    );
}

/// A failed log call does not change what the client sees next.
#[tokio::test(start_paused = true)]
async fn failed_log_calls_do_not_affect_actions() {
    let calm = {
        let mut app = TestApp::chosen(json!({})).await;
        let opened = app.done("open_connect", json!({})).await;
        (opened, app.finish().await["to"].clone())
    };
    let acts = outcomes()
        .into_iter()
        .map(|outcome| (outcome.name, outcome.act));
    for (name, act) in acts.chain([("never answered", Act::Hang)]) {
        let mut app = TestApp::chosen(json!({})).await;
        app.upstream.on("log", act);
        let opened = app.done("open_connect", json!({})).await;
        assert_eq!(opened, calm.0, "{name}");
        let reported = app
            .done(
                "report_connect_error",
                json!({ "message": "x", "itemId": null }),
            )
            .await;
        assert_eq!(reported, json!({}), "{name}");
        let finished = app.finish().await;
        assert_eq!(finished["to"], calm.1, "{name}");
        assert_eq!(app.snapshot().success(), Some(SuccessCall::Due), "{name}");
        let logs = app.upstream.received_all(&["POST /log"; 4]).await;
        assert_eq!(logs.len(), 4, "{name}: once each");
    }
}
