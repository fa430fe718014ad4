//! The gallery from outside, through the whole server.

use std::collections::HashSet;

use axum::{
    Router,
    body::{Body, to_bytes},
    http::{HeaderMap, HeaderValue, Request, StatusCode},
};
use clap::Parser;
use serde_json::json;
use tower::ServiceExt;
use vincula_domain::routes::Page;
use vincula_sandbox::{Sandbox, SandboxOptions};

use super::{index::Choice, states};
use crate::{
    config::Config,
    server,
    state::AppState,
    tests::{any_key, site::site},
};

async fn on_sandbox(args: &[&str]) -> Router {
    let sandbox = Sandbox::start(SandboxOptions::default()).await.unwrap();
    let config = Config::try_parse_from([&["vincula"], args].concat()).unwrap().check().unwrap();
    let state = AppState::new(&config, &site(), Some(&sandbox)).unwrap();
    server::router(state, &site(), Some(&sandbox))
}

fn on_real_upstream() -> Router {
    let keys = any_key();
    let args = [
        "vincula",
        "--widget-api-url",
        "http://127.0.0.1:9/widget",
        "--session-keys",
        &keys,
        "--trusted-proxies",
        "none",
    ];
    let config = Config::parse_from(args).check().unwrap();
    server::router(AppState::new(&config, &site(), None).unwrap(), &site(), None)
}

async fn get(router: &Router, path: &str) -> (StatusCode, HeaderMap, String) {
    let request = Request::get(path).body(Body::empty()).unwrap();
    let (parts, body) = router.clone().oneshot(request).await.unwrap().into_parts();
    let body = to_bytes(body, 1 << 20).await.unwrap();
    (parts.status, parts.headers, String::from_utf8(body.into()).unwrap())
}

fn paths() -> Vec<String> {
    let states = states::all().into_iter().flat_map(|step| step.states);
    states.map(|state| format!("/sandbox/screens/{}", state.slug)).collect()
}

#[tokio::test]
async fn every_state_is_the_document_of_its_page() {
    let router = on_sandbox(&[]).await;
    for state in states::all().into_iter().flat_map(|step| step.states) {
        let (status, headers, html) = get(&router, &format!("/sandbox/screens/{}", state.slug)).await;
        let expected = if state.path == "/galeria" { StatusCode::NOT_FOUND } else { StatusCode::OK };
        assert_eq!(status, expected, "{}", state.slug);
        assert!(html.contains("id=\"conteudo\"") && html.contains("data-play="), "{}", state.slug);
        let page = Page::at(state.path.split('?').next().unwrap());
        let knows =
            page.is_some_and(|page| page.needs_session() && !matches!(page, Page::CancelSuccess | Page::Receipt));
        assert_eq!(html.contains("id=\"vincula-context\""), knows, "{}", state.slug);
        assert!(!headers.contains_key("set-cookie"), "{}", state.slug);
    }
}

#[tokio::test]
async fn frames_are_for_our_own_page_only_and_as_strict_as_the_product() {
    let router = on_sandbox(&[]).await;
    for path in ["/sandbox/screens/accounts-many", "/sandbox/screens/connect-open"] {
        let (_, headers, html) = get(&router, path).await;
        let policy = headers["content-security-policy"].to_str().unwrap();
        assert!(policy.contains("frame-ancestors 'self'"), "{policy}");
        assert!(!policy.contains("unsafe-inline"), "{policy}");
        assert_eq!(headers["x-frame-options"], "SAMEORIGIN");
        let nonce = policy.split_once("'nonce-").unwrap().1.split_once('\'').unwrap().0;
        let script = html.split("<script").find(|script| script.contains("data-play=")).unwrap();
        assert!(script.contains(&format!("nonce=\"{nonce}\"")), "{script}");
        let ours = html.find("data-play=").unwrap();
        assert_eq!(html.find("<script").unwrap(), html[..ours].rfind("<script").unwrap(), "it runs first");
    }
    let (_, headers, html) = get(&router, "/error/token-expired").await;
    assert!(headers["content-security-policy"].to_str().unwrap().contains("frame-ancestors 'none'"));
    assert_eq!(headers["x-frame-options"], "DENY");
    assert!(!html.contains("data-play="), "the product itself has no scenario");
}

#[tokio::test]
async fn the_index_frames_every_state_at_the_chosen_width_and_theme() {
    let router = on_sandbox(&[]).await;
    let (status, headers, html) = get(&router, "/sandbox/gallery?width=1440&theme=dark").await;
    assert_eq!(status, StatusCode::OK);
    assert!(html.contains("class=\"gallery gallery--1440\""));
    for path in paths() {
        assert!(html.contains(&format!("<iframe src=\"{path}?theme=dark\"")), "{path}");
    }
    for inline in ["<script", "<style", "style=", "onclick"] {
        assert!(!html.contains(inline), "{inline}");
    }
    let policy = headers["content-security-policy"].to_str().unwrap();
    assert!(policy.contains("frame-src 'self'") && policy.contains("frame-ancestors 'none'"), "{policy}");
    let (_, headers, _) = get(&router, "/sandbox/gallery.css").await;
    assert_eq!(headers["content-type"], "text/css; charset=utf-8");
}

