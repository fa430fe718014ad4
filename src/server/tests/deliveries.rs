//! The server logs and counts a success of Connect that it cannot deliver.

use std::future::{pending, ready};

use serde_json::json;
use tokio::net::TcpListener;
use vincula_testing::{Act, profile};

use super::panics::log_of_this_thread;
use crate::tests::{ITEM, TestApp, update};

/// A finished Connect, with a widget API that answers log calls with `log`. Returns the app and the
/// support code of the action.
async fn finished(log: Act) -> (TestApp, String) {
    let mut app = TestApp::start().await;
    let data = Act::data(&profile(update()));
    app.upstream.on("validate-token", data);
    app.upstream.on("log", log);
    app.validate("?token=a-secret-token").await;
    let answer = app.act("finish_connect", json!({ "itemId": ITEM })).await;
    assert_eq!(
        answer.json(),
        json!({ "to": "/integration/success" }),
        "the person does not wait"
    );
    let code = answer.header_of("x-request-id").unwrap().to_owned();
    (app, code)
}

/// The end of the process drops the calls in flight.
#[test]
fn logs_success_lost_at_process_end() {
    let (lines, _guard) = log_of_this_thread();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let (app, code) = runtime.block_on(finished(Act::Hang));
    drop(runtime);
    let log = lines.take();
    let said = |line: &&str| {
        ["ERROR", "success of Connect not delivered", ITEM, &code]
            .iter()
            .all(|part| line.contains(part))
    };
    assert_eq!(log.lines().filter(said).count(), 1, "{log}");
    assert!(!log.contains("a-secret-token"), "{log}");
    let counted = app.state.metrics.exposition();
    assert!(
        counted.contains("vincula_success_deliveries_total{outcome=\"given_up\"} 1\n"),
        "{counted}"
    );
}

/// How the server ends after a stop, with an item under way, and a further signal once the log has
/// `line`.
async fn stopped(answer: Act, line: Option<&str>) -> (bool, String) {
    let (lines, _guard) = log_of_this_thread();
    let (app, code) = finished(answer).await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let further_signal = async {
        let Some(line) = line else {
            return pending().await;
        };
        while !lines.so_far().contains(line) {
            tokio::task::yield_now().await;
        }
    };
    let finished = crate::server::serve(
        app.router.clone(),
        listener,
        app.state.upstream.clone(),
        ready(()),
        further_signal,
    )
    .await
    .unwrap();
    let log = lines.so_far();
    let count = |part: &str| {
        let named =
            |line: &&str| line.contains(part) && line.contains(ITEM) && line.contains(&code);
        log.lines().filter(named).count()
    };
    assert_eq!(
        count("not delivered: report this item"),
        usize::from(!finished),
        "{log}"
    );
    assert_eq!(
        count("not delivered yet"),
        log.matches("not delivered yet").count(),
        "{log}"
    );
    (finished, log)
}

#[tokio::test]
async fn shutdown_delivers_successes_or_logs_each_loss() {
    for (answer, line, is_delivered) in [
        (Act::Hang, Some("listening"), false),
        (Act::error(503, "busy"), Some("not delivered yet"), false),
        (Act::status(200), None, true),
    ] {
        let (finished, log) = stopped(answer, line).await;
        assert_eq!(finished, is_delivered, "{log}");
    }
}
