//! A handler that panics fails its own response and nothing else.

use std::{
    panic::{set_hook, take_hook},
    sync::Mutex,
    thread,
};

use axum::{
    Router,
    body::Body,
    http::{Request, header},
    routing::{get, post},
};
use leptos_axum::{LeptosRoutes, generate_route_list};
use serde_json::json;
use tower::ServiceExt;
use tracing::subscriber::DefaultGuard;
use vincula_testing::Lines;

use crate::{
    server::with_common_layers,
    steps::App,
    telemetry::panics,
    tests::{HOST_NAME, TestApp, answer::Answer},
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
            panics::log_location(panic);
        } else {
            otherwise(panic);
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
        .leptos_routes(&state.leptos, pages, App)
        .with_state(state.leptos.clone());
    with_common_layers(routes, &state)
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
            .header(header::HOST, HOST_NAME)
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
            assert_eq!(seen.json(), json!({ "navigate": { "to": to } }));
        } else {
            for words in [words::BROKEN_TITLE, words::TRY_AGAIN, &id] {
                assert!(seen.text.contains(words), "{words}: {}", seen.text);
            }
        }
        let log = lines.take();
        let told =
            |line: &&str| line.contains("panicked") && line.contains(&id) && line.contains(".rs:");
        assert!(
            log.lines().any(|line| told(&line)),
            "{method} {path}: {log}"
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
