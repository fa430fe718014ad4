//! Cookies that another site under the same domain can set beside ours: other spellings of its name, bytes that are no
//! text, a second session. A browser sends all of them in one line, the other site's first if their path is longer.

use axum::{
    body::Body,
    http::{
        HeaderValue, Method, Request,
        header::{CONTENT_TYPE, COOKIE, HOST},
    },
};
use serde_json::json;

use super::{Answer, HOST_NAME, TestApp, navigate, network::Network, profile, same_origin, scripted::Act};

const VICTIM: &str = "Padaria Estrela do Sul Ltda";
const ATTACKER: &str = "Outra Empresa Ltda";

/// Spellings of `__Host-vincula` that browsers accept from any site, and that are the same once decoded.
const SPELLINGS: [&str; 5] = [
    "__Host%2dvincula",
    "__Host%2Dvincula",
    "%5f%5fHost-vincula",
    "__Host-vincul%61",
    "%5F%5F%48%6F%73%74%2D%76%69%6E%63%75%6C%61",
];

/// The victim with their own link open, and the sealed value of the attacker's session.
async fn victim_and_attacker() -> (TestApp, String) {
    let mut app = TestApp::start().await;
    app.upstream.on("validate-token", Act::data(&profile(json!({ "client_name": ATTACKER }))));
    assert_eq!(app.validate("?token=the-attackers").await.status, 200);
    let theirs = app.cookie.take().unwrap();
    app.upstream.on("validate-token", Act::data(&profile(json!({}))));
    app.enter().await;
    app.upstream.forget();
    (app, theirs)
}

/// A request with this `Cookie` line, whatever the browser holds.
async fn asked(app: &TestApp, method: Method, path: &str, cookie: &[u8], body: &str) -> Answer {
    let kind = if path.starts_with("/api/") { "application/json" } else { "application/x-www-form-urlencoded" };
    let request = same_origin(method, path)
        .header(HOST, HOST_NAME)
        .header(CONTENT_TYPE, kind)
        .header(COOKIE, HeaderValue::from_bytes(cookie).unwrap());
    let router = app.router.clone();
    Answer::of(tower::ServiceExt::oneshot(router, request.body(Body::from(body.to_owned())).unwrap()).await.unwrap())
        .await
}

#[tokio::test]
async fn another_spelling_of_our_name_is_nobodys_session() {
    let (app, theirs) = victim_and_attacker().await;
    let (name, mine, own) = (app.codec.name(), app.cookie.clone().unwrap(), app.snapshot().id);
    for spelling in SPELLINGS {
        let planted = format!("{spelling}={theirs}");
        let answer = asked(&app, Method::GET, "/integration/accounts", planted.as_bytes(), "").await;
        assert_eq!((answer.status, answer.location()), (303, Some("/")), "{spelling}");

        let line = format!("{planted}; {name}={mine}");
        let consent = asked(&app, Method::GET, "/integration/widget", line.as_bytes(), "").await;
        assert_eq!(consent.page(), Some("consent"), "{spelling}");
        assert!(consent.text.contains(VICTIM) && !consent.text.contains(ATTACKER), "{spelling}");
        app.upstream.forget();
        let body = json!({ "input": { "session": own, "text": &super::site::TEXT_OF_COMPANY[..8] } }).to_string();
        let answer = asked(&app, Method::POST, "/api/accept_consent", line.as_bytes(), &body).await;
        assert_eq!(answer.status, 200, "{spelling}: {answer:?}");
        let call = app.upstream.only("POST /authorize-customer");
        assert_eq!(call.header("authorization"), Some(&*format!("Bearer {}", super::TOKEN)), "{spelling}");
    }
}

/// Over the network, because a client library would parse these bytes first.
#[tokio::test]
async fn bytes_of_other_cookies_lock_nobody_out() {
    let (app, _) = victim_and_attacker().await;
    let network = Network::serving(app.router.clone()).await;
    let pair = format!("{}={}", app.codec.name(), app.cookie.clone().unwrap()).into_bytes();
    for other in
        [&b"nome=Jos\xc3\xa9"[..], b"nome=Jos\xe9", b"\xff\xfe=\x80", b"a=\"\xf0\x9f\x8d\x9e", b"%zz=%", b"=;;="]
    {
        for line in [[other, b"; ", &pair].concat(), [&pair, &b"; "[..], other].concat()] {
            let shown = String::from_utf8_lossy(other);
            let head = [b"GET /integration/accounts HTTP/1.1\r\nHost: a\r\nConnection: close\r\nCookie: ", &line[..]];
            let answer = network.raw(&[&head.concat()[..], b"\r\n\r\n"].concat()).await;
            assert!(answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.contains(VICTIM), "{shown}: {answer}");
        }
    }
}

