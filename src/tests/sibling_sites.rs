//! Cookies that another site under the same domain can set in addition to ours: other spellings of
//! the name, bytes that are not text, a second session. A browser sends all of them in one line,
//! the other site's first if their path is longer.

use axum::http::{HeaderValue, Method, header::COOKIE};
use serde_json::json;

use super::{Act, Answer, TestApp, bank_form, json_request, navigate, no_session, profile};
use crate::words::CONSENT_VERSION;

const VICTIM: &str = "Padaria Estrela do Sul Ltda";
const ATTACKER: &str = "Outra Empresa Ltda";

/// The victim with their own link open, the id of their session, and both `name=value`: theirs and
/// the attacker's.
async fn victim_and_attacker() -> (TestApp, String, String, String) {
    let mut app = TestApp::start().await;
    app.upstream.on(
        "validate-token",
        Act::data(&profile(json!({ "client_name": ATTACKER }))),
    );
    assert_eq!(app.validate("?token=the-attackers").await.status, 200);
    let theirs = app.pair();
    app.jar.session = None;
    app.upstream
        .on("validate-token", Act::data(&profile(json!({}))));
    app.enter().await;
    let (mine, own) = (app.pair(), app.snapshot().id);
    // From here on, each request has the cookies that a test gives it.
    app.jar.session = None;
    app.upstream.forget();
    (app, own, mine, theirs)
}

/// Requests a page, or sends an action, with this `Cookie` line and ignores cookies in the
/// response.
async fn asked(app: &mut TestApp, path: &str, cookie: &[u8], session: &str) -> Answer {
    let input = json!({ "input": { "session": session, "version": CONSENT_VERSION } });
    let mut request = json_request(path, &input);
    if !path.starts_with("/api/") {
        *request.method_mut() = Method::GET;
    }
    request
        .headers_mut()
        .insert(COOKIE, HeaderValue::from_bytes(cookie).unwrap());
    let answer = app.send(request).await;
    app.jar.session = None;
    answer
}

/// A spelling that browsers accept from any site, and that is equal to the name after decoding.
/// Others: `session/cookie_header.rs`.
#[tokio::test]
async fn ignores_cookie_with_other_spelling_of_name() {
    let (mut app, own, mine, theirs) = victim_and_attacker().await;
    let name = app.state.codec.name();
    let planted = theirs.replacen(name, "__Host%2dvincula", 1);
    asked(&mut app, "/integration/accounts", planted.as_bytes(), "")
        .await
        .assert_redirect("/");
    let line = format!("{planted}; {mine}");
    let consent = asked(&mut app, "/integration/widget", line.as_bytes(), "").await;
    assert_eq!(consent.page(), Some("consent"));
    consent.assert_shows(&[VICTIM]);
    consent.assert_lacks(&[ATTACKER]);
    app.upstream.forget();
    let answer = asked(&mut app, "/api/accept_consent", line.as_bytes(), &own).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let call = app.upstream.only("POST /authorize-customer");
    let bearer = format!("Bearer {}", super::TOKEN);
    assert_eq!(call.header("authorization"), Some(&*bearer));
}

/// Supported browsers never send two sessions. The server accepts neither, so that a client cannot
/// act in another person's session. It also rejects values that it has not sealed.
#[tokio::test]
async fn rejects_several_different_sessions() {
    let (mut app, own, mine, theirs) = victim_and_attacker().await;
    let name = app.state.codec.name();
    let (start, end) = mine.split_at(mine.len() / 2);
    for line in [
        format!("{mine}; {theirs}"),
        format!("{theirs}; {mine}; {mine}"),
        String::new(),
        format!("{name}=a"),
        format!("{name}=%00%ff"),
        start.to_owned(),
        format!("{name}={end}"),
        format!("{mine}AAAA"),
    ] {
        for path in [
            "/integration/widget",
            "/integration/accounts",
            "/integration/new",
            "/cancel/confirm",
        ] {
            let answer = asked(&mut app, path, line.as_bytes(), "").await;
            answer.assert_redirect("/");
            assert_eq!(
                answer.header_of("set-cookie"),
                None,
                "the other's would be left alone"
            );
        }
        for action in ["accept_consent", "list_accounts", "cancel_integrations"] {
            let answer = asked(&mut app, &format!("/api/{action}"), line.as_bytes(), &own).await;
            answer.assert_failure(401, &no_session());
        }
    }
    assert_eq!(app.upstream.lines(), [""; 0]);
}

/// Any site can navigate the browser to the return address of banks. Before Connect is open, this
/// is not a success, and the session continues where it was.
#[tokio::test]
async fn other_site_cannot_claim_success_before_connect_opens() {
    let mut saved_again = TestApp::opened(json!({})).await;
    saved_again.done("save_bank_form", bank_form()).await;
    for (mut app, goes_on) in [
        (TestApp::entered(json!({})).await, "/integration/widget"),
        (TestApp::consented(json!({})).await, "/integration/accounts"),
        (TestApp::chosen(json!({})).await, "/integration/widget"),
        (saved_again, "/integration/widget"),
    ] {
        let before = app.snapshot();
        app.upstream.forget();
        let entry = app
            .ask(
                "GET",
                "/?of-success",
                &[("sec-fetch-site", "cross-site")],
                "",
            )
            .await;
        assert_eq!(entry.page(), Some("entry"));
        assert_eq!(
            app.validate("?of-success").await.to(),
            format!("{goes_on}"),
            "{:?}",
            before.visit
        );
        let validation = app.upstream.only("POST /validate-token");
        assert_eq!(
            validation.body["no_validate"], "of-success",
            "it is validated as a return all the same"
        );
        app.post_form("/?of-success", "")
            .await
            .assert_redirect(goes_on);
        let after = app.snapshot();
        assert_eq!(
            (&after.visit, &after.linking),
            (&before.visit, &before.linking)
        );
        app.act("confirm_success", json!({}))
            .await
            .assert_failure(422, &navigate("/integration/new"));
        assert!(!app.upstream.lines().contains(&"POST /success".to_owned()));
    }
}
