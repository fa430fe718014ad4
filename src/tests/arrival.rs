//! The validation answered with the document of its step.

use axum::{
    body::Body,
    http::{
        Method, Request,
        header::{ACCEPT, CONTENT_TYPE},
    },
};
use serde_json::json;

use super::{Act, Answer, LINK, TOKEN, TOKEN_MARK, TestApp, profile, same_origin, site};

/// The validation as the entry's script sends it.
fn validation(query: &str) -> Request<Body> {
    validation_for("text/html", query)
}

/// The validation with this `Accept`.
fn validation_for(accept: &str, query: &str) -> Request<Body> {
    same_origin(Method::POST, "/api/validate_token")
        .header(CONTENT_TYPE, "application/json")
        .header(ACCEPT, accept)
        .body(Body::from(json!({ "input": { "query": query } }).to_string()))
        .unwrap()
}

async fn arrive(app: &mut TestApp, widget_type: &str, query: &str) -> Answer {
    app.upstream.on("validate-token", Act::data(&profile(json!({ "widget_type": widget_type }))));
    app.send(validation(query)).await
}

#[tokio::test]
async fn a_validated_link_is_answered_with_its_step_as_a_get_would_show_it() {
    for (widget_type, extra, path, page) in [
        ("new", "", "/integration/widget", "consent"),
        ("cancel", "", "/cancel/confirm", "cancel-confirm"),
        ("new", "&of-success", "/integration/success", "success"),
    ] {
        let mut app = TestApp::start().await;
        let answer = arrive(&mut app, widget_type, &format!("{}{extra}", &LINK[1..])).await;
        assert_eq!((answer.status, answer.page()), (200, Some(page)), "{path}");
        assert_eq!(answer.header_of("content-location"), Some(path));
        assert!(answer.header_of("set-cookie").is_some(), "{path}");
        assert_eq!(answer.header_of("cache-control"), Some("no-store"));
        assert_eq!(app.upstream.only("POST /validate-token").body["token"], TOKEN);
        let shown = app.get(path).await;
        assert_eq!(body(&answer), body(&shown), "{path}");
        assert!(!answer.text.contains("<style") && !answer.text.contains("stylesheet"), "the entry has them");
        assert!(!answer.text.contains(TOKEN_MARK), "the token is in no document");
    }
}

#[tokio::test]
async fn a_link_that_was_consented_to_is_answered_with_its_accounts() {
    let mut app = TestApp::consented(json!({})).await;
    let answer = arrive(&mut app, "new", &LINK[1..]).await;
    assert_eq!((answer.status, answer.page()), (200, Some("accounts")));
    assert_eq!(answer.header_of("content-location"), Some("/integration/accounts"));
    assert!(!app.upstream.lines().contains(&"GET /list-accounts".to_owned()), "the island lists them");
}

/// The page with Connect has policies of its own, which only a document of its own can have.
#[tokio::test]
async fn an_update_says_where_to_go() {
    let mut app = TestApp::start().await;
    let answer = arrive(&mut app, "update", &LINK[1..]).await;
    assert_eq!((answer.status, answer.page()), (200, None));
    assert_eq!(answer.header_of("content-location"), Some("/integration/update?validado=1"));
    assert_eq!(answer.json()["to"], "/integration/update?validado=1");
    assert!(answer.header_of("set-cookie").is_some());
}

#[tokio::test]
async fn a_link_that_is_refused_says_which_error_screen() {
    let mut app = TestApp::start().await;
    let answer = app.send(validation("?x=1")).await;
    assert_eq!((answer.status, answer.page()), (400, None));
    assert!(answer.header_of("content-location").unwrap().starts_with("/error/token-not-found?codigo="));
    app.upstream.on("validate-token", Act::error(404, "no such token"));
    let answer = app.send(validation(&LINK[1..])).await;
    assert!(answer.header_of("content-location").unwrap().starts_with("/error/token-not-exists?codigo="));
    assert_eq!(answer.header_of("set-cookie"), None);
}

/// What reaches no action: no page of ours sends it.
#[tokio::test]
async fn a_validation_that_is_none_says_token_invalid() {
    let mut app = TestApp::start().await;
    let request = validation("").map(|_| Body::from("{"));
    let answer = app.send(request).await;
    assert_eq!((answer.status, answer.page()), (400, None));
    assert!(answer.header_of("content-location").unwrap().starts_with("/error/token-invalid?codigo="));
}

#[tokio::test]
async fn an_upstream_that_does_not_answer_leaves_the_entry_where_it_is() {
    let mut app = TestApp::start().await;
    app.upstream.on("validate-token", Act::Reset);
    let answer = app.send(validation(&LINK[1..])).await;
    assert_eq!((answer.header_of("content-location"), answer.page()), (None, None));
    assert_eq!(answer.json()["kind"], "no_reply");
}

/// RFC 9110, sections 12.5.1 and 12.5.5.
#[tokio::test]
async fn a_document_is_for_whoever_accepts_html_and_every_answer_says_on_what_it_depends() {
    let mut app = TestApp::start().await;
    app.upstream.on("validate-token", Act::data(&profile(json!({}))));
    for (accept, is_page) in [
        ("text/html", true),
        ("Text/HTML;charset=utf-8", true),
        ("application/json, text/html;q=0.5", true),
        ("text/html;q=0", false),
        ("text/html; q=0.000", false),
        ("text/htmlx", false),
        ("application/json", false),
        ("*/*", false),
    ] {
        let answer = app.send(validation_for(accept, &LINK[1..])).await;
        assert_eq!((answer.status, answer.page().is_some()), (200, is_page), "{accept}");
        let vary: Vec<_> = answer.headers.get_all("vary").iter().map(|value| value.to_str().unwrap()).collect();
        assert!(vary.join(",").split(',').any(|name| name.trim() == "accept"), "{accept}: {vary:?}");
    }
}

/// Only the validation is answered with a page, and only if the browser can show it.
#[tokio::test]
async fn everything_else_is_answered_as_before() {
    let mut app = TestApp::start().await;
    app.upstream.on("validate-token", Act::data(&profile(json!({}))));
    let answer = app.validate(&LINK[1..]).await;
    assert_eq!(
        (answer.json()["to"].as_str(), answer.header_of("content-location")),
        (Some("/integration/widget?validado=1"), Some("/integration/widget?validado=1"))
    );
    let session = app.session().unwrap().id;
    let request = same_origin(Method::POST, "/api/accept_consent")
        .header(CONTENT_TYPE, "application/json")
        .header(ACCEPT, "text/html");
    let body = json!({ "input": { "session": session, "text": &site::TEXT_OF_COMPANY[..8] } }).to_string();
    let answer = app.send(request.body(Body::from(body)).unwrap()).await;
    assert_eq!((answer.status, answer.json()["to"].as_str()), (200, Some("/integration/accounts")));
}

fn body(answer: &Answer) -> &str {
    let (_, body) = answer.text.split_once("<body").unwrap();
    body.split_once("</body>").unwrap().0
}
