//! Nothing personal and nothing secret gets into the log, at any level.

use crate::tests::lines::Lines;
use tracing_subscriber::{fmt, layer::SubscriberExt, util::SubscriberInitExt};

use super::{
    journeys::{PERSONAL, every_journey},
    *,
};

#[tokio::test]
async fn nothing_personal_is_logged_on_any_way_through_the_product() {
    let lines = Lines::default();
    let writer = lines.clone();
    let layer = fmt::layer().with_ansi(false).with_writer(move || writer.clone());
    // For the whole process, because concurrent tests must not log such data either.
    tracing_subscriber::registry().with(layer).try_init().unwrap();
    let server = TestServer::on_the_sandbox().await;
    let secrets = every_journey(&server).await;
    let log = lines.take();
    for evidence in ["/api/accept_consent", "/integration/success", "upstream call failed", "island failed"] {
        assert!(log.contains(evidence), "the log has been captured: {evidence}");
    }
    let found = |value: &&str| log.lines().find(|line| line.contains(value)).map(|line| format!("{value}: {line}"));
    let leaks: Vec<_> =
        secrets.iter().map(String::as_str).chain(PERSONAL.iter().copied()).filter_map(|value| found(&value)).collect();
    assert!(leaks.is_empty(), "{leaks:#?}");
}
