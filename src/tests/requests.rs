//! Requests that no page of ours makes (docs/security.md).

use axum::{
    body::Body,
    http::{Method, Request, header::CONTENT_TYPE},
};
use serde_json::{Value, json};

use super::{Answer, HOST_NAME, ITEM, LINK, TestApp, bank_form, same_origin, update};

/// Every action, with a valid input.
fn actions() -> Vec<(&'static str, Value)> {
    vec![
        ("validate_token", json!({ "query": "?token=abc" })),
        ("accept_consent", json!({})),
        ("list_accounts", json!({})),
        ("list_banks", json!({})),
        ("save_bank_form", bank_form()),
        ("open_connect", json!({})),
        ("finish_connect", json!({ "itemId": ITEM })),
        ("report_connect_error", json!({ "message": "x", "itemId": null })),
        ("report_connect_step", json!({ "step": "login" })),
        ("confirm_success", json!({})),
        ("cancel_integrations", json!({})),
        ("report_island", json!({ "island": "consent", "reason": "x" })),
    ]
}

/// A browser whose session allows every action.
pub async fn ready() -> TestApp {
    let app = TestApp::linked(update()).await;
    app.upstream.forget();
    app
}

/// Words of the libraries and of the runtime.
const LIBRARY_WORDS: [&str; 18] = [
    "serde",
    "Serde",
    "missing field",
    "invalid type",
    "expected",
    "column",
    "line 1",
    "EOF while",
    "server function",
    "ServerFn",
    "leptos",
    "Deserialization",
    "axum",
    "src/",
    "panicked",
    "length limit",
    "Failed to",
    "Args",
];

/// A rejection with our own failure, without internals and without a redirect.
#[track_caller]
fn assert_plainly_refused(answer: &Answer, status: u16, what: &str) {
    assert_eq!(answer.status, status, "{what}: {answer:?}");
    assert_says_nothing(answer, what);
    let told = answer.json();
    assert_eq!(told["kind"], "navigate", "{what}");
    assert_eq!(answer.without_code(told["to"].as_str().unwrap()), "/error/token-invalid", "{what}");
}

/// The same for a document.
#[track_caller]
fn assert_refused_by_a_page(answer: &Answer, status: u16, what: &str) {
    assert_eq!(answer.status, status, "{what}: {answer:?}");
    assert_says_nothing(answer, what);
    assert_eq!(answer.header_of("content-type"), Some("text/html; charset=utf-8"), "{what}");
    assert!(answer.text.contains("lang=\"pt-BR\"") && answer.text.contains("Tentar de novo"), "{what}: {answer:?}");
}

#[track_caller]
fn assert_says_nothing(answer: &Answer, what: &str) {
    assert_eq!(answer.location(), None, "{what}");
    assert_eq!(answer.header_of("set-cookie"), None, "{what}");
    for word in LIBRARY_WORDS {
        assert!(!answer.text.contains(word), "{word} after {what}: {answer:?}");
        let heads = answer.headers.iter().any(|(_, value)| value.to_str().is_ok_and(|value| value.contains(word)));
        assert!(!heads, "{word} in the head after {what}: {answer:?}");
    }
}

#[tokio::test]
async fn what_other_sites_send_is_refused_and_reaches_nobody() {
    let own = &*format!("https://{HOST_NAME}");
    let foreign: [&[(&str, &str)]; 10] = [
        &[],
        &[("origin", "https://evil.example")],
        &[("origin", "null")],
        &[("origin", &format!("https://{HOST_NAME}.evil.example"))],
        &[("origin", &format!("https://evil.example/https://{HOST_NAME}"))],
        &[("origin", &format!("https://{HOST_NAME}:8443"))],
        &[("sec-fetch-site", "cross-site"), ("origin", own)],
        &[("sec-fetch-site", "same-site"), ("origin", own)],
        &[("sec-fetch-site", "none")],
        &[("sec-fetch-site", ""), ("origin", own)],
    ];
    let mut app = ready().await;
    let before = app.snapshot();
    for headers in foreign {
        for (action, mut input) in actions() {
            input["session"] = before.id.clone().into();
            let mut request = Request::post(format!("/api/{action}"))
                .header(CONTENT_TYPE, "application/json")
                .header("accept", "text/html")
                .header("referer", "https://evil.example/page");
            for (name, value) in headers {
                request = request.header(*name, *value);
            }
            let body = Body::from(json!({ "input": input }).to_string());
            let answer = app.send(request.body(body).unwrap()).await;
            assert_plainly_refused(&answer, 403, &format!("{action} with {headers:?}"));
        }
        for (path, form) in [
            (LINK, String::new()),
            ("/integration/widget", format!("session={}&consent=yes", before.id)),
            ("/cancel/confirm", format!("session={}", before.id)),
        ] {
            let mut request = Request::post(path).header(CONTENT_TYPE, "application/x-www-form-urlencoded");
            for (name, value) in headers {
                request = request.header(*name, *value);
            }
            let answer = app.send(request.body(Body::from(form)).unwrap()).await;
            assert_refused_by_a_page(&answer, 403, &format!("{path} with {headers:?}"));
        }
    }
    assert_eq!(app.snapshot(), before);
    assert_eq!(app.upstream.lines(), [""; 0]);
}

