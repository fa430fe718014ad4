//! The server logs and counts a success of Connect that it cannot deliver.

use std::future::{pending, ready};

use tokio_util::sync::CancellationToken;
use wiremock::{
    Mock, MockServer, ResponseTemplate,
    matchers::{any, path},
};

use super::{panics::log_of_this_thread, *};

const ITEM: &str = "0c9d7a54-3f0e-4a8b-8d6f-6f1c2b3a4d05";

/// A finished Connect, with an upstream that answers log calls with `log`. Returns the server and
/// the support code, too.
async fn finished(log: ResponseTemplate) -> (MockServer, TestServer, String) {
    let upstream = MockServer::start().await;
    let data =
        json!({ "customer_id": 1, "widget_type": "update", "client_name": "A", "link_id": "b" });
    let answer = json!({ "data": data, "meta": { "status": 200 } });
    Mock::given(path("/log"))
        .respond_with(log)
        .mount(&upstream)
        .await;
    Mock::given(any())
        .respond_with(ResponseTemplate::new(200).set_body_json(answer))
        .mount(&upstream)
        .await;
    let server = TestServer::on(&upstream.uri());
    let mut visitor = server.entered("a-secret-token").await;
    let seen = visitor
        .step("finish_connect", json!({ "itemId": ITEM }))
        .await;
    assert_eq!(
        seen.json(),
        json!({ "to": "/integration/success" }),
        "the person does not wait"
    );
    let code = seen.headers["x-request-id"].to_str().unwrap().to_owned();
    (upstream, server, code)
}

/// The end of the process drops the calls in flight.
#[test]
fn logs_success_lost_at_process_end() {
    let (lines, _guard) = log_of_this_thread();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let hangs = ResponseTemplate::new(200).set_delay(Duration::from_secs(3_600));
    let (_upstream, server, code) = runtime.block_on(finished(hangs));
    drop(runtime);
    let log = lines.take();
    let said = |line: &&str| {
        ["ERROR", "success of Connect not delivered", ITEM, &code]
            .iter()
            .all(|part| line.contains(part))
    };
    assert_eq!(log.lines().filter(said).count(), 1, "{log}");
    assert!(!log.contains("a-secret-token"), "{log}");
    let counted = server.state.metrics.exposition();
    assert!(
        counted.contains("vincula_success_deliveries_total{outcome=\"given_up\"} 1\n"),
        "{counted}"
    );
}

/// How the server ends after a stop, with an item under way, and a further signal once the log has
/// `line`.
async fn stopped(answer: ResponseTemplate, line: Option<&str>) -> (bool, String) {
    let (lines, _guard) = log_of_this_thread();
    let (_upstream, server, code) = finished(answer).await;
    let listener = crate::server::listen::listen("", "127.0.0.1:0".parse().unwrap()).unwrap();
    let TestServer {
        router, upstream, ..
    } = server;
    let further_signal = async {
        let Some(line) = line else {
            return pending().await;
        };
        while !lines.so_far().contains(line) {
            tokio::task::yield_now().await;
        }
    };
    let finished = crate::server::serve(
        router,
        listener,
        CancellationToken::new(),
        upstream,
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
    let hangs = ResponseTemplate::new(200).set_delay(Duration::from_secs(3_600));
    let busy = ResponseTemplate::new(503).set_body_json(json!({ "meta": { "status": 503 } }));
    for (answer, line, is_delivered) in [
        (hangs, Some("listening"), false),
        (busy, Some("not delivered yet"), false),
        (ResponseTemplate::new(200), None, true),
    ] {
        let (finished, log) = stopped(answer, line).await;
        assert_eq!(finished, is_delivered, "{log}");
    }
}
