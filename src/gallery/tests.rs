//! Tests of the gallery through the whole server.

use std::collections::HashSet;

use axum::{
    Router,
    body::{Body, to_bytes},
    http::{HeaderMap, Request, StatusCode},
};
use clap::Parser;
use serde_json::{Value, json};
use tower::ServiceExt;
use vincula_domain::routes::Page;
use vincula_sandbox::SandboxOptions;

use super::{index::Choice, scenario::State, states};
use crate::{
    config::{Config, Settings},
    server,
    state::{AppState, Backend},
    tests::{production, site::site},
};

fn router(config: &Config, backend: Backend) -> Router {
    server::router(AppState::new(config, &site(), backend).unwrap(), &site())
}

async fn on_sandbox() -> Router {
    let Settings { api, config } = Config::try_parse_from(["vincula"])
        .unwrap()
        .check()
        .unwrap();
    router(
        &config,
        Backend::start(api, SandboxOptions::default())
            .await
            .unwrap(),
    )
}

async fn get(router: &Router, path: &str) -> (StatusCode, HeaderMap, String) {
    let request = Request::get(path).body(Body::empty()).unwrap();
    let (parts, body) = router.clone().oneshot(request).await.unwrap().into_parts();
    let body = to_bytes(body, 1 << 20).await.unwrap();
    (
        parts.status,
        parts.headers,
        String::from_utf8(body.into()).unwrap(),
    )
}

fn all() -> Vec<State> {
    states::all()
        .into_iter()
        .flat_map(|step| step.states)
        .collect()
}

/// Only pages of the product may frame a state, and its policy is otherwise as strict as the
/// product's.
#[tokio::test]
async fn every_state_renders_document_of_its_page() {
    let router = on_sandbox().await;
    let mut slugs = HashSet::new();
    for state in all() {
        let (status, headers, html) = get(
            &router,
            &format!("/sandbox/screens/{}?theme=dark", state.slug),
        )
        .await;
        let expected = if state.path == "/galeria" {
            StatusCode::NOT_FOUND
        } else {
            StatusCode::OK
        };
        assert_eq!(status, expected, "{}", state.slug);
        let page = Page::at(state.path.split('?').next().unwrap());
        let knows = page.is_some_and(|page| {
            page.needs_session() && !matches!(page, Page::CancelSuccess | Page::Receipt)
        });
        assert_eq!(
            html.contains("id=\"vincula-context\""),
            knows,
            "{}",
            state.slug
        );
        assert!(
            html.contains("id=\"conteudo\"") && !headers.contains_key("set-cookie"),
            "{}",
            state.slug
        );
        assert!(
            html.replace("&quot;", "\"").contains("\"theme\":\"dark\""),
            "{}",
            state.slug
        );

        let policy = headers["content-security-policy"].to_str().unwrap();
        assert!(
            policy.contains("frame-ancestors 'self'") && !policy.contains("unsafe-inline"),
            "{policy}"
        );
        assert_eq!(headers["x-frame-options"], "SAMEORIGIN");
        let nonce = policy
            .split_once("'nonce-")
            .unwrap()
            .1
            .split_once('\'')
            .unwrap()
            .0;
        let first = html.split("<script").nth(1).unwrap();
        assert!(
            first.contains("data-play=") && first.contains(&format!("nonce=\"{nonce}\"")),
            "{first}"
        );
        assert!(slugs.insert(state.slug), "{}", state.slug);
    }
    assert!(slugs.len() > 40);
    assert_eq!(
        get(&router, "/sandbox/screens/whatever").await.0,
        StatusCode::NOT_FOUND
    );
    let (_, headers, html) = get(&router, "/error/token-expired").await;
    assert_eq!(headers["x-frame-options"], "DENY");
    assert!(
        !html.contains("data-play="),
        "the product itself has no scenario"
    );
}

#[tokio::test]
async fn index_and_list_contain_every_state() {
    let router = on_sandbox().await;
    let (_, headers, html) = get(&router, "/sandbox/gallery?width=1440&theme=dark").await;
    let (_, _, list) = get(&router, "/sandbox/screens.json").await;
    let listed: Vec<Value> = serde_json::from_str(&list).unwrap();
    assert!(html.contains("class=\"gallery gallery--1440\""));
    for State { slug, .. } in all() {
        assert!(
            html.contains(&format!(
                "<iframe src=\"/sandbox/screens/{slug}?theme=dark\""
            )),
            "{slug}"
        );
        assert!(listed.iter().any(|state| state["slug"] == slug), "{slug}");
    }
    assert!(
        listed.contains(&json!({ "step": "Consent", "slug": "consent", "shows": "h1" })),
        "{list}"
    );
    for inline in ["<script", "<style", "style=", "onclick"] {
        assert!(!html.contains(inline), "{inline}");
    }
    assert!(
        headers["content-security-policy"]
            .to_str()
            .unwrap()
            .contains("frame-ancestors 'none'")
    );
    for query in [None, Some("width=1&theme=<script>"), Some("theme=system")] {
        assert_eq!(
            Choice::of(query),
            Choice {
                width: "360",
                theme: "system"
            },
            "{query:?}"
        );
    }
}

#[tokio::test]
async fn gallery_is_404_with_real_upstream() {
    let (config, backend) = production("http://127.0.0.1:9/widget", &[]);
    let router = router(&config, backend);
    let slugs = all()
        .into_iter()
        .map(|state| format!("screens/{}", state.slug));
    for path in slugs.chain(["gallery", "gallery.css", "screens.json"].map(str::to_owned)) {
        let (status, _, html) = get(&router, &format!("/sandbox/{path}")).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{path}");
        assert!(!html.contains("data-play="), "{path}");
    }
}