/// A bank that sends the client back by POST: they get a page that links to the same address by GET.
#[tokio::test]
async fn a_return_by_post_from_elsewhere_is_a_page_that_leads_on() {
    let mut app = TestApp::entered(json!({})).await;
    let request = Request::post("/?of-success").header("sec-fetch-site", "cross-site");
    let answer = app.send(request.body(Body::empty()).unwrap()).await;
    assert_refused_by_a_page(&answer, 403, "a return by POST");
    assert!(answer.text.contains("href=\"\""), "{answer:?}");
    assert_eq!(app.get("/?of-success").await.page(), Some("entry"));
}

/// D3: a link that is too long for a session is token-invalid, not an empty response.
#[tokio::test]
async fn a_link_that_is_too_long_to_be_read_is_invalid() {
    let mut app = TestApp::start().await;
    let link = format!("/?token={}", "x".repeat(9_000));
    app.get(&link).await.assert_redirect("/error/token-invalid");
    app.post_form(&link, String::new()).await.assert_redirect("/error/token-invalid");
    let page = app.get(&format!("/cancel/confirm?{}", "x".repeat(9_000))).await;
    assert_refused_by_a_page(&page, 414, "a page with a long query");
}

/// Older browsers send `Origin` only.
#[tokio::test]
async fn our_own_pages_may_act_by_either_header() {
    let mut app = ready().await;
    let body = json!({ "input": { "session": app.snapshot().id } }).to_string();
    for (name, value) in
        [("sec-fetch-site", "same-origin"), ("origin", "https://vincula.example"), ("origin", "http://vincula.example")]
    {
        for kind in ["application/json", "application/json; charset=utf-8", "Application/JSON"] {
            let request = Request::post("/api/list_banks").header(name, value).header(CONTENT_TYPE, kind);
            let answer = app.send(request.body(Body::from(body.clone())).unwrap()).await;
            assert_eq!(answer.status, 200, "{name}: {value}, {kind}: {answer:?}");
        }
    }
}

/// The server does not read what a plain form of another site could post, and does not redirect to its `Referer`.
#[tokio::test]
async fn actions_take_json_only() {
    let mut app = ready().await;
    let before = app.snapshot();
    for kind in [
        Some("text/plain"),
        Some("application/x-www-form-urlencoded"),
        Some("multipart/form-data; boundary=x"),
        Some("application/json-patch+json"),
        Some("text/plain; application/json"),
        Some(""),
        None,
    ] {
        for (action, mut input) in actions() {
            input["session"] = before.id.clone().into();
            for body in [json!({ "input": input }).to_string(), format!("input[session]={}", before.id)] {
                let mut request = same_origin(Method::POST, &format!("/api/{action}"))
                    .header("accept", "text/html,application/xhtml+xml")
                    .header("referer", "https://evil.example/page");
                if let Some(kind) = kind {
                    request = request.header(CONTENT_TYPE, kind);
                }
                let answer = app.send(request.body(Body::from(body)).unwrap()).await;
                assert_plainly_refused(&answer, 415, &format!("{action} as {kind:?}"));
            }
        }
    }
    assert_eq!(app.snapshot(), before);
    assert_eq!(app.upstream.lines(), [""; 0]);
}

