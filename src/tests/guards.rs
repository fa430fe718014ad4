//! The route guard: every route against every session.

use axum::{
    body::Body,
    http::{Method, Request},
};
use serde_json::{Value, json};

use super::{ITEM, LINK, TestApp, bank_form, update};

/// The pages, in the order of the columns below.
const PATHS: [&str; 10] = [
    "/",
    LINK,
    "/integration/new",
    "/integration/widget",
    "/integration/accounts",
    "/integration/select-bank",
    "/integration/update",
    "/integration/success",
    "/cancel/confirm",
    "/cancel/success",
];

const NOT_FOUND: &str = "/error/token-not-found";
const NEW: &str = "/integration/new";
const WIDGET: &str = "/integration/widget";
const ACCOUNTS: &str = "/integration/accounts";
const SELECT_BANK: &str = "/integration/select-bank";
const UPDATE: &str = "/integration/update";
const CONFIRM: &str = "/cancel/confirm";
const CANCELLED: &str = "/cancel/success";

/// Each session by its history, and the result of each page: its name if it is shown, or else the redirect's target.
const TABLE: [(&str, [&str; 10]); 14] = [
    ("none", [NOT_FOUND, "entry", "/", "/", "/", "/", "/", "/", "/", "/"]),
    ("idle too long", [NOT_FOUND, "entry", "/", "/", "/", "/", "/", "/", "/", "/"]),
    ("forged", [NOT_FOUND, "entry", "/", "/", "/", "/", "/", "/", "/", "/"]),
    ("new", [NOT_FOUND, "entry", WIDGET, "consent", "accounts", WIDGET, NEW, NEW, "cancel-confirm", CONFIRM]),
    (
        "new, consented",
        [NOT_FOUND, "entry", ACCOUNTS, SELECT_BANK, "accounts", "bank-form", NEW, NEW, "cancel-confirm", CONFIRM],
    ),
    (
        "new, bank chosen",
        [NOT_FOUND, "entry", ACCOUNTS, "connect", "accounts", "bank-form", NEW, NEW, "cancel-confirm", CONFIRM],
    ),
    (
        "new, linked",
        [NOT_FOUND, "entry", ACCOUNTS, SELECT_BANK, "accounts", "bank-form", NEW, "success", "cancel-confirm", CONFIRM],
    ),
    (
        "new, success told",
        [NOT_FOUND, "entry", ACCOUNTS, SELECT_BANK, "accounts", "bank-form", NEW, "success", "cancel-confirm", CONFIRM],
    ),
    (
        "new, cancelled",
        [NOT_FOUND, "entry", WIDGET, "consent", "accounts", WIDGET, NEW, NEW, CANCELLED, "cancel-success"],
    ),
    (
        "update",
        [NOT_FOUND, "entry", UPDATE, "consent", "accounts", WIDGET, "connect", UPDATE, "cancel-confirm", CONFIRM],
    ),
    (
        "update, linked",
        [NOT_FOUND, "entry", UPDATE, "consent", "accounts", WIDGET, "connect", "success", "cancel-confirm", CONFIRM],
    ),
    (
        "update, cancelled",
        [NOT_FOUND, "entry", WIDGET, "consent", "accounts", WIDGET, NEW, NEW, CANCELLED, "cancel-success"],
    ),
    ("cancel", [NOT_FOUND, "entry", CONFIRM, "consent", "accounts", WIDGET, NEW, CONFIRM, "cancel-confirm", CONFIRM]),
    (
        "cancel, cancelled",
        [NOT_FOUND, "entry", CONFIRM, "consent", "accounts", WIDGET, NEW, CONFIRM, CANCELLED, "cancel-success"],
    ),
];

/// A browser with this session.
async fn with(session: &str) -> TestApp {
    let cancel = || json!({ "widget_type": "cancel" });
    match session {
        "none" => TestApp::start().await,
        "idle too long" => {
            let mut app = TestApp::chosen(json!({})).await;
            app.idle_for(7201);
            app
        }
        "forged" => {
            let mut app = TestApp::start().await;
            app.cookie = Some("QUJD".repeat(100));
            app
        }
        "new" => TestApp::entered(json!({})).await,
        "new, consented" => TestApp::consented(json!({})).await,
        "new, bank chosen" => TestApp::chosen(json!({})).await,
        "new, linked" => TestApp::linked(json!({})).await,
        "new, success told" => {
            let mut app = TestApp::linked(json!({})).await;
            app.done("confirm_success", json!({})).await;
            app
        }
        "new, cancelled" => {
            let mut app = TestApp::linked(json!({})).await;
            app.done("cancel_integrations", json!({})).await;
            app
        }
        "update" => TestApp::entered(update()).await,
        "update, linked" => {
            let mut app = TestApp::entered(update()).await;
            app.done("finish_connect", json!({ "itemId": ITEM })).await;
            app.upstream.received_all(&["POST /log"]).await;
            app
        }
        "update, cancelled" => {
            let mut app = TestApp::entered(update()).await;
            app.done("cancel_integrations", json!({})).await;
            app
        }
        "cancel" => TestApp::entered(cancel()).await,
        "cancel, cancelled" => {
            let mut app = TestApp::entered(cancel()).await;
            app.done("cancel_integrations", json!({})).await;
            app
        }
        other => unreachable!("{other}"),
    }
}

