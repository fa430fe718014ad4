//! Requests that another site makes with the browser of a client (docs/security.md).

use serde_json::json;

use crate::routes::is_action;

use super::{FORM, OWN, TestApp, requests::*};

#[tokio::test]
async fn rejects_requests_from_other_sites() {
    let mut app = ready().await;
    let before = app.snapshot();
    for (path, kind, body) in acts(&before.id) {
        let headers = [
            kind,
            ("accept", "text/html"),
            ("sec-fetch-site", "cross-site"),
        ];
        let answer = app.ask("POST", &path, &headers, body).await;
        assert_refused(&answer, &[403], &path, "of another site");
    }
    assert_eq!((app.snapshot(), app.upstream.lines()), (before, vec![]));
}

/// If a bank sends the client back by POST, the response links to the same address by GET.
#[tokio::test]
async fn cross_site_post_to_return_address_shows_link_to_continue() {
    let mut app = TestApp::entered(json!({})).await;
    let answer = app
        .ask(
            "POST",
            "/?of-success",
            &[("sec-fetch-site", "cross-site")],
            "",
        )
        .await;
    assert_refused(&answer, &[403], "/", "a return by POST");
    answer.assert_shows(&["href=\"\""]);
    assert_eq!(app.get("/?of-success").await.page(), Some("entry"));
}

/// The server does not accept what a plain form of another site could post.
#[tokio::test]
async fn actions_accept_only_json() {
    let mut app = ready().await;
    let before = app.snapshot();
    let actions = acts(&before.id)
        .into_iter()
        .filter(|(path, ..)| is_action(path));
    for (path, _, body) in actions {
        let answer = app.ask("POST", &path, &[OWN, FORM], body).await;
        assert_refused(&answer, &[415], &path, "a form");
    }
    assert_eq!((app.snapshot(), app.upstream.lines()), (before, vec![]));
}