/// A failure does not redirect to the `Referer` either, nor put its cause into an address.
#[tokio::test]
async fn a_failed_action_redirects_to_no_referer() {
    let mut app = TestApp::entered(json!({})).await;
    app.upstream.on("list-banks", super::scripted::Act::error(401, "Expired token"));
    for body in [json!({ "input": { "session": app.snapshot().id } }).to_string(), "{".to_owned()] {
        let request = same_origin(Method::POST, "/api/list_banks")
            .header(CONTENT_TYPE, "application/json")
            .header("accept", "text/html")
            .header("referer", "https://evil.example/page");
        let answer = app.send(request.body(Body::from(body)).unwrap()).await;
        assert!(answer.status >= 400 && answer.location().is_none(), "{answer:?}");
        assert!(!answer.text.contains("evil.example"));
    }
}

#[tokio::test]
async fn bodies_that_are_no_input_are_the_callers_mistake_in_our_own_words() {
    let mut app = ready().await;
    let before = app.snapshot();
    let session = &before.id;
    let deep = format!("{}{}", "[".repeat(4000), "]".repeat(4000));
    let bodies: Vec<Vec<u8>> = [
        "",
        " ",
        "{",
        "null",
        "[]",
        "7",
        "\"input\"",
        "{}",
        r#"{"input":null}"#,
        r#"{"input":{}}"#,
        r#"{"input":[]}"#,
        r#"{"input":{"session":7}}"#,
        r#"{"input":{"session":null,"query":null,"island":null}}"#,
        r#"{"input":{"session":{"a":1},"query":["?token=a"],"reason":1}}"#,
        r#"{"session":"x","query":"?token=a"}"#,
        r#"{"input":{"session":"x","query":"?token=a"}} trailing"#,
        "<input/>",
        &deep,
    ]
    .into_iter()
    .map(|text| text.as_bytes().to_vec())
    .chain([b"{\"input\":{\"session\":\"\xff\xfe\"}}".to_vec(), vec![0; 16]])
    .collect();
    for (action, _) in actions() {
        app = app.with_fresh_process();
        for body in &bodies {
            let request = same_origin(Method::POST, &format!("/api/{action}")).header(CONTENT_TYPE, "application/json");
            let answer = app.send(request.body(Body::from(body.clone())).unwrap()).await;
            let what = format!("{action} with {}", String::from_utf8_lossy(body).chars().take(60).collect::<String>());
            assert!(matches!(answer.status, 400 | 422), "{what}: {answer:?}");
            assert_plainly_refused(&answer, answer.status, &what);
            assert!(answer.json()["requestId"].is_string(), "{what}: {answer:?}");
        }
    }
    for (action, field) in [
        ("save_bank_form", json!({ "bank": 260, "name": "Bia", "cpf": "1" })),
        ("save_bank_form", json!({ "bank": "260", "name": "Bia" })),
        ("finish_connect", json!({ "itemId": null })),
        ("finish_connect", json!({ "item_id": ITEM })),
        ("report_connect_error", json!({ "itemId": null })),
        ("report_connect_step", json!({ "connector": 1 })),
        ("report_connect_step", json!({ "step": "LOGIN_SUCCESS" })),
        ("report_connect_step", json!({ "step": "login", "connector": "601" })),
        ("report_connect_step", json!({ "step": "login", "connector": -1 })),
    ] {
        let mut input = field;
        input["session"] = session.clone().into();
        let answer = app.post_json(&format!("/api/{action}"), &json!({ "input": input })).await;
        assert!(matches!(answer.status, 400 | 422), "{action} {input}: {answer:?}");
        assert_plainly_refused(&answer, answer.status, action);
    }
    assert_eq!(app.snapshot(), before);
    assert_eq!(app.upstream.lines(), [""; 0]);
}

/// The limit is 16 kB, whether the length is declared or not.
#[tokio::test]
async fn large_bodies_are_refused() {
    let mut app = ready().await;
    for (length, status) in [(16 * 1024, 200), (16 * 1024 + 1, 413), (200 * 1024, 413)] {
        for declared in [true, false] {
            app.upstream.forget();
            let answer = list_accounts_with(&mut app, length, declared).await;
            assert_eq!(answer.status, status, "{length}, declared: {declared}: {answer:?}");
            assert_eq!(app.upstream.lines().len(), usize::from(status == 200));
        }
    }
    for path in [LINK, "/integration/widget", "/nowhere"] {
        let request = same_origin(Method::POST, path)
            .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header("content-length", 20_000);
        let answer = app.send(request.body(Body::from(vec![b'a'; 20_000])).unwrap()).await;
        assert!(matches!(answer.status, 404 | 405 | 413), "{path}: {answer:?}");
    }
}