#[tokio::test]
async fn the_list_has_every_state_and_what_it_shows() {
    let (status, headers, list) = get(&on_sandbox(&[]).await, "/sandbox/screens.json").await;
    assert_eq!((status, &headers["content-type"]), (StatusCode::OK, &HeaderValue::from_static("application/json")));
    let listed: Vec<serde_json::Value> = serde_json::from_str(&list).unwrap();
    assert_eq!(listed.len(), paths().len());
    assert!(listed.contains(&json!({ "step": "Consent", "slug": "consent", "shows": "h1" })), "{list}");
}

#[tokio::test]
async fn the_theme_of_a_frame_is_in_its_script() {
    let router = on_sandbox(&[]).await;
    for (query, theme) in [("?theme=dark", "\"theme\":\"dark\""), ("?theme=purple", "\"theme\":\"system\"")] {
        let (_, _, html) = get(&router, &format!("/sandbox/screens/success-new{query}")).await;
        assert!(html.replace("&quot;", "\"").contains(theme), "{query}");
    }
}

#[tokio::test]
async fn an_unknown_state_is_not_found() {
    assert_eq!(get(&on_sandbox(&[]).await, "/sandbox/screens/whatever").await.0, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn nothing_of_it_is_there_with_a_real_upstream() {
    let router = on_real_upstream();
    let more = ["/sandbox/gallery", "/sandbox/gallery.css", "/sandbox/screens.json"].map(str::to_owned);
    for path in paths().into_iter().chain(more) {
        let (status, _, html) = get(&router, &path).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{path}");
        assert!(!html.contains("data-play="), "{path}");
    }
}

#[tokio::test]
async fn a_theme_reaches_every_page_under_its_nonce() {
    let favicon = concat!(env!("CARGO_MANIFEST_DIR"), "/public/favicon.svg");
    let router = on_sandbox(&["--theme-primary", "#4a148c", "--theme-logo", favicon]).await;
    let (_, headers, html) = get(&router, "/sandbox/screens/consent").await;
    let policy = headers["content-security-policy"].to_str().unwrap();
    let nonce = policy.split_once("'nonce-").unwrap().1.split_once('\'').unwrap().0;
    let style = html.split("<style").find(|style| style.contains("--color-primary:#4a148c;")).unwrap();
    assert!(style.starts_with(&format!(" nonce=\"{nonce}\">:root{{")), "{style}");
    assert!(html.contains("content=\"#4a148c\" media=\"(prefers-color-scheme: light)\""), "{html}");
    assert!(html.contains("content=\"#380f69\" media=\"(prefers-color-scheme: dark)\""), "{html}");
    let (_, _, html) = get(&router, "/sandbox/screens/accounts-one").await;
    assert!(html.contains("content=\"#faf8f4\""), "a page with a header keeps its own colour");
    assert!(html.contains("src=\"/theme/") && html.contains("brand__logo") && html.contains("brand__firm"), "{html}");
    let (_, _, consent) = get(&router, "/sandbox/screens/consent").await;
    assert!(
        consent.contains("src=\"/theme/") && consent.contains("brand__logo"),
        "the header is hidden, the logo is not: {consent}"
    );
    let path = html.split_once("src=\"/theme/").unwrap().1.split_once('"').unwrap().0;
    let (status, headers, _) = get(&router, &format!("/theme/{path}")).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(headers["content-type"], "image/svg+xml");
    assert_eq!(headers["x-content-type-options"], "nosniff");
    assert!(headers["cache-control"].to_str().unwrap().contains("immutable"));
    let policy = headers["content-security-policy"].to_str().unwrap();
    assert!(policy.contains("default-src 'none'") && policy.contains("sandbox"), "{policy}");
    let (_, _, html) = get(&router, "/error/token-expired").await;
    assert!(html.contains("alt=\"Logotipo do escritório de contabilidade\""), "no session, no name: {html}");
}

#[tokio::test]
async fn without_a_theme_no_style_is_in_the_page() {
    let router = on_sandbox(&[]).await;
    let (_, _, html) = get(&router, "/error/token-expired").await;
    assert!(!html.contains("--color-primary:") && html.contains("brand__mark") && !html.contains("/theme/"));
}

#[test]
fn states_have_names_of_their_own() {
    let paths = paths();
    assert_eq!(paths.iter().collect::<HashSet<_>>().len(), paths.len());
    assert!(paths.len() > 40);
}

#[test]
fn what_is_not_known_is_a_phone_in_the_systems_theme() {
    let phone = Choice { width: "360", theme: "system" };
    for query in [None, Some(""), Some("width=1&theme=<script>"), Some("theme=system")] {
        assert_eq!(Choice::of(query), phone, "{query:?}");
    }
    assert_eq!(Choice::of(Some("theme=light&width=768")), Choice { width: "768", theme: "light" });
}
