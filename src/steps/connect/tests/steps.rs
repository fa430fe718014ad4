//! The steps inside Connect, which its page reports for metrics.

use std::collections::HashMap;

use serde_json::json;
use strum::IntoEnumIterator;

use crate::telemetry::FunnelStep;
use crate::tests::{TestApp, navigate, update};

/// The steps as the funnel names them; the page leaves out `connect_`.
const STEPS: [&str; 6] = [
    "connect_institution",
    "connect_consent",
    "connect_login",
    "connect_login_accepted",
    "connect_mfa",
    "connect_mfa_accepted",
];

/// How often each step was reached.
fn counted(app: &TestApp) -> HashMap<&'static str, u32> {
    let text = app.state.metrics.exposition();
    // No bank is a label, because there are hundreds. Values are removed, because they may contain
    // any digits.
    assert!(
        text.lines().all(|line| line
            .rsplit_once(' ')
            .is_none_or(|(series, _)| !series.contains("601"))),
        "{text}"
    );
    let count = |step: &'static str| {
        let line = format!("vincula_journey_steps_total{{step=\"{step}\"}} ");
        (
            step,
            text.lines()
                .find_map(|found| found.strip_prefix(&line)?.parse().ok())
                .unwrap(),
        )
    };
    FunnelStep::iter()
        .map(<&str>::from)
        .chain(STEPS)
        .map(count)
        .collect()
}

#[tokio::test]
async fn only_counts_each_step() {
    for changes in [json!({}), update()] {
        let mut app = TestApp::chosen(changes).await;
        app.done("open_connect", json!({})).await;
        app.drain().await;
        app.upstream.forget();
        let before = app.snapshot();
        for step in STEPS {
            let (mut expected, name) = (counted(&app), &step["connect_".len()..]);
            *expected.get_mut(step).unwrap() += 2;
            for connector in [json!(601), json!(null)] {
                let answer = app
                    .act(
                        "report_connect_step",
                        json!({ "step": name, "connector": connector }),
                    )
                    .await;
                assert_eq!((answer.status, answer.json()), (200, json!({})));
                assert_eq!(answer.header_of("set-cookie"), None, "{name}");
            }
            assert_eq!(counted(&app), expected, "{name}");
        }
        let expected = counted(&app);
        for step in ["", "LOGIN_SUCCESS", "linked", "connect_login", "login\"} 9"] {
            let answer = app
                .act("report_connect_step", json!({ "step": step }))
                .await;
            assert_eq!(answer.status, 400, "{step}");
        }
        app.drain().await;
        assert_eq!(
            (counted(&app), app.snapshot(), app.upstream.lines()),
            (expected, before, vec![])
        );
    }
    let mut early = TestApp::entered(json!({})).await;
    let answer = early
        .act("report_connect_step", json!({ "step": "login" }))
        .await;
    answer.assert_failure(422, &navigate("/integration/widget"));
    assert_eq!(counted(&early)["connect_login"], 0);
}
