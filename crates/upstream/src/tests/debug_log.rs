//! The debug log of the calls: what a developer reads, and what nobody may read.

use serde_json::json;
use vincula_faulty::lines::log_of_this_thread;

use super::{
    contract::{answering, samples},
    *,
};

/// What the samples hold of people, and what opens something.
const PERSONAL: [&str; 10] = [
    TOKEN,
    "x%3D%3D",
    "sample.connect-token",
    "Padaria",
    "Contábil",
    "Ana Souza",
    "12.ABC.345",
    "529.982",
    "52998224725",
    "Beatriz",
];

#[tokio::test]
async fn a_real_upstreams_bodies_are_never_logged() {
    let (lines, _guard) = log_of_this_thread();
    for call in Call::ALL {
        let (_server, upstream) = answering(200, samples(call).1).await;
        make(call, &upstream, &caller()).await.unwrap();
        let log = lines.take();
        for part in [call.path(), call.method().as_str(), "status=200", "outcome=\"ok\"", "ms=", "bytes="] {
            assert!(log.contains(part), "{part}: {log}");
        }
        assert!(!log.contains("body") && !log.contains('{'), "{log}");
        assert!(PERSONAL.iter().all(|secret| !log.contains(secret)), "{log}");
    }
}

#[tokio::test]
async fn the_sandboxs_bodies_are_logged_without_tokens_documents_and_names() {
    let (lines, _guard) = log_of_this_thread();
    for call in Call::ALL {
        let (_server, upstream) = answering(200, samples(call).1).await;
        make(call, &upstream.with_bodies_in_log(), &caller()).await.unwrap();
        let log = lines.take();
        assert!(log.contains("sent=") && log.contains("answered="), "{log}");
        assert!(PERSONAL.iter().all(|secret| !log.contains(secret)), "{log}");
        if call == Call::ListBanks {
            assert!(log.contains("Banco do Brasil"), "a bank is nobody: {log}");
        }
    }
    let banks = json!({ "data": vec![json!({ "code": "001", "name": "Banco do Brasil" }); 100] });
    let (_server, upstream) = answering(200, &banks.to_string()).await;
    upstream.with_bodies_in_log().list_banks(&caller()).await.unwrap();
    let log = lines.take();
    let line = log.lines().find(|line| line.contains("answered=")).unwrap();
    assert!(line.ends_with('…') && line.chars().count() < 1_200, "a long list is cut: {line}");
    let (_server, upstream) =
        answering(404, r#"{"data":null,"meta":{"status":404,"message":"529.982.247-25?"}}"#).await;
    let data = json!({ "message": "Beatriz 529.982.247-25", "item": { "id": ITEM } });
    let entry = LogEntry { kind: LogType::WidgetError, status: LogStatus::Error, data };
    upstream.with_bodies_in_log().log(&caller(), &entry).await.unwrap_err();
    let log = lines.take();
    assert!(log.contains(ITEM) && log.contains("token_not_found") && log.contains("[redacted]?"), "{log}");
    assert!(PERSONAL.iter().all(|secret| !log.contains(secret)), "{log}");
}

#[tokio::test]
async fn an_upstream_that_does_not_answer_is_logged_with_the_reason() {
    let (lines, _guard) = log_of_this_thread();
    let upstream = upstream("http://127.0.0.1:9", Duration::from_secs(60));
    make(Call::ListBanks, &upstream, &caller()).await.unwrap_err();
    let log = lines.take();
    assert!(log.contains("outcome=\"connection_refused\" error=no reply") && !log.contains("status="), "{log}");
}
