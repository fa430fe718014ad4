//! The route guard: every route against every session.

use leptos::server_fn::axum::server_fn_paths;
use serde_json::{Value, json};

use super::{
    Act, ITEM, LINK, TestApp, bank_form, consent_form, item, no_session, sent_item, update,
};

/// The pages, in the order of the columns below.
pub const PATHS: [&str; 10] = [
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

/// Each session by its history, and the result of each page: its name if it is shown, or else the
/// redirect's target.
pub const TABLE: [(&str, [&str; 10]); 14] = [
    (
        "none",
        [NOT_FOUND, "entry", "/", "/", "/", "/", "/", "/", "/", "/"],
    ),
    (
        "ended",
        [NOT_FOUND, "entry", "/", "/", "/", "/", "/", "/", "/", "/"],
    ),
    (
        "forged",
        [NOT_FOUND, "entry", "/", "/", "/", "/", "/", "/", "/", "/"],
    ),
    (
        "new",
        [
            NOT_FOUND,
            "entry",
            WIDGET,
            "consent",
            "accounts",
            WIDGET,
            NEW,
            NEW,
            "cancel-confirm",
            CONFIRM,
        ],
    ),
    (
        "new, consented",
        [
            NOT_FOUND,
            "entry",
            ACCOUNTS,
            SELECT_BANK,
            "accounts",
            "bank-form",
            NEW,
            NEW,
            "cancel-confirm",
            CONFIRM,
        ],
    ),
    (
        "new, bank chosen",
        [
            NOT_FOUND,
            "entry",
            ACCOUNTS,
            "connect",
            "accounts",
            "bank-form",
            NEW,
            NEW,
            "cancel-confirm",
            CONFIRM,
        ],
    ),
    (
        "new, linked",
        [
            NOT_FOUND,
            "entry",
            ACCOUNTS,
            SELECT_BANK,
            "accounts",
            "bank-form",
            NEW,
            "success",
            "cancel-confirm",
            CONFIRM,
        ],
    ),
    (
        "new, success told",
        [
            NOT_FOUND,
            "entry",
            ACCOUNTS,
            SELECT_BANK,
            "accounts",
            "bank-form",
            NEW,
            "success",
            "cancel-confirm",
            CONFIRM,
        ],
    ),
    (
        "new, cancelled",
        [
            NOT_FOUND,
            "entry",
            WIDGET,
            "consent",
            "accounts",
            WIDGET,
            NEW,
            NEW,
            "cancel-confirm",
            "cancel-success",
        ],
    ),
    (
        "update",
        [
            NOT_FOUND,
            "entry",
            UPDATE,
            "consent",
            "accounts",
            WIDGET,
            "update",
            UPDATE,
            "cancel-confirm",
            CONFIRM,
        ],
    ),
    (
        "update, linked",
        [
            NOT_FOUND,
            "entry",
            UPDATE,
            "consent",
            "accounts",
            WIDGET,
            "update",
            "success",
            "cancel-confirm",
            CONFIRM,
        ],
    ),
    (
        "update, cancelled",
        [
            NOT_FOUND,
            "entry",
            WIDGET,
            "consent",
            "accounts",
            WIDGET,
            NEW,
            NEW,
            "cancel-confirm",
            "cancel-success",
        ],
    ),
    (
        "cancel",
        [
            NOT_FOUND,
            "entry",
            CONFIRM,
            "consent",
            "accounts",
            WIDGET,
            NEW,
            CONFIRM,
            "cancel-confirm",
            CONFIRM,
        ],
    ),
    (
        "cancel, cancelled",
        [
            NOT_FOUND,
            "entry",
            CONFIRM,
            "consent",
            "accounts",
            WIDGET,
            NEW,
            CONFIRM,
            "cancel-confirm",
            "cancel-success",
        ],
    ),
];

/// A browser with this session and these changes to its data.
pub async fn with(session: &str, changes: &Value) -> TestApp {
    let (kind, history) = session.split_once(", ").unwrap_or((session, ""));
    let mut data = match kind {
        "update" => update(),
        "cancel" => json!({ "widget_type": "cancel" }),
        _ => json!({}),
    };
    data.as_object_mut()
        .unwrap()
        .extend(changes.as_object().unwrap().clone());
    let changes = data;
    let mut app = match (kind, history) {
        ("none" | "forged", _) => TestApp::start().await,
        ("ended", _) | (_, "bank chosen") => TestApp::chosen(changes).await,
        (_, "consented") => TestApp::consented(changes).await,
        ("new", "linked" | "success told" | "cancelled") => TestApp::linked(changes).await,
        _ => TestApp::entered(changes).await,
    };
    match (kind, history) {
        ("ended", _) => app.opened_ago(14_400),
        ("forged", _) => app.jar.session = Some("QUJD".repeat(100)),
        ("update", "linked") => drop(app.finish().await),
        (_, "success told") => drop(app.done("confirm_success", json!({})).await),
        (_, "cancelled") => app.cancel().await,
        _ => {}
    }
    app.drain().await;
    app
}

/// Every action of a session, with a valid input.
pub fn actions() -> [(&'static str, Value); 11] {
    [
        ("accept_consent", json!({})),
        ("list_accounts", json!({})),
        ("list_banks", json!({})),
        ("save_bank_form", bank_form()),
        ("open_connect", json!({})),
        ("close_connect", json!({})),
        ("finish_connect", item(ITEM)),
        ("submit_item", sent_item()),
        (
            "report_connect_error",
            json!({ "message": "x", "itemId": null }),
        ),
        ("confirm_success", json!({})),
        ("cancel_integrations", json!({})),
    ]
}

/// The tests of every action have all of them. The entry's has a token, and the report of an island
/// needs no session.
#[test]
fn knows_every_action_of_a_session() {
    let known = actions().map(|(action, _)| format!("/api/{action}"));
    let mut others: Vec<_> = server_fn_paths()
        .map(|(path, _)| path)
        .filter(|path| known.iter().all(|known| known != path))
        .collect();
    others.sort_unstable();
    assert_eq!(others, ["/api/report_island", "/api/validate_token"]);
}

/// No page view calls the widget API or changes the session.
#[tokio::test]
async fn every_route_follows_specification_in_every_session() {
    for (session, expected) in TABLE {
        let mut app = with(session, &json!({})).await;
        let cookie = app.jar.session.clone();
        app.upstream.forget();
        for (path, expected) in PATHS.into_iter().zip(expected) {
            let slashed = if path.contains('?') {
                path.to_owned()
            } else {
                format!("{}/", path.trim_end_matches('/'))
            };
            for (path, method) in [
                (path, "GET"),
                (path, "HEAD"),
                (&slashed, "GET"),
                (&slashed, "HEAD"),
            ] {
                app.jar.session.clone_from(&cookie);
                let what = format!("{method} {path} with {session}");
                let answer = app.ask(method, path, &[], "").await;
                assert_eq!(
                    answer.header_of("cache-control"),
                    Some("no-store"),
                    "{what}"
                );
                if expected.starts_with('/') {
                    assert_eq!(
                        (answer.status, answer.location()),
                        (303, Some(expected)),
                        "{what}"
                    );
                    assert_eq!(answer.text, "", "{what}");
                } else {
                    assert_eq!((answer.status, answer.location()), (200, None), "{what}");
                    assert_eq!(
                        answer.page(),
                        (method == "GET").then_some(expected),
                        "{what}"
                    );
                }
                assert!(
                    app.jar.session == cookie && answer.header_of("set-cookie").is_none(),
                    "{what} changes the session"
                );
            }
        }
        for path in ["/error/token-expired", "/acessibilidade", "/nowhere"] {
            app.get(path).await;
        }
        assert_eq!(app.upstream.lines(), [""; 0], "{session}");
    }
}

/// Unknown paths, in any spelling, show the Portuguese 404 page without data of the session.
#[tokio::test]
async fn unknown_paths_return_uncached_portuguese_404() {
    let unknown = [
        "/nowhere",
        "/integration",
        "/integration/x.css",
        "/integration/accounts/x.css",
        "/integration/accounts.css",
        "/integration/accounts;x.css",
        "/integration/accounts%2Fx.css",
        "/integration/accounts%3f.css",
        "/integration/accounts/..%2fpkg/x.css",
        "/integration/account%73",
        "/integration%2Faccounts",
        "/cancel/succes%73",
        "/Cancel/success",
        "//integration/accounts",
        "//evil.example/",
        "/error/a/b",
        "/.env",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/..%2f..%2fetc/passwd",
        "/metrics",
        "/api",
        "/api/a/b",
    ];
    for session in ["none", "new, linked"] {
        let mut app = with(session, &json!({})).await;
        for path in unknown {
            let answer = app.get(path).await;
            let what = format!("{path} with {session}");
            assert_eq!(
                (answer.status, answer.page()),
                (404, Some("not-found")),
                "{what}"
            );
            assert_eq!(
                answer.header_of("cache-control"),
                Some("no-store"),
                "{what}"
            );
            assert_eq!(
                answer.header_of("content-type"),
                Some("text/html; charset=utf-8"),
                "{what}"
            );
            answer.assert_shows(&["lang=\"pt-BR\"", "Página não encontrada"]);
            assert_eq!(
                answer.text.matches("<h1").count(),
                1,
                "{what}: {}",
                answer.text
            );
            let mine = [
                "Estrela do Sul",
                "Contábil Horizonte",
                "cancelad",
                "vincula-context",
                "<leptos-island",
            ];
            answer.assert_lacks(&mine);
        }
    }
}

/// So that a late response can undo nothing. A widget API may send a new XSRF token with each
/// response.
#[tokio::test]
async fn views_and_lists_set_no_cookie() {
    let xsrf = ("set-cookie", "XSRF-TOKEN=new");
    for list in [
        Act::data(&json!([])),
        Act::error(401, "Expired token"),
        Act::Reset,
    ] {
        let mut app = TestApp::opened(json!({})).await;
        for call in ["list-accounts", "list-banks"] {
            app.upstream.on(call, list.clone().with(xsrf.0, xsrf.1));
        }
        for path in PATHS {
            for method in ["GET", "HEAD"] {
                let answer = app.ask(method, path, &[], "").await;
                assert_eq!(answer.header_of("set-cookie"), None, "{method} {path}");
            }
        }
        for action in ["list_accounts", "list_banks"] {
            let answer = app.act(action, json!({})).await;
            assert_eq!(answer.header_of("set-cookie"), None, "{action}");
        }
    }
}

/// A session ends four hours after its link was opened, even if it is in use. Opening the link
/// again restarts the time and keeps what was done.
#[tokio::test]
async fn session_ends_a_fixed_time_after_its_link_was_opened() {
    const LIFE: u64 = 14_400;
    let mut app = TestApp::linked(json!({})).await;
    app.opened_ago(LIFE - 60);
    assert_eq!(app.get(ACCOUNTS).await.page(), Some("accounts"));
    app.opened_ago(LIFE);
    app.upstream.forget();
    app.get(ACCOUNTS).await.assert_redirect("/");
    app.act("cancel_integrations", json!({}))
        .await
        .assert_failure(401, &no_session());
    app.get("/?of-success")
        .await
        .assert_redirect("/error/token-not-found?voltou=1");
    assert_eq!(app.upstream.lines(), [""; 0]);

    // No action extends the session, nor does a return from the bank without a token.
    let mut app = TestApp::chosen(json!({})).await;
    app.opened_ago(LIFE - 600);
    let link_opened_at = app.session().unwrap().link_opened_at;
    for answer in [
        app.act("accept_consent", json!({})).await,
        app.validate("?of-success").await,
    ] {
        let cookie = answer.header_of("set-cookie").unwrap();
        let max_age = cookie
            .split_once("Max-Age=")
            .unwrap()
            .1
            .split(';')
            .next()
            .unwrap();
        assert!(
            (590..=600).contains(&max_age.parse::<u64>().unwrap()),
            "the browser keeps it no longer: {max_age}"
        );
    }
    assert_eq!(app.session().unwrap().link_opened_at, link_opened_at);
    let (before, now) = (app.snapshot(), app.state.codec.now());
    app.enter().await;
    assert!(app.session().unwrap().link_opened_at >= now);
    assert_eq!(app.snapshot(), before);
    app.opened_ago(LIFE - 600);
    app.post_form(&format!("{LINK}&of-success"), "").await;
    assert!(app.session().unwrap().link_opened_at >= now);
}

/// Actions of a page whose session was replaced by another link fail with `other_tab`.
#[tokio::test]
async fn action_of_replaced_session_makes_no_call() {
    for (action, input) in actions() {
        let mut app = TestApp::linked(update()).await;
        let old = app.snapshot().id;
        assert_eq!(app.validate("?token=of-another-firm").await.status, 200);
        app.consent().await;
        app.done("save_bank_form", bank_form()).await;
        let before = app.snapshot();
        assert_ne!(before.id, old);
        app.upstream.forget();
        for page in [old.as_str(), "", "0", &before.id.to_uppercase().repeat(2)] {
            let answer = app.act_from(page, action, input.clone()).await;
            answer.assert_failure(409, &json!("other_tab"));
        }
        assert_eq!(app.snapshot(), before, "{action}");
        // The background calls of the actions have arrived by then.
        app.done("list_banks", json!({})).await;
        assert_eq!(app.upstream.lines(), ["GET /list-banks"], "{action}");
    }
}

#[tokio::test]
async fn action_without_session_says_so_without_call() {
    for session in ["none", "ended", "forged"] {
        let mut app = with(session, &json!({})).await;
        app.upstream.forget();
        for (action, input) in actions() {
            let answer = app
                .act_from("0123456789abcdef0123456789abcdef", action, input)
                .await;
            answer.assert_failure(401, &no_session());
        }
        app.post_form(WIDGET, &consent_form("0"))
            .await
            .assert_redirect("/");
        app.post_form(CONFIRM, "session=0")
            .await
            .assert_redirect("/");
        assert_eq!(app.upstream.lines(), [""; 0], "{session}");
    }
}
