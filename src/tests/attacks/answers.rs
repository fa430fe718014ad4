//! The security headers of every kind of response.

use serde_json::json;

use super::{
    injection::{Markup, markup},
    *,
};
use crate::tests::{bank_form, site};

/// Requests for each kind of response: pages and files, actions and forms, rejections and redirects.
fn asks(target: &Target) -> Vec<(String, Ask)> {
    let cookie = target.cookie();
    let mut asks = Vec::new();
    let mut add = |name: &str, ask: Ask| asks.push((name.to_owned(), ask));
    for path in [
        "/?token=abc",
        "/error/token-expired",
        "/error/nothing",
        "/acessibilidade",
        "/nowhere",
        "/integration/x.css",
        "/healthz",
        "/readyz",
        "/robots.txt",
        "/favicon.svg",
        site::CSS,
        site::CONSENT_JS,
        "/pkg/nothing.css",
        "/fonts/nothing.woff2",
        "/",
        "/integration/accounts",
        "/api/list_accounts",
    ] {
        add(&format!("GET {path}"), Ask::get(path));
        add(&format!("HEAD {path}"), Ask::new("HEAD", path));
    }
    for path in [
        "/?token=abc",
        "/integration/accounts",
        "/integration/accounts?listar=1",
        "/integration/select-bank",
        "/integration/widget",
        "/integration/new",
        "/integration/update",
        "/integration/success",
        "/cancel/confirm",
        "/cancel/success",
    ] {
        add(&format!("GET {path} with a session"), Ask::get(path).with("cookie", cookie.clone()));
    }
    add("a file again", Ask::get(site::CSS).with("if-modified-since", "Thu, 01 Jan 2099 00:00:00 GMT"));
    add("a part of a file", Ask::get(site::CSS).with("range", "bytes=0-1"));
    add("a part that is not there", Ask::get(site::CSS).with("range", "bytes=999-"));
    add("a packed page", Ask::get("/acessibilidade").with("accept-encoding", "br"));
    add("a method that there is not", Ask::new("DELETE", "/integration/accounts"));
    add("a method that a file has not", Ask::new("DELETE", site::CSS));
    add("a long address", Ask::get(format!("/acessibilidade?{}", "a".repeat(9_000))));
    add("an action", target.action("list_banks", json!({})));
    add("an action that keeps something", target.action("save_bank_form", bank_form()));
    add("an action of nobody", target.action("list_banks", json!({})).without("cookie"));
    add(
        "an action of another page",
        Ask::json("/api/list_banks", &json!({ "input": { "session": "x" } })).with("cookie", cookie.clone()),
    );
    add("an action without arguments", Ask::json("/api/list_banks", &json!({})).with("cookie", cookie.clone()));
    add("an action that there is not", Ask::json("/api/nothing", &json!({})));
    add("an action of another site", target.action("list_banks", json!({})).without("sec-fetch-site"));
    add("an action of another type", target.action("list_banks", json!({})).without("content-type"));
    add("an action that is too large", Ask::json("/api/nothing", &json!("a".repeat(17_000))));
    add(
        "a form",
        Ask::post("/integration/widget", wire::FORM, format!("session={}", target.page())).with("cookie", cookie),
    );
    add("a form of nobody", Ask::post("/cancel/confirm", wire::FORM, "session=x"));
    add("a form of another site", Ask::new("POST", "/cancel/confirm"));
    asks
}

type Holds = fn(&str) -> bool;

/// The headers, and the condition that each must meet.
const HEADERS: [(&str, Holds); 11] = [
    ("content-security-policy", |value| {
        value.starts_with("default-src 'none'; ")
            && value.contains("frame-ancestors 'none'")
            && !value.contains("unsafe-inline")
    }),
    ("referrer-policy", |value| matches!(value, "no-referrer" | "same-origin")),
    ("x-content-type-options", |value| value == "nosniff"),
    ("strict-transport-security", |value| value == "max-age=63072000"),
    ("x-frame-options", |value| value == "DENY"),
    ("cross-origin-opener-policy", |value| matches!(value, "same-origin" | "same-origin-allow-popups")),
    ("cross-origin-resource-policy", |value| value == "same-origin"),
    ("permissions-policy", |value| value.contains("camera=()") && value.contains("payment=()")),
    ("x-request-id", |value| value.len() == 12 && value.bytes().all(|byte| byte.is_ascii_hexdigit())),
    ("cache-control", |value| value == "no-store" || value.starts_with("public, max-age=")),
    ("date", |value| value.ends_with(" GMT")),
];

#[tokio::test]
async fn every_answer_says_what_the_browser_must_know() {
    let target = Target::of(TestApp::consented(json!({})).await).await;
    let mut area = Area::begin("headers of answers");
    let (mut nonces, mut documents) = (Vec::new(), 0);
    for (name, ask) in asks(&target) {
        let reply = target.ask(&ask).await;
        for (header, holds) in HEADERS {
            let mut violations = Violations::default();
            let value = reply.header(header).unwrap_or_default().into_owned();
            violations.check(holds(&value), format_args!("{value:?} ({})", reply.status));
            area.case(format_args!("{header} of {name}"), violations);
        }
        let mut violations = Violations::default();
        violations.check_common(&reply);
        let is_packed = reply.header("content-encoding").is_some();
        if reply.is_document() && !reply.body.is_empty() && !is_packed {
            documents += 1;
            nonces.extend(check_only_our_scripts_run(&mut violations, &reply));
        }
        area.case(name, violations);
    }
    let mut violations = Violations::default();
    let made = nonces.len();
    nonces.sort_unstable();
    nonces.dedup();
    violations.check(nonces.len() == made && made > 10 && documents > made, "nonces are not fresh, or there are none");
    area.case("nonces", violations);
    area.finish();
}

/// Checks that only scripts and styles with the nonce run in a document, and nothing else. Returns the nonce.
fn check_only_our_scripts_run(violations: &mut Violations, reply: &Reply) -> Option<String> {
    let policy = reply.header("content-security-policy").unwrap_or_default().into_owned();
    let nonce = policy.split("'nonce-").nth(1).and_then(|rest| rest.split('\'').next()).map(str::to_owned);
    violations.check(nonce.as_ref().is_none_or(|nonce| nonce.len() >= 22), "a short nonce");
    for tag in markup(&reply.text()) {
        let Markup::Start { name, attributes } = tag else { continue };
        let of = |wanted: &str| attributes.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.as_str());
        if name == "script" && of("type") != Some("application/json") {
            violations.check(nonce.is_some() && of("nonce") == nonce.as_deref(), "a script without the nonce");
        }
        violations.check(name != "style" || of("nonce") == nonce.as_deref(), "a style without the nonce");
        violations.check(!matches!(&*name, "base" | "iframe" | "object" | "embed"), format_args!("a {name}"));
        for (attribute, value) in &attributes {
            let is_harmless = attribute != "style" && !attribute.starts_with("on") && attribute != "srcdoc";
            violations.check(
                is_harmless && !value.trim().to_lowercase().starts_with("javascript:"),
                format_args!("{attribute} of {name}"),
            );
        }
    }
    nonce
}
