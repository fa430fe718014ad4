//! The debug log of the calls: what a developer needs, and no personal data.

use vincula_testing::log_of_this_thread;

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
async fn logs_calls_without_bodies() {
    let (lines, _guard) = log_of_this_thread();
    for &call in Call::ALL {
        let (_server, upstream) = answering(200, samples(call).1).await;
        make(call, &upstream, &caller()).await.unwrap();
        let log = lines.take();
        for part in [call.path(), "status=200", "ms=", "bytes="] {
            assert!(log.contains(part), "{part}: {log}");
        }
        assert!(!log.contains("body") && !log.contains('{'), "{log}");
        assert!(PERSONAL.iter().all(|secret| !log.contains(secret)), "{log}");
    }
}

#[tokio::test]
async fn logs_reason_if_upstream_does_not_respond() {
    let (lines, _guard) = log_of_this_thread();
    let upstream = upstream("http://127.0.0.1:9", Duration::from_secs(60));
    make(Call::ListBanks, &upstream, &caller())
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

/// HTTP libraries log headers at `trace`.
#[test]
fn secret_header_has_no_text_in_log() {
    assert_eq!(format!("{:?}", crate::send::secret(TOKEN)), "Sensitive");
}
