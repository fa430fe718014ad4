//! Each line of a request has its ids, wherever it is written.

use serde_json::{Value, json};
use tracing_subscriber::layer::SubscriberExt;
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

/// Waits for a line with this message.
async fn line(lines: &Lines, message: &str) -> Value {
    loop {
        if let Some(line) = parsed(lines)
            .into_iter()
            .find(|line| line["message"] == message)
        {
            return line;
        }
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn detached_calls_and_deliveries_log_the_ids_of_their_request() {
    let lines = Lines::default();
    let writer = lines.clone();
    let layer = log::layer(LogFormat::Json, false, move || writer.clone());
    let filter = log::filter("warn,vincula_upstream=debug").unwrap();
    let log_layer = log::lines(filter, layer);
    let _guard = subscribe(tracing_subscriber::registry().with(log_layer));

    let mut app = TestApp::entered(update()).await;
    for call in ["list-accounts", "log"] {
        app.upstream.on(call, Act::status(503));
    }
    lines.take();

    let error = json!({ "message": "closed" });
    for (action, input, message) in [
        ("list_accounts", json!({}), "upstream call failed"),
        ("report_connect_error", error, "log call failed"),
        (
            "finish_connect",
            json!({ "itemId": ITEM }),
            "success of Connect not delivered yet",
        ),
    ] {
        let answer = app.act(action, input).await;
        let id = answer.header_of("x-request-id").unwrap();
        let line = line(&lines, message).await;
        assert_eq!(line["request_id"], id, "{action}: {line}");
        let trace = line["trace_id"].as_str().unwrap();
        assert_eq!(trace.len(), 32, "{line}");
        for line in parsed(&lines) {
            assert_eq!(line["request_id"], id, "{action}: {line}");
            assert_eq!(line["trace_id"], trace, "{action}: {line}");
        }
        lines.take();
    }
}
