//! A handler that panics fails its own response and nothing else.

use std::{
    panic::{set_hook, take_hook},
    sync::Mutex,
    thread,
};

use axum::{
    Extension, Router,
    body::Body,
    http::{Request, header},
    routing::{get, post},
};
use leptos_axum::{LeptosRoutes, generate_route_list, render_app_async_with_context};
use serde_json::json;
use tower::ServiceExt;
use tracing::subscriber::DefaultGuard;
use vincula_testing::Lines;

use crate::{
    http::error_pages,
    pages::{App, document},
    routes::Page,
    server::{around, page},
    session::Visitor,
    tests::{TestApp, answer::Answer},
    words,
};

/// Text in the panics' messages, as messages of the standard library may quote it.
const PERSONAL: &str = "Beatriz Nogueira 529.982.247-25";

static TURN: Mutex<()> = Mutex::new(());

/// Captures the log of this thread, with its panics. Those of other tests go to the hook before.
pub fn log_of_this_thread() -> (Lines, DefaultGuard) {
    // Taking a hook and setting one are two steps.
    let _turn = TURN.lock().unwrap();
    let (me, otherwise) = (thread::current().id(), take_hook());
    set_hook(Box::new(move |panic| {
        if thread::current().id() == me {
            error_pages::log_location(panic)
        } else {
            otherwise(panic)
        }
    }));
    vincula_testing::log_of_this_thread()
}

/// Routes that panic: plain handlers, and the framework's handlers of pages and actions, which lack
/// their context here.
async fn broken() -> Router {
    let state = TestApp::on_sandbox().await.state;
    let pages = generate_route_list(App)
        .into_iter()
        .filter(|page| page.path() != "/integration/accounts")
        .collect();
    let routes = Router::new()
        .route(
            "/integration/accounts",
            get(async || -> &str { panic!("no account of {PERSONAL}") }),
        )
        .route(
            "/api/broken",
            post(async || -> &str { panic!("no account of {PERSONAL}") }),
        )
        .leptos_routes(&state.leptos, pages, document)
        .with_state(state.leptos.clone());
    around(routes, &state)
}

#[tokio::test]
async fn panic_returns_error_page_and_logs_its_location() {
    let (lines, _guard) = log_of_this_thread();
    let router = broken().await;
    for (method, path) in [
        ("GET", "/integration/accounts"),
        ("POST", "/api/broken"),
        ("GET", "/?token=a"),
        ("POST", "/api/validate_token"),
    ] {
        let body = r#"{"input":{"query":"?token=a"}}"#;
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header("content-type", "application/json");
        let request = request
            .body(Body::from(if method == "POST" { body } else { "" }))
            .unwrap();
        let seen = Answer::of(router.clone().oneshot(request).await.unwrap()).await;
        assert_eq!(seen.status, 500, "{method} {path}: {}", seen.text);
        let id = seen.headers["x-request-id"].to_str().unwrap().to_owned();
        assert_eq!(seen.headers[header::CACHE_CONTROL], "no-store");
        assert!(seen.headers.contains_key(header::CONTENT_SECURITY_POLICY));
        if path.starts_with("/api/") {
            let to = format!("/error/token-invalid?falha=servico&codigo={id}");
            assert_eq!(seen.json(), json!({ "kind": "navigate", "to": to }));
        } else {
            for words in [words::BROKEN_TITLE, words::TRY_AGAIN, &id] {
                assert!(seen.text.contains(words), "{words}: {}", seen.text);
            }
        }
        let log = lines.take();
        let told = |line: &&str| {
            line.contains("handler panicked") && line.contains(&id) && line.contains(".rs:")
        };
        assert!(
            log.lines().any(|line| told(&line)),
            "{method} {path}: {log}"
        );
        let mut errors = log.lines().filter(|line| line.contains("ERROR"));
        assert!(
            errors.all(|line| line.contains(&id)),
            "also the line of the panic itself: {log}"
        );
        let access = |line: &&str| line.contains("status=500") && line.contains(&id);
        assert!(
            log.lines().any(|line| access(&line)),
            "{method} {path}: {log}"
        );
        assert!(
            !log.contains("Beatriz") && !log.contains("529.982"),
            "{log}"
        );
    }
}

/// The guard admits no such request. If it did, the client would get a support code, and not an
/// empty page.
#[tokio::test]
async fn page_of_a_session_is_a_500_without_one() {
    let (_lines, _guard) = log_of_this_thread();
    let state = TestApp::on_sandbox().await.state;
    let render = render_app_async_with_context(page::context(state.clone()), document);
    let pages = Router::new()
        .fallback(get(render))
        .layer(Extension(Visitor::default()));
    let router = around(pages, &state);
    for page in Page::ALL {
        // The address of the new integration has no screen, and the end of the cancellation shows
        // nothing of the session.
        if !page.needs_session() || matches!(page, Page::New | Page::CancelSuccess) {
            continue;
        }
        let request = Request::get(page.path()).body(Body::empty()).unwrap();
        let seen = Answer::of(router.clone().oneshot(request).await.unwrap()).await;
        assert_eq!(seen.status, 500, "{page:?}: {}", seen.text);
        let id = seen.headers["x-request-id"].to_str().unwrap();
        assert!(seen.text.contains(id), "{page:?}: {}", seen.text);
    }
}