#[tokio::test]
async fn large_bodies_are_refused_in_our_own_words() {
    let mut app = ready().await;
    for declared in [true, false] {
        let answer = list_accounts_with(&mut app, 17_000, declared).await;
        assert_plainly_refused(&answer, 413, &format!("a large body, declared: {declared}"));
    }
}

/// A good request, padded to this many bytes.
async fn list_accounts_with(app: &mut TestApp, length: usize, declared: bool) -> Answer {
    let body = json!({ "input": { "session": app.snapshot().id } }).to_string();
    let padding = " ".repeat(length - body.len());
    let mut request = same_origin(Method::POST, "/api/list_accounts").header(CONTENT_TYPE, "application/json");
    if declared {
        request = request.header("content-length", length);
    }
    app.send(request.body(Body::from(body + &padding)).unwrap()).await
}

#[tokio::test]
async fn unknown_actions_are_404_in_our_own_words() {
    let mut app = ready().await;
    for path in [
        "/api/nowhere",
        "/api/list_accounts2",
        "/api/List_Accounts",
        "/api/list_accounts%2F",
        "/api/%6Cist_accounts",
        "/api/52998224725",
        "/api/<script>",
    ] {
        let Ok(request) =
            same_origin(Method::POST, path).header(CONTENT_TYPE, "application/json").body(Body::from("{}"))
        else {
            continue;
        };
        let answer = app.send(request).await;
        assert_eq!(answer.status, 404, "{path}: {answer:?}");
        assert_says_nothing(&answer, path);
        let name = path.rsplit('/').next().unwrap();
        assert!(!answer.text.contains(name), "{path} is repeated: {answer:?}");
    }
    assert_eq!(app.upstream.lines(), [""; 0]);
}

/// Actions are posted, and pages are read: no other method does anything.
#[tokio::test]
async fn no_other_method_does_anything() {
    let mut app = ready().await;
    let before = app.snapshot();
    for (action, _) in actions() {
        for method in ["GET", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS"] {
            let path = format!("/api/{action}?input[session]={}&input[query]=?token=a", before.id);
            let request = same_origin(method.parse().unwrap(), &path).header(CONTENT_TYPE, "application/json");
            let body = json!({ "input": { "session": before.id, "query": "?token=abc" } }).to_string();
            let answer = app.send(request.body(Body::from(body)).unwrap()).await;
            assert!(matches!(answer.status, 404 | 405), "{method} {action}: {answer:?}");
            assert_says_nothing(&answer, action);
            assert_eq!(answer.header_of("cache-control"), Some("no-store"), "{method} {action}");
        }
    }
    for path in
        ["/integration/accounts", "/cancel/success", "/error/token-expired", "/nowhere", "/favicon.svg", "/healthz"]
    {
        for method in ["POST", "PUT", "DELETE", "PATCH", "TRACE"] {
            let request = same_origin(method.parse().unwrap(), path).header(CONTENT_TYPE, "application/json");
            let answer = app.send(request.body(Body::from("{}")).unwrap()).await;
            assert!(matches!(answer.status, 404 | 405), "{method} {path}: {answer:?}");
            assert_says_nothing(&answer, path);
        }
    }
    assert_eq!(app.snapshot(), before);
    assert_eq!(app.upstream.lines(), [""; 0]);
}

/// An island that broke can be reported by anybody, and changes nothing.
#[tokio::test]
async fn a_broken_island_is_reported_without_a_session() {
    for mut app in [TestApp::start().await, ready().await] {
        app.upstream.forget();
        let report = json!({ "input": { "island": "connect\r\nx", "reason": "é".repeat(2000) } });
        let answer = app.post_json("/api/report_island", &report).await;
        assert_eq!((answer.status, answer.json()), (200, json!({})), "{answer:?}");
        assert_eq!(answer.header_of("set-cookie"), None);
        assert_eq!(app.upstream.lines(), [""; 0]);
    }
}
