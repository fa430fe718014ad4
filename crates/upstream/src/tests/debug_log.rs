//! The debug log of the calls: what a developer needs, and no personal data.

use serde_json::Value;
use vincula_testing::log_of_this_thread;

use super::{
    contract::{answering, request_of, response_of},
    *,
};

#[tokio::test]
async fn logs_calls_without_bodies() {
    let (lines, _guard) = log_of_this_thread();
    for &call in Call::ALL {
        let response = response_of(call);
        let (_server, upstream) = answering(200, &response).await;
        make_call(call, &upstream, &caller()).await.unwrap();
        let log = lines.take();
        for part in [call.path(), "status=200", "ms=", "bytes="] {
            assert!(log.contains(part), "{part}: {log}");
        }
        assert!(!log.contains("body") && !log.contains('{'), "{log}");
        assert!(!log.contains("WARN"), "nothing is wrong: {log}");
        let response = serde_json::from_str(&response).unwrap();
        let bodies = [request_of(call), Some(&response)];
        let personal = bodies.into_iter().flatten().flat_map(texts);
        for text in personal.chain([TOKEN, XSRF]) {
            assert!(!log.contains(text), "{text}: {log}");
        }
    }
}

/// The texts in a body, without those that are too short to be distinctive.
fn texts(body: &Value) -> Vec<&str> {
    match body {
        Value::String(text) if text.len() > 4 => vec![text],
        Value::Array(values) => values.iter().flat_map(texts).collect(),
        Value::Object(fields) => fields.values().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}

#[tokio::test]
async fn logs_reason_if_upstream_does_not_respond() {
    let (lines, _guard) = log_of_this_thread();
    let upstream = upstream("http://127.0.0.1:9", Duration::from_mins(1));
    make_call(Call::ListBanks, &upstream, &caller())
        .await
        .unwrap_err();
    let log = lines.take();
    assert!(
        log.contains(
            "upstream call failed call=\"list-banks\" outcome=\"connection_refused\" \
             error=no response from the upstream: connection refused"
        ) && !log.contains("status="),
        "{log}"
    );
}

#[tokio::test]
async fn warns_of_a_response_that_is_not_the_upstreams() {
    let (lines, _guard) = log_of_this_thread();
    for &call in Call::ALL {
        let (_server, upstream) = answering(403, "<html>Just a moment…</html>").await;
        make_call(call, &upstream, &caller()).await.unwrap_err();
        let log = lines.take();
        for part in ["WARN", "outcome=\"unexpected_response\"", "HTTP 403"] {
            assert!(log.contains(part), "{part}: {log}");
        }
    }
}

/// HTTP libraries log headers at `trace`.
#[test]
fn secret_header_has_no_text_in_log() {
    assert_eq!(format!("{:?}", crate::send::secret(TOKEN)), "Sensitive");
}
