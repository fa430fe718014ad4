//! Requests that our pages never make (docs/security.md). They have no effect, and the response is
//! in our own words.

use serde_json::{Value, json};
use vincula_domain::{
    routes::{Page, is_action},
    words,
};

use super::{Act, Answer, FORM, HOST_NAME, ITEM, JSON, LINK, OWN, TestApp, guards, update};

/// Every action, with a valid input.
fn actions() -> Vec<(String, Value)> {
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
fn acts(session: &str) -> Vec<(String, (&'static str, &'static str), String)> {
    let actions = actions().into_iter().map(|(path, mut input)| {
        input["session"] = session.into();
        (path, JSON, json!({ "input": input }).to_string())
    });
    let forms = [
        (LINK, String::new()),
        (
            "/integration/widget",
            format!("session={session}&consent=yes"),
        ),
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
fn assert_says_nothing(answer: &Answer, what: &str) {
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
fn assert_refused(answer: &Answer, statuses: &[u16], path: &str, what: &str) {
    assert!(
        statuses.contains(&answer.status),
        "{path}, {what}: {answer:?}"
    );
    assert_says_nothing(answer, &format!("{path}, {what}"));
    if is_action(path) {
        let failure = answer.json();
        assert_eq!(
            (&failure["kind"], failure["requestId"].is_string()),
            (&json!("navigate"), true),
            "{path}, {what}"
        );
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

#[tokio::test]
async fn rejects_requests_from_other_sites() {
    let own = &*format!("https://{HOST_NAME}");
    let origins: [&[(&str, &str)]; 14] = [
        &[],
        &[("origin", "https://evil.example")],
        &[("origin", "null")],
        &[("origin", HOST_NAME)],
        &[("origin", &format!("{own}.evil.example"))],
        &[("origin", &format!("https://evil.example/{own}"))],
        &[("origin", &format!("https://{HOST_NAME}@evil.example"))],
        &[("origin", &format!("{own}:8443"))],
        &[("sec-fetch-site", "cross-site"), ("origin", own)],
        &[("sec-fetch-site", "same-site"), ("origin", own)],
        &[("sec-fetch-site", "none")],
        &[
            ("sec-fetch-site", "same-origin, cross-site"),
            ("origin", own),
        ],
        &[("sec-fetch-site", ""), ("origin", own)],
        &[
            ("referer", &format!("{own}/integration/accounts")),
            ("x-requested-with", "XMLHttpRequest"),
        ],
    ];
    let mut app = ready().await;
    let before = app.snapshot();
    for origin in origins {
        for (path, kind, body) in acts(&before.id) {
            let headers = [&[kind, ("accept", "text/html")], origin].concat();
            let answer = app.ask("POST", &path, &headers, body).await;
            assert_refused(&answer, &[403], &path, &format!("{origin:?}"));
        }
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

/// A link that is too long leads to token-invalid, not to an empty response.
#[tokio::test]
async fn too_long_link_is_invalid() {
    let mut app = TestApp::start().await;
    let link = format!("/?token={}", "x".repeat(9_000));
    app.get(&link).await.assert_redirect("/error/token-invalid");
    app.post_form(&link, "")
        .await
        .assert_redirect("/error/token-invalid");
    let page = app
        .get(&format!("/cancel/confirm?{}", "x".repeat(9_000)))
        .await;
    assert_refused(&page, &[414], "/cancel/confirm", "a long query");
}

/// Older browsers send `Origin` only. The entry page's policy makes browsers post `Origin: null`.
#[tokio::test]
async fn accepts_own_pages_by_either_header() {
    let mut app = ready().await;
    let body = json!({ "input": { "session": app.snapshot().id } }).to_string();
    for site in [
        OWN,
        ("origin", "https://vincula.example"),
        ("origin", "http://vincula.example"),
    ] {
        let answer = app
            .ask("POST", LINK, &[OWN, FORM, ("origin", "null")], "")
            .await;
        answer.assert_redirect("/integration/update?validado=1");
        for kind in [
            "application/json",
            "application/json; charset=utf-8",
            "Application/JSON",
        ] {
            let answer = app
                .ask(
                    "POST",
                    "/api/list_banks",
                    &[site, ("content-type", kind)],
                    body.clone(),
                )
                .await;
            assert_eq!(answer.status, 200, "{site:?}, {kind}: {answer:?}");
        }
    }
}

/// The server does not accept what a plain form of another site could post.
#[tokio::test]
async fn actions_accept_only_json() {
    let mut app = ready().await;
    let before = app.snapshot();
    for kind in [
        Some("text/plain"),
        Some(FORM.1),
        Some("multipart/form-data; boundary=x"),
        Some("application/json-patch+json"),
        Some("text/plain; application/json"),
        Some(""),
        None,
    ] {
        let headers: Vec<_> = [OWN]
            .into_iter()
            .chain(kind.map(|kind| ("content-type", kind)))
            .collect();
        for (path, _, body) in acts(&before.id)
            .into_iter()
            .filter(|(path, ..)| is_action(path))
        {
            for body in [body, format!("input[session]={}", before.id)] {
                assert_refused(
                    &app.ask("POST", &path, &headers, body).await,
                    &[415],
                    &path,
                    &format!("{kind:?}"),
                );
            }
        }
    }
    assert_eq!((app.snapshot(), app.upstream.lines()), (before, vec![]));
}

/// No failure redirects to the `Referer`, as the framework would for a plain form.
#[tokio::test]
async fn invalid_bodies_get_portuguese_client_error() {
    let headers = [
        OWN,
        JSON,
        ("accept", "text/html"),
        ("referer", "https://evil.example/page"),
    ];
    let mut app = ready().await;
    let before = app.snapshot();
    let deep = format!("{}{}", "[".repeat(4000), "]".repeat(4000));
    let bodies: [&[u8]; 14] = [
        b"",
        b"{",
        b"null",
        b"[]",
        b"{}",
        br#"{"input":null}"#,
        br#"{"input":{}}"#,
        br#"{"input":{"session":null,"query":null,"island":null}}"#,
        br#"{"input":{"session":{"a":1},"query":["?token=a"],"reason":1}}"#,
        br#"{"session":"x","query":"?token=a"}"#,
        br#"{"input":{"session":"x","query":"?token=a"}} trailing"#,
        deep.as_bytes(),
        b"{\"input\":{\"session\":\"\xff\xfe\"}}",
        &[0; 16],
    ];
    for (path, _) in actions() {
        app = app.restarted(&[]);
        for body in bodies {
            let answer = app.ask("POST", &path, &headers, body.to_vec()).await;
            assert_refused(
                &answer,
                &[400, 422],
                &path,
                &body
                    .iter()
                    .take(60)
                    .map(|byte| char::from(*byte))
                    .collect::<String>(),
            );
        }
    }
    for (action, mut input) in [
        (
            "save_bank_form",
            json!({ "bank": 260, "name": "Bia", "cpf": "1" }),
        ),
        ("save_bank_form", json!({ "bank": "260", "name": "Bia" })),
        ("finish_connect", json!({ "itemId": null })),
        ("finish_connect", json!({ "item_id": ITEM })),
        ("report_connect_error", json!({ "itemId": null })),
        ("report_connect_step", json!({ "connector": 1 })),
        ("report_connect_step", json!({ "step": "LOGIN_SUCCESS" })),
        (
            "report_connect_step",
            json!({ "step": "login", "connector": "601" }),
        ),
        (
            "report_connect_step",
            json!({ "step": "login", "connector": -1 }),
        ),
    ] {
        input["session"] = before.id.clone().into();
        let (path, body) = (
            format!("/api/{action}"),
            json!({ "input": input }).to_string(),
        );
        assert_refused(
            &app.ask("POST", &path, &headers, body.clone()).await,
            &[400, 422],
            &path,
            &body,
        );
    }
    assert_eq!(
        (app.snapshot(), app.upstream.lines()),
        (before.clone(), vec![])
    );
    app.upstream
        .on("list-banks", Act::error(401, "Expired token"));
    let body = json!({ "input": { "session": before.id } }).to_string();
    let answer = app.ask("POST", "/api/list_banks", &headers, body).await;
    assert_eq!(
        (answer.status, answer.location()),
        (502, None),
        "{answer:?}"
    );
}

/// The limit is 16 kB, whether the length is declared or not.
#[tokio::test]
async fn large_bodies_get_portuguese_error() {
    let mut app = ready().await;
    let body = json!({ "input": { "session": app.snapshot().id } }).to_string();
    for (length, status) in [(16 * 1024, 200), (16 * 1024 + 1, 413), (200 * 1024, 413)] {
        for declared in [true, false] {
            app.upstream.forget();
            let number = length.to_string();
            let headers = [OWN, JSON, ("content-length", &number)];
            let headers = if declared {
                &headers[..]
            } else {
                &headers[..2]
            };
            let answer = app
                .ask(
                    "POST",
                    "/api/list_accounts",
                    headers,
                    body.clone() + &" ".repeat(length - body.len()),
                )
                .await;
            assert_eq!(
                answer.status, status,
                "{length}, declared: {declared}: {answer:?}"
            );
            if status != 200 {
                assert_refused(&answer, &[413], "/api/list_accounts", &number);
            }
            assert_eq!(app.upstream.lines().len(), usize::from(status == 200));
        }
    }
}

/// Known actions accept POST, and pages GET. Other methods have no effect.
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
        let answer = app.ask("POST", path, &[OWN, JSON], "{}").await;
        assert_eq!(answer.status, 404, "{path}: {answer:?}");
        assert_says_nothing(&answer, path);
        answer.assert_lacks(&[path.rsplit('/').next().unwrap()]);
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

/// The client gets our own message, on the same page.
#[tokio::test]
async fn malformed_form_redirects_to_its_page() {
    for (path, page) in [
        ("/integration/widget", "consent"),
        ("/cancel/confirm", "cancel-confirm"),
    ] {
        let mut app = TestApp::entered(json!({})).await;
        app.upstream.forget();
        let before = app.snapshot();
        let own = format!("session={}&consent=yes", before.id);
        for (kind, body) in [
            (FORM.1, ""),
            (FORM.1, "consent=yes"),
            (FORM.1, "session"),
            (FORM.1, "session=1&session=2&consent=yes"),
            (FORM.1, &format!("{own}&{own}")),
            (FORM.1, &own.replacen("session", "Session", 1)),
            (FORM.1, &own.replacen("session", "session[]", 1)),
            (FORM.1, "a=%FF%FE&&&==="),
            ("text/plain", &own),
            (JSON.1, "{}"),
            ("multipart/form-data; boundary=x", &own),
            ("", &own),
        ] {
            let answer = app
                .ask(
                    "POST",
                    path,
                    &[OWN, ("content-type", kind)],
                    body.to_owned(),
                )
                .await;
            let is_read = body == "session";
            let expected = if is_read {
                path.to_owned()
            } else {
                format!("{path}?aviso=sem-resposta")
            };
            answer.assert_redirect(&expected);
            assert_eq!(
                (answer.text.as_str(), answer.header_of("set-cookie")),
                ("", None),
                "{kind:?} {body}"
            );
            let shown = app.get(&expected).await;
            assert_eq!(
                (shown.page(), shown.text.contains(words::REQUEST_FAILED)),
                (Some(page), !is_read),
                "{kind} {body}"
            );
        }
        assert_eq!(
            (app.snapshot(), app.upstream.lines()),
            (before, vec![]),
            "{path}"
        );
    }
    // The entry's button posts only the address.
    for (kind, body) in [
        (FORM.1, "session=1&session=2"),
        ("text/plain", "\u{0}"),
        (JSON.1, "{"),
    ] {
        let headers = [OWN, ("content-type", kind)];
        let mut app = TestApp::start().await;
        app.ask("POST", "/", &headers, body)
            .await
            .assert_redirect("/error/token-not-found");
        app.ask("POST", LINK, &headers, body)
            .await
            .assert_redirect("/integration/widget?validado=1");
    }
}

/// Behind a trusted proxy, only the address that the proxy appends counts.
#[tokio::test]
async fn limits_guesser_behind_proxy_without_affecting_others() {
    let mut app = TestApp::start()
        .await
        .restarted(&["--trusted-proxies", "127.0.0.1"]);
    app.upstream
        .on("validate-token", Act::error(404, "Token not found"));
    let body = json!({ "input": { "query": "?token=guess" } }).to_string();
    let mut guesses = 0;
    let refused = loop {
        let from = format!("203.0.113.{}, 198.51.100.9", guesses % 250);
        let headers = [OWN, JSON, ("x-forwarded-for", &from)];
        let answer = app
            .ask("POST", "/api/validate_token", &headers, body.clone())
            .await;
        if answer.status == 429 {
            break answer;
        }
        guesses += 1;
        assert!(
            guesses < 1_000,
            "each claimed address has a quota of its own"
        );
    };
    assert!(refused.header_of("retry-after").is_some());
    assert_eq!(
        app.upstream.lines().len(),
        guesses,
        "what is refused does not reach the upstream"
    );
    let headers = [OWN, JSON, ("x-forwarded-for", "192.0.2.77")];
    assert_eq!(
        app.ask("POST", "/api/validate_token", &headers, body)
            .await
            .status,
        502
    );
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
            ("GET", "/integration/accounts?listar=1&"),
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
                page.starts_with('/') && !page.starts_with("//") && Page::at(page).is_some(),
                "{what}"
            );
        }
    }
}