#[tokio::test]
async fn every_route_does_in_every_session_what_the_spec_says() {
    for (session, expected) in TABLE {
        let mut app = with(session).await;
        let cookie = app.cookie.clone();
        for (path, expected) in PATHS.into_iter().zip(expected) {
            let slashed = if path.contains('?') { path.to_owned() } else { format!("{}/", path.trim_end_matches('/')) };
            for path in [path, &slashed] {
                for method in [Method::GET, Method::HEAD] {
                    app.cookie.clone_from(&cookie);
                    let what = format!("{method} {path} with {session}");
                    let request = Request::builder().method(&method).uri(path).body(Body::empty()).unwrap();
                    let answer = app.send(request).await;
                    assert_eq!(answer.header_of("cache-control"), Some("no-store"), "{what}");
                    if expected.starts_with('/') {
                        assert_eq!((answer.status, answer.location()), (303, Some(expected)), "{what}");
                        assert_eq!(answer.text, "", "{what}");
                    } else {
                        assert_eq!((answer.status, answer.location()), (200, None), "{what}");
                        let page = (method == Method::GET).then_some(expected);
                        assert_eq!(answer.page(), page, "{what}");
                    }
                }
            }
        }
        let asked: Vec<_> = app.upstream.lines();
        let known = ["validate-token", "authorize", "success", "cancel", "log", "update-link"];
        assert!(asked.iter().all(|line| known.iter().any(|known| line.contains(known))), "{asked:?}");
    }
}

/// Link previewers and reloads only GET: no page calls the widget API.
#[tokio::test]
async fn no_page_calls_the_upstream_while_it_is_rendered() {
    for (session, _) in TABLE {
        let mut app = with(session).await;
        let before = app.upstream.lines().len();
        for path in PATHS.into_iter().chain(["/error/token-expired", "/acessibilidade", "/nowhere"]) {
            app.get(path).await;
        }
        assert_eq!(app.upstream.lines().len(), before, "{session}");
    }
}

/// Following the redirects from any page ends at a page.
#[tokio::test]
async fn no_session_is_sent_around_in_circles() {
    for (session, _) in TABLE {
        for path in PATHS {
            let mut app = with(session).await;
            let mut at = path.to_owned();
            let mut hops = 0;
            loop {
                let answer = app.get(&at).await;
                let Some(to) = answer.location() else {
                    assert_eq!(answer.status, 200, "{path} with {session} ended at {at}");
                    break;
                };
                at = to.to_owned();
                hops += 1;
                assert!(hops <= 3, "{path} with {session} is at {at}");
            }
        }
    }
}

/// Unknown addresses, in any spelling, show the Portuguese page and nothing of a session.
#[tokio::test]
async fn unknown_addresses_are_a_portuguese_404_that_nobody_keeps() {
    let unknown = [
        "/nowhere",
        "/integration",
        "/integration/",
        "/integration/x.css",
        "/integration/accounts/x.css",
        "/integration/accounts.css",
        "/integration/accounts;x.css",
        "/integration/accounts%2Fx.css",
        "/integration/accounts%00.css",
        "/integration/account%73",
        "/integration/select-ban%6B",
        "/integration/succes%73",
        "/integration/updat%65",
        "/integration/widge%74",
        "/integration%2Faccounts",
        "/cancel/succes%73",
        "/cancel/confir%6D",
        "/cancel",
        "/Cancel/success",
        "/INTEGRATION/widget",
        "/integration//accounts",
        "//integration/accounts",
        "//evil.example/",
        "/error",
        "/error/",
        "/error/a/b",
        "/index.html",
        "/.env",
        "/.git/config",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/..%2f..%2fetc/passwd",
        "/sandbox",
        "/sandbox/",
        "/sandbox/connect",
        "/sandbox/connect.js",
        "/sandbox/connect/items",
        "/metrics",
        "/api",
        "/api/",
        "/api/a/b",
    ];
    for session in ["none", "new, linked"] {
        let mut app = with(session).await;
        for path in unknown {
            let answer = app.get(path).await;
            let what = format!("{path} with {session}");
            assert_eq!((answer.status, answer.page()), (404, Some("not-found")), "{what}");
            assert_eq!(answer.header_of("cache-control"), Some("no-store"), "{what}");
            assert_eq!(answer.header_of("content-type"), Some("text/html; charset=utf-8"), "{what}");
            assert!(answer.text.contains("lang=\"pt-BR\"") && answer.text.contains("Página não encontrada"), "{what}");
            let headings = answer.text.matches("<h1").count();
            assert_eq!(headings, 1, "{what} shows what it should not: {}", answer.text);
            for mine in ["Estrela do Sul", "Contábil Horizonte", "cancelad", "vincula-context", "<leptos-island"] {
                assert!(!answer.text.contains(mine), "{mine} at {what}: {}", answer.text);
            }
        }
    }
}

