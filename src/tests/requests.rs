//! Requests that our pages never make (docs/security.md). They have no effect, and the response is
//! in our own words.

use serde_json::{Value, json};

use crate::{
    routes::{Page, is_action},
    words::{self, CONSENT_VERSION},
};

use super::{Act, Answer, FORM, JSON, LINK, OWN, TestApp, consent_form, guards, update};

/// Every action, with a valid input.
pub fn actions() -> Vec<(String, Value)> {
    let mut actions: Vec<_> = guards::actions().into();
    actions.push(("validate_token", json!({ "query": "?token=abc" })));
    actions.push((
        "report_island",
        json!({ "island": "consent", "reason": "x" }),
    ));
    actions
        .into_iter()
        .map(|(action, input)| (format!("/api/{action}"), input))
        .collect()
}

/// Every action and form as a page of this session sends them: address, type and body.
pub fn acts(session: &str) -> Vec<(String, (&'static str, &'static str), String)> {
    let actions = actions().into_iter().map(|(path, mut input)| {
        input["session"] = session.into();
        input["version"] = CONSENT_VERSION.into();
        (path, JSON, json!({ "input": input }).to_string())
    });
    let forms = [
        (LINK, String::new()),
        ("/integration/widget", consent_form(session)),
        ("/cancel/confirm", format!("session={session}")),
    ];
    actions
        .chain(forms.map(|(path, form)| (path.to_owned(), FORM, form)))
        .collect()
}

/// A browser whose session allows every action.
pub async fn ready() -> TestApp {
    let app = TestApp::linked(update()).await;
    app.upstream.forget();
    app
}

/// Words that libraries and the runtime use in their error messages.
const LIBRARY_WORDS: [&str; 9] = [
    "serde",
    "missing field",
    "invalid type",
    "server function",
    "line 1",
    "axum",
    "Failed to",
    "panicked",
    "Args",
];

/// Asserts a rejection without internals, a redirect or a cookie.
#[track_caller]
pub fn assert_says_nothing(answer: &Answer, what: &str) {
    assert_eq!(
        (answer.location(), answer.header_of("set-cookie")),
        (None, None),
        "{what}"
    );
    assert_eq!(
        answer.header_of("cache-control"),
        Some("no-store"),
        "{what}"
    );
    let heads: String = answer
        .headers
        .values()
        .filter_map(|value| value.to_str().ok())
        .collect();
    for word in LIBRARY_WORDS {
        assert!(
            !answer.text.contains(word) && !heads.contains(word),
            "{word} after {what}: {answer:?}"
        );
    }
}

/// Asserts a rejection in the form of this address: a failure of an action, or a document.
#[track_caller]
pub fn assert_refused(answer: &Answer, statuses: &[u16], path: &str, what: &str) {
    assert!(
        statuses.contains(&answer.status),
        "{path}, {what}: {answer:?}"
    );
    assert_says_nothing(answer, &format!("{path}, {what}"));
    if is_action(path) {
        assert_eq!(
            answer.without_code(&answer.to()),
            "/error/token-invalid",
            "{path}, {what}"
        );
    } else {
        assert_eq!(
            answer.header_of("content-type"),
            Some("text/html; charset=utf-8"),
            "{path}, {what}"
        );
        answer.assert_shows(&["lang=\"pt-BR\"", "Tentar de novo"]);
    }
}

