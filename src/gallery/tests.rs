//! Tests of the gallery through the whole server.

use std::collections::HashSet;

use axum::http::HeaderMap;
use serde_json::{Value, json};
use vincula_domain::routes::Page;

use super::{index::Choice, scenario::State, states};
use crate::tests::{NO_API, TestApp};

async fn get<A>(app: &mut TestApp<A>, path: &str) -> (u16, HeaderMap, String) {
    let answer = app.get(path).await;
    (answer.status, answer.headers, answer.text)
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
    let mut app = TestApp::on_sandbox().await;
    let mut slugs = HashSet::new();
    for state in all() {
        let (status, headers, html) = get(
            &mut app,
            &format!("/sandbox/screens/{}?theme=dark", state.slug),
        )
        .await;
        let expected = if state.path == "/galeria" { 404 } else { 200 };
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
    assert_eq!(get(&mut app, "/sandbox/screens/whatever").await.0, 404);
    let (_, headers, html) = get(&mut app, "/error/token-expired").await;
    assert_eq!(headers["x-frame-options"], "DENY");
    assert!(
        !html.contains("data-play="),
        "the product itself has no scenario"
    );
}

#[tokio::test]
async fn index_and_list_contain_every_state() {
    let mut app = TestApp::on_sandbox().await;
    let (_, headers, html) = get(&mut app, "/sandbox/gallery?width=1440&theme=dark").await;
    let (_, _, list) = get(&mut app, "/sandbox/screens.json").await;
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
    let mut app = TestApp::on(NO_API, &[]);
    let slugs = all()
        .into_iter()
        .map(|state| format!("screens/{}", state.slug));
    for path in slugs.chain(["gallery", "gallery.css", "screens.json"].map(str::to_owned)) {
        let (status, _, html) = get(&mut app, &format!("/sandbox/{path}")).await;
        assert_eq!(status, 404, "{path}");
        assert!(!html.contains("data-play="), "{path}");
    }
}
