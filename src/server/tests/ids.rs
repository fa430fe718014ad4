//! Each line of a request has its id, wherever it is written, and that of a failed call names it.

use serde_json::{Value, json};
use tracing_subscriber::{Layer, layer::SubscriberExt};
use vincula_testing::{Act, Lines, subscribe};

use crate::{
    telemetry::log::{self, LogFormat},
    tests::{ITEM, TestApp, update},
};

/// The lines of the log of an operator, as JSON.
fn parsed(lines: &Lines) -> Vec<Value> {
    let text = lines.so_far();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The line of a failed call.
fn line(lines: &Lines, call: &str) -> Value {
    parsed(lines)
        .into_iter()
        .find(|line| line["message"] == "upstream call failed" && line["call"] == call)
        .expect("the call has failed")
}

#[tokio::test]
async fn awaited_and_spawned_calls_log_the_id_of_their_request() {
    let lines = Lines::default();
    let writer = lines.clone();
    let layer = log::layer(LogFormat::Json, false, move || writer.clone());
    let filter = log::filter("warn,vincula_upstream=debug");
    let _guard = subscribe(tracing_subscriber::registry().with(layer.with_filter(filter)));

    let mut app = TestApp::entered(update()).await;
    for call in ["list-accounts", "log"] {
        app.upstream.on(call, Act::status(503));
    }
    lines.take();

    let error = json!({ "message": "closed" });
    for (action, input, call) in [
        ("list_accounts", json!({}), "list-accounts"),
        ("report_connect_error", error, "log"),
        ("finish_connect", json!({ "itemId": ITEM }), "log"),
    ] {
        let answer = app.act(action, input).await;
        let id = answer.header_of("x-request-id").unwrap();
        app.drain().await;
        let line = line(&lines, call);
        assert!(
            line["error"].as_str().unwrap().contains("HTTP 503"),
            "{line}"
        );
        for line in parsed(&lines) {
            assert_eq!(line["span"]["request_id"], id, "{action}: {line}");
        }
        lines.take();
    }
}
