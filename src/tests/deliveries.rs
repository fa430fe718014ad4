//! The delivery of a success of Connect to the log of the widget API, while the client goes on.

use std::{collections::HashSet, time::Duration};

use futures_util::future::join_all;
use serde_json::json;
use tokio::time::Instant;

use super::{Act, ITEM, TestApp, no_response};

/// The log call is the only message with a new item's id. It is delivered while the client goes on.
#[tokio::test]
async fn delivers_success_after_log_recovers() {
    let failed =
        |status: u16| json!({ "data": null, "meta": { "status": status, "message": "busy" } });
    let acts = [
        Act::Reset,
        Act::Cut,
        Act::error(503, "busy"),
        Act::error(408, "slow"),
        Act::error(425, "early"),
        Act::error(429, "busy"),
        Act::text(502, "text/html", "<h1>Bad Gateway</h1>"),
        Act::text(200, "text/html", "<h1>Bem-vindo</h1>"),
        Act::json(200, &failed(500)),
        Act::json(200, &failed(429)),
    ];
    join_all(acts.into_iter().map(delivered_after)).await;
}

async fn delivered_after(act: Act) {
    let mut app = TestApp::chosen(json!({})).await;
    app.upstream.forget();
    app.upstream.on("log", act.clone());
    assert_eq!(app.finish().await, json!({ "to": "/integration/success" }));
    app.upstream.received_all(&["POST /log"; 2]).await;
    app.upstream.well("log");
    app.drain().await;
    let calls = app.upstream.calls();
    assert!(calls.len() > 2, "{act:?}: {calls:?}");
    let keys: HashSet<_> = calls
        .iter()
        .map(|call| call.header("idempotency-key"))
        .collect();
    assert!(
        keys.len() == 1
            && keys
                .iter()
                .all(|key| key.is_some_and(|key| key.len() == 36)),
        "{keys:?}"
    );
    assert!(
        calls
            .iter()
            .all(|call| call.data_log()["item"]["id"] == ITEM
                && call.header("x-request-id").is_some())
    );
    let counted = app.state.metrics.exposition();
    assert!(
        counted.contains("vincula_success_deliveries_total{outcome=\"delivered\"} 1\n"),
        "{counted}"
    );
    assert!(
        counted.contains("vincula_success_deliveries_total{outcome=\"given_up\"} 0\n"),
        "{counted}"
    );
}

/// Without `Retry-After`, the second attempt would follow after at most half a second.
#[tokio::test(start_paused = true)]
async fn delivery_waits_for_retry_after() {
    let mut app = TestApp::chosen(json!({})).await;
    app.upstream.forget();
    app.upstream
        .on("log", Act::error(429, "busy").with("retry-after", "7"));
    app.finish().await;
    app.upstream.received_all(&["POST /log"]).await;
    let first = Instant::now();
    app.upstream.received_all(&["POST /log"; 2]).await;
    let waited = first.elapsed();
    assert!(
        (Duration::from_secs(7)..Duration::from_secs(8)).contains(&waited),
        "{waited:?}"
    );
}

/// The pauses are 0.5, 1, 2, 4, 8 and 16 s, less a random part of up to a half.
#[tokio::test(start_paused = true)]
async fn pauses_between_attempts_double() {
    let mut app = TestApp::chosen(json!({})).await;
    app.upstream.forget();
    app.upstream.on("log", Act::error(503, "busy"));
    app.finish().await;
    app.upstream.received_all(&["POST /log"]).await;
    let first = Instant::now();
    for attempts in 2..=7 {
        app.upstream
            .received_all(&vec!["POST /log"; attempts])
            .await;
    }
    let waited = first.elapsed();
    let doubling = Duration::from_millis(31_500);
    assert!(
        (doubling / 2..=doubling + Duration::from_secs(1)).contains(&waited),
        "{waited:?}"
    );
}

/// Pending deliveries of one link are limited, even if the log hangs. The page keeps a rejected
/// item.
#[tokio::test]
async fn limits_pending_deliveries_per_link() {
    let mut app = TestApp::consented(json!({})).await;
    app.upstream.on("log", Act::Hang);
    let item = |at: usize| json!({ "itemId": format!("item-{at}") });
    for at in 0..16 {
        app.done("finish_connect", item(at)).await;
    }
    app.upstream.forget();
    let refused = app.act("finish_connect", item(16)).await;
    assert!(refused.header_of("retry-after").is_some(), "{refused:?}");
    refused.assert_failure(503, &no_response());
    assert_eq!(app.upstream.lines(), [""; 0], "nothing was sent");
    // The connection closes, as after a restart of the log.
    app.upstream.well("log");
    let mut app = app.restarted(&[]);
    app.done("finish_connect", item(16)).await;
    app.upstream.received_all(&["POST /log"]).await;
}

/// The server does not retry a rejected delivery. It logs and counts it, so that an operator can
/// add the item manually.
#[tokio::test]
async fn gives_up_and_counts_rejected_success() {
    let mut app = TestApp::chosen(json!({})).await;
    app.upstream.forget();
    app.upstream.on("log", Act::error(401, "Expired token"));
    app.finish().await;
    app.drain().await;
    app.upstream.only("POST /log");
    let counted = app.state.metrics.exposition();
    assert!(
        counted.contains("vincula_success_deliveries_total{outcome=\"given_up\"} 1\n"),
        "{counted}"
    );
}