/// Known actions accept POST, and pages GET. Other methods have no effect. Unknown actions do not
/// exist, whatever the method.
#[tokio::test]
async fn rejects_other_methods() {
    let mut app = ready().await;
    let before = app.snapshot();
    for (path, _, body) in acts(&before.id)
        .into_iter()
        .filter(|(path, ..)| is_action(path))
    {
        for method in ["GET", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS"] {
            let path = format!("{path}?input[session]={}&_method=POST", before.id);
            let headers = [OWN, JSON, ("x-http-method-override", "POST")];
            let answer = app.ask(method, &path, &headers, body.clone()).await;
            assert_eq!(answer.status, 405, "{method} {path}: {answer:?}");
            assert_says_nothing(&answer, &path);
        }
    }
    for path in [
        "/api/nowhere",
        "/api/List_Accounts",
        "/api/list_accounts%2F",
        "/api/%6Cist_accounts",
        "/api/52998224725",
    ] {
        for method in ["POST", "GET", "PUT"] {
            let answer = app.ask(method, path, &[OWN, JSON], "{}").await;
            assert_eq!(answer.status, 404, "{method} {path}: {answer:?}");
            assert_says_nothing(&answer, path);
            answer.assert_lacks(&[path.rsplit('/').next().unwrap()]);
        }
    }
    let pages =
        ["/integration/accounts", "/error/token-expired", "/nowhere"].map(|path| ("POST", path));
    for (method, path) in pages
        .into_iter()
        .chain([("PUT", "/integration/widget"), ("DELETE", "/")])
    {
        let answer = app.ask(method, path, &[OWN, FORM], "").await;
        assert_eq!(answer.status, 405, "{method} {path}");
        assert_says_nothing(&answer, path);
        answer.assert_shows(&[words::REJECTED_TITLE]);
        assert!(
            answer
                .header_of("allow")
                .is_some_and(|methods| methods.contains("GET")),
            "{method} {path}"
        );
    }
    assert_eq!((app.snapshot(), app.upstream.lines()), (before, vec![]));
}

/// A cache that ignores the header would serve the changed response to all clients.
#[tokio::test]
async fn ignores_unkeyed_headers_and_ranges() {
    let mut app = TestApp::consented(json!({})).await;
    for path in [
        "/integration/accounts",
        "/cancel/confirm",
        "/error/token-expired",
        LINK,
    ] {
        let plain = app.get(path).await.settled();
        for header in [
            ("x-forwarded-host", "evil.example"),
            ("x-forwarded-proto", "evil"),
            ("x-forwarded-prefix", "/evil"),
            ("forwarded", "host=evil.example;proto=evil"),
            ("x-original-url", "/cancel/success?evil"),
            ("x-rewrite-url", "/metrics?evil"),
            ("x-http-method-override", "DELETE"),
            ("x-request-id", "evil"),
            ("origin", "https://evil.example"),
            ("referer", "https://evil.example/?evil"),
            ("user-agent", "evil<script>"),
            ("accept-language", "evil"),
            ("accept", "application/json"),
            ("range", "bytes=0-3"),
            ("if-none-match", "*"),
            ("if-modified-since", "Thu, 01 Jan 2099 00:00:00 GMT"),
        ] {
            let answer = app.ask("GET", path, &[header], "").await;
            assert_eq!(
                (answer.status, answer.settled()),
                (200, plain.clone()),
                "{path} with {header:?}"
            );
        }
    }
}

/// A link with other parameters besides its token still leads to a page of the product.
#[tokio::test]
async fn link_cannot_redirect_elsewhere() {
    let mut app = TestApp::consented(json!({})).await;
    for call in ["validate-token", "list-accounts"] {
        app.upstream.on(call, Act::Reset);
    }
    for query in [
        "x=https://example.com/",
        "//example.com",
        "@example.com",
        "x=%0d%0aSet-Cookie:%20a=b",
        "x=%0aLocation:%20//example.com",
        "x=%00",
        "x=%ff%fe",
        "?token=other",
        "aviso=sem-resposta&aviso=sem-resposta",
        "next=/integration/accounts&redirect=//example.com&url=/&return_to=/",
    ] {
        for (method, path) in [
            ("POST", "/?token=abc&"),
            ("GET", "/?"),
            ("GET", "/integration/new?"),
            ("GET", "/integration/accounts?voltou=1&"),
            ("GET", "/cancel/success?"),
            ("POST", "//example.com?token=abc&"),
            ("GET", "//example.com/integration/accounts?"),
        ] {
            let answer = app
                .ask(method, &format!("{path}{query}"), &[OWN, FORM], "")
                .await;
            let what = format!("{method} {path}{query}: {answer:?}");
            assert!(matches!(answer.status, 200 | 303 | 404 | 405), "{what}");
            assert_eq!(answer.header_of("set-cookie"), None, "{what}");
            let Some(to) = answer.location() else {
                continue;
            };
            let page = to.split('?').next().unwrap();
            assert!(
                page.starts_with('/') && !page.starts_with("//") && Page::from_path(page).is_some(),
                "{what}"
            );
        }
    }
}