/// Viewing a page changes nothing, except that the accounts page clears the bank.
#[tokio::test]
async fn viewing_changes_no_session() {
    for (session, expected) in TABLE.into_iter().skip(3) {
        let mut app = with(session).await;
        let before = app.snapshot();
        for (path, _) in PATHS.into_iter().zip(expected).filter(|(path, _)| *path != ACCOUNTS) {
            let answer = app.get(path).await;
            assert_eq!(answer.header_of("set-cookie"), None, "{path} with {session}");
            assert_eq!(app.snapshot(), before, "{path} with {session}");
        }
    }
}

/// Page views renew the idle time, at most once a minute.
#[tokio::test]
async fn an_old_session_is_renewed_by_a_page_view() {
    let mut app = TestApp::consented(json!({})).await;
    app.idle_for(30);
    assert_eq!(app.get("/integration/accounts").await.header_of("set-cookie"), None);
    app.idle_for(7000);
    let before = app.snapshot();
    let now = app.codec.now();
    assert!(app.get("/integration/accounts").await.header_of("set-cookie").is_some());
    assert!(app.session().unwrap().seen_at >= now);
    assert_eq!(app.snapshot(), before);
}

/// An action is a use of the session; so is a poll, but it renews the idle time every half hour only.
#[tokio::test]
async fn an_old_session_is_renewed_by_actions_and_sometimes_by_a_poll() {
    for (action, input, young) in [
        ("list_accounts", json!({}), 1_790),
        ("list_banks", json!({}), 50),
        ("report_connect_error", json!({ "message": "x", "itemId": null }), 50),
    ] {
        let mut app = TestApp::chosen(json!({})).await;
        app.idle_for(young);
        assert_eq!(app.act(action, input.clone()).await.header_of("set-cookie"), None, "{action}");
        app.idle_for(7_100);
        let (before, now) = (app.snapshot(), app.codec.now());
        app.done(action, input).await;
        assert!(app.session().unwrap().seen_at >= now, "{action}");
        assert_eq!(app.snapshot(), before, "{action} changes nothing else");
    }
    for (action, input) in [
        ("accept_consent", json!({})),
        ("save_bank_form", bank_form()),
        ("open_connect", json!({})),
        ("finish_connect", json!({ "itemId": ITEM })),
    ] {
        let mut app = TestApp::chosen(json!({})).await;
        app.idle_for(7_100);
        let now = app.codec.now();
        app.done(action, input).await;
        assert!(app.session().unwrap().seen_at >= now, "{action}");
    }
}

/// D11: a page whose session was replaced by another link can do nothing, and its actions fail with `other_tab`.
#[tokio::test]
async fn an_action_of_a_replaced_session_reaches_nobody() {
    let actions: [(&str, Value); 9] = [
        ("accept_consent", json!({})),
        ("list_accounts", json!({})),
        ("list_banks", json!({})),
        ("save_bank_form", bank_form()),
        ("open_connect", json!({})),
        ("finish_connect", json!({ "itemId": ITEM })),
        ("report_connect_error", json!({ "message": "x", "itemId": null })),
        ("report_connect_step", json!({ "step": "login" })),
        ("cancel_integrations", json!({})),
    ];
    for (action, input) in actions.into_iter().chain([("confirm_success", json!({}))]) {
        let mut app = TestApp::linked(update()).await;
        let old = app.snapshot().id;
        let answer = app.validate("?token=of-another-firm").await;
        assert_eq!(answer.status, 200);
        app.done("accept_consent", json!({})).await;
        app.done("save_bank_form", bank_form()).await;
        let before = app.snapshot();
        assert_ne!(before.id, old);
        app.upstream.forget();
        for page in [old.as_str(), "", "0", &before.id.to_uppercase().repeat(2)] {
            let answer = app.act_from(page, action, input.clone()).await;
            answer.assert_failure(409, &json!({ "kind": "other_tab" }));
        }
        assert_eq!(app.snapshot(), before, "{action}");
        // The background calls of the actions have arrived before this one.
        app.done("list_banks", json!({})).await;
        assert_eq!(app.upstream.lines(), ["GET /list-banks"], "{action}");
    }
}

#[tokio::test]
async fn without_a_session_every_action_leads_to_the_entry_and_reaches_nobody() {
    for session in ["none", "idle too long", "forged"] {
        let mut app = with(session).await;
        app.upstream.forget();
        for (action, input) in [
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
        ] {
            let answer = app.act_from("0123456789abcdef0123456789abcdef", action, input).await;
            answer.assert_failure(401, &json!({ "kind": "navigate", "to": "/" }));
        }
        let answer = app.post_form("/integration/widget", "session=0&consent=yes".to_owned()).await;
        answer.assert_redirect("/");
        app.post_form("/cancel/confirm", "session=0".to_owned()).await.assert_redirect("/");
        assert_eq!(app.upstream.lines(), [""; 0], "{session}");
    }
}