/// Supported browsers never send two. The server takes neither, so that nobody acts in somebody else's session.
#[tokio::test]
async fn different_sessions_at_once_are_none() {
    let (mut app, theirs) = victim_and_attacker().await;
    let (name, mine, own) = (app.codec.name(), app.cookie.clone().unwrap(), app.snapshot().id);
    for line in [format!("{name}={mine}; {name}={theirs}"), format!("{name}={theirs}; {name}={mine}; {name}={mine}")] {
        for path in ["/integration/widget", "/integration/accounts", "/integration/new", "/cancel/confirm"] {
            let answer = asked(&app, Method::GET, path, line.as_bytes(), "").await;
            answer.assert_redirect("/");
            assert_eq!(answer.header_of("set-cookie"), None, "the other's would be left alone");
        }
        for action in ["accept_consent", "list_accounts", "cancel_integrations"] {
            let body = json!({ "input": { "session": own } }).to_string();
            let answer = asked(&app, Method::POST, &format!("/api/{action}"), line.as_bytes(), &body).await;
            answer.assert_failure(401, &navigate("/"));
        }
    }
    assert_eq!(app.upstream.lines(), [""; 0]);
    assert_eq!(app.get("/integration/widget").await.page(), Some("consent"), "alone it still works");
}

/// The cookie of the open link, twice, or beside one that does not open.
#[tokio::test]
async fn what_does_not_open_or_is_the_same_is_in_nobodys_way() {
    let (app, theirs) = victim_and_attacker().await;
    let (name, mine) = (app.codec.name(), app.cookie.clone().unwrap());
    for line in [
        format!("{name}={mine}; {name}={mine}"),
        format!("{name}=QUJD; {name}={mine}"),
        format!("{name}={mine}; {name}={}", &theirs[..theirs.len() - 8]),
        format!("{name}=; {name}={mine}; {name}"),
    ] {
        let answer = asked(&app, Method::GET, "/integration/widget", line.as_bytes(), "").await;
        assert!(answer.page() == Some("consent") && answer.text.contains(VICTIM), "{line}: {answer:?}");
    }
}

/// A view that another site has caused is not the person's choice.
#[tokio::test]
async fn another_site_cannot_make_a_page_forget_the_bank() {
    for (site, forgets) in [
        (Some("cross-site"), false),
        (Some("same-site"), false),
        (Some("same-origin"), true),
        (Some("none"), true),
        (None, true),
    ] {
        let mut app = TestApp::chosen(json!({})).await;
        let before = app.snapshot();
        for path in ["/integration/accounts", "/integration/accounts?listar=1"] {
            let request = site.iter().fold(Request::get(path), |request, site| request.header("sec-fetch-site", *site));
            assert_eq!(app.send(request.body(Body::empty()).unwrap()).await.page(), Some("accounts"), "{site:?}");
        }
        assert_eq!(app.snapshot() == before, !forgets, "{site:?}");
        let status = app.act("open_connect", json!({})).await.status;
        assert_eq!(status, if forgets { 409 } else { 200 }, "{site:?}");
    }
}

/// The cookies of a request may be anything.
#[tokio::test]
async fn cookies_that_are_not_ours_are_no_session() {
    let good = TestApp::linked(json!({})).await.cookie.unwrap();
    let half = good.len() / 2;
    for cookie in
        [String::new(), "a".into(), good[..half].into(), good[half..].into(), format!("{good}AAAA"), "%00%ff".into()]
    {
        let mut app = TestApp::start().await;
        app.cookie = Some(cookie.clone());
        let answer = app.get("/integration/accounts").await;
        assert_eq!((answer.status, answer.location()), (303, Some("/")), "{cookie}");
    }
}
