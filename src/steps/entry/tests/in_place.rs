//! Responses to the validation with the document of the next step.

use serde_json::json;

use crate::tests::{Act, Answer, JSON, LINK, OWN, TOKEN, TOKEN_MARK, TestApp, profile, site};
use crate::words::CONSENT_VERSION;

/// Sends the validation as the entry's script does.
async fn arrive(app: &mut TestApp, query: &str) -> Answer {
    arrive_for(
        app,
        "text/html",
        &json!({ "input": { "query": query } }).to_string(),
    )
    .await
}

/// Sends the validation with this `Accept`.
async fn arrive_for(app: &mut TestApp, accept: &str, body: &str) -> Answer {
    app.ask(
        "POST",
        "/api/validate_token",
        &[OWN, JSON, ("accept", accept)],
        body.to_owned(),
    )
    .await
}

async fn of_type(widget_type: &str) -> TestApp {
    let app = TestApp::start().await;
    app.upstream.on(
        "validate-token",
        Act::data(&profile(json!({ "widget_type": widget_type }))),
    );
    app
}

#[tokio::test]
async fn validation_returns_document_of_step_as_get_would() {
    for (mut app, extra, path, page) in [
        (of_type("new").await, "", "/integration/widget", "consent"),
        (
            of_type("cancel").await,
            "",
            "/cancel/confirm",
            "cancel-confirm",
        ),
        (
            of_type("new").await,
            "&of-success",
            "/integration/success",
            "success",
        ),
        (
            TestApp::consented(json!({})).await,
            "",
            "/integration/accounts",
            "accounts",
        ),
    ] {
        app.upstream.forget();
        let answer = arrive(&mut app, &format!("{}{extra}", &LINK[1..])).await;
        assert_eq!((answer.status, answer.page()), (200, Some(page)), "{path}");
        assert_eq!(answer.header_of("content-location"), Some(path));
        assert!(answer.header_of("set-cookie").is_some(), "{path}");
        assert_eq!(answer.header_of("cache-control"), Some("no-store"));
        assert_eq!(
            app.upstream.only("POST /validate-token").body["token"],
            TOKEN
        );
        assert_eq!(
            app.upstream.lines().len(),
            1,
            "the island lists the accounts"
        );
        let shown = app.get(path).await;
        assert_eq!(body(&answer), body(&shown), "{path}");
        // The entry already has the styles, and no document contains the token. The entry reads the
        // address of the page's module from the step.
        answer.assert_lacks(&["<style", "stylesheet", TOKEN_MARK, "missing();"]);
        answer.assert_shows(&["type=\"module\"", &format!("src=\"{}\"", site::PAGE_JS)]);
    }
}

/// Connect's page has other policies, so it needs a document of its own.
#[tokio::test]
async fn update_returns_address_instead_of_document() {
    let answer = arrive(&mut of_type("update").await, &LINK[1..]).await;
    assert_eq!((answer.status, answer.page()), (200, None));
    assert_eq!(
        answer.header_of("content-location"),
        Some("/integration/update")
    );
    assert_eq!(answer.to(), "/integration/update");
    assert!(answer.header_of("set-cookie").is_some());
}

/// Without a response from the upstream, the entry stays.
#[tokio::test]
async fn rejected_link_names_error_screen() {
    let (link, other) = (
        json!({ "input": { "query": &LINK[1..] } }).to_string(),
        r#"{"input":{"query":"?x=1"}}"#,
    );
    for (act, body, slug) in [
        (Act::Reset, other, Some("token-not-found")),
        (Act::Reset, "{", Some("token-invalid")),
        (
            Act::error(404, "no such token"),
            &*link,
            Some("token-not-exists"),
        ),
        (Act::Reset, &link, None),
    ] {
        let mut app = TestApp::start().await;
        app.upstream.on("validate-token", act);
        let answer = arrive_for(&mut app, "text/html", body).await;
        assert_eq!(
            (answer.page(), answer.header_of("set-cookie")),
            (None, None),
            "{slug:?}"
        );
        let expected = slug.map(|slug| format!("/error/{slug}"));
        let to = answer
            .header_of("content-location")
            .map(|to| answer.without_code(to).to_owned());
        assert_eq!(to, expected);
        assert_eq!(
            answer.json().get("navigate").is_some(),
            slug.is_some(),
            "{slug:?}"
        );
    }
}

/// RFC 9110, section 12.5.5.
#[tokio::test]
async fn returns_document_only_if_accept_names_html() {
    let mut app = of_type("new").await;
    let link = json!({ "input": { "query": &LINK[1..] } }).to_string();
    for (accept, is_page) in [
        ("text/html", true),
        ("text/html, */*", false),
        ("application/json", false),
        ("*/*", false),
    ] {
        let answer = arrive_for(&mut app, accept, &link).await;
        assert_eq!(
            (answer.status, answer.page().is_some()),
            (200, is_page),
            "{accept}"
        );
        assert_eq!(
            answer.header_of("content-location"),
            Some("/integration/widget"),
            "{accept}"
        );
        let vary: Vec<_> = answer
            .headers
            .get_all("vary")
            .iter()
            .map(|value| value.to_str().unwrap())
            .collect();
        assert!(
            vary.join(",")
                .split(',')
                .any(|name| name.trim() == "accept"),
            "{accept}: {vary:?}"
        );
    }
    // Only the validation returns a page.
    let input = json!({ "session": app.session().unwrap().id, "version": CONSENT_VERSION });
    let body = json!({ "input": input }).to_string();
    let answer = app
        .ask(
            "POST",
            "/api/accept_consent",
            &[OWN, JSON, ("accept", "text/html")],
            body,
        )
        .await;
    assert_eq!(
        (answer.status, answer.to()),
        (200, "/integration/accounts".to_owned())
    );
}

/// The body of a document, without the seconds that the line of the last linking is still shown.
fn body(answer: &Answer) -> String {
    let (_, body) = answer.text.split_once("<body").unwrap();
    let (body, _) = body.split_once("</body>").unwrap();
    match body.split_once("\"shownSecs\":") {
        Some((before, after)) => {
            before.to_owned() + after.trim_start_matches(|c: char| c.is_ascii_digit())
        }
        None => body.to_owned(),
    }
}
