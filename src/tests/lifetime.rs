//! A session ends some hours after its link was opened, however much it is used.

use serde_json::json;

use super::{LINK, TestApp, navigate};
use crate::session::Session;

/// Twelve hours, in seconds.
const LONGEST: u64 = 43_200;

impl TestApp {
    /// The link was opened this long ago, in seconds, and the session has been used ever since.
    fn open_for(&mut self, seconds: u64) {
        let session = self.session().unwrap();
        let now = self.codec.now();
        self.hold(&Session { began_at: now - seconds, seen_at: now, ..session });
    }
}

#[tokio::test]
async fn a_session_that_is_used_ends_all_the_same() {
    let mut app = TestApp::linked(json!({})).await;
    app.open_for(LONGEST - 60);
    assert_eq!(app.get("/integration/accounts").await.page(), Some("accounts"));
    app.open_for(LONGEST);
    app.upstream.forget();
    app.get("/integration/accounts").await.assert_redirect("/");
    app.act("cancel_integrations", json!({})).await.assert_failure(401, &navigate("/"));
    app.get("/?of-success").await.assert_redirect("/error/token-not-found");
    assert_eq!(app.upstream.lines(), [""; 0]);
}

#[tokio::test]
async fn no_use_of_it_puts_its_end_off() {
    let mut app = TestApp::chosen(json!({})).await;
    app.open_for(LONGEST - 600);
    let began_at = app.session().unwrap().began_at;
    let session = app.session().unwrap();
    app.hold(&Session { seen_at: app.codec.now() - 7_000, ..session });
    for answer in [
        app.get("/integration/accounts").await,
        app.act("accept_consent", json!({})).await,
        app.act("list_banks", json!({})).await,
        // A return from the bank has the cookie only.
        app.validate("?of-success").await,
    ] {
        let Some(cookie) = answer.header_of("set-cookie") else { continue };
        let (_, rest) = cookie.split_once("Max-Age=").unwrap();
        let max_age: u64 = rest.split(';').next().unwrap().parse().unwrap();
        assert!((590..=600).contains(&max_age), "the browser keeps it no longer than it lives: {max_age}");
    }
    assert_eq!(app.session().unwrap().began_at, began_at);
}

/// Opening the link again proves as much as the first time.
#[tokio::test]
async fn its_link_begins_it_anew_and_loses_nothing() {
    let mut app = TestApp::consented(json!({})).await;
    app.open_for(LONGEST - 600);
    let (before, now) = (app.snapshot(), app.codec.now());
    app.enter().await;
    assert!(app.session().unwrap().began_at >= now);
    assert_eq!(app.snapshot(), before);
    app.open_for(LONGEST - 600);
    app.post_form(&format!("{LINK}&of-success"), String::new())
        .await
        .assert_redirect("/integration/success?validado=1");
    assert!(app.session().unwrap().began_at >= now);
}
