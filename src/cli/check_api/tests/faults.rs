//! Faulty APIs, and the finding that names each.

use axum::http::{HeaderValue, StatusCode, header::AUTHORIZATION};
use serde_json::{Value, json};

use super::{
    super::report::Level::{self, Failure, Warning},
    CANCEL_TOKEN, PERSONAL, TOKEN, bad,
    broken::{
        Ask, Broken,
        Fault::{self, After, Before, HangUp},
        Reply,
    },
    check, options,
};

/// A fault, the faulty API, and the finding: its call, name and level.
type Row = (&'static str, Fault, [&'static str; 2], Level);

#[rustfmt::skip]
fn rows() -> Vec<Row> {
    vec![
        // The form of responses.
        ("a page", After(|ask, reply| if ask.call == "validate-token" { reply.body = b"<!doctype html>".into(); }), ["validate-token", "page"], Failure),
        ("no body", After(|ask, reply| if ask.call == "list-banks" { reply.body.clear(); }), ["list-banks", "empty"], Failure),
        ("a word", After(|ask, reply| if ask.call == "success" && reply.is_good() { reply.body = b"OK".into(); }), ["success", "envelope"], Warning),
        ("Latin-1", After(|ask, reply| if ask.call == "list-accounts" && reply.is_good() { reply.body = b"{\"data\":[{\"bank\":\"Ita\xfa\"}]}".into(); }), ["list-accounts", "charset"], Failure),
        ("a byte order mark", After(|ask, reply| if ask.call == "list-banks" && reply.is_good() { reply.body.splice(0..0, *b"\xef\xbb\xbf"); }), ["list-banks", "charset"], Failure),
        ("gzip", After(|ask, reply| if ask.call == "list-banks" && reply.is_good() { reply.set("content-encoding", "gzip"); reply.body = vec![0x1f, 0x8b, 8, 0]; }), ["list-banks", "compression"], Failure),
        ("a redirect", After(|ask, reply| if ask.call == "list-accounts" { reply.status = StatusCode::FOUND; reply.set("location", "/login"); }), ["list-accounts", "redirect"], Failure),
        ("a flood", After(|ask, reply| if ask.call == "list-accounts" && reply.is_good() { reply.body.resize(600 * 1024, b' '); }), ["list-accounts", "too-large"], Failure),
        ("a large answer", After(|ask, reply| if ask.call == "list-banks" && reply.is_good() { reply.body.resize(200 * 1024, b' '); }), ["list-banks", "size"], Warning),
        ("JSON as text", After(|_, reply| reply.set("content-type", "text/html; charset=utf-8")), ["list-banks", "content-type"], Warning),
        ("another charset", After(|_, reply| reply.set("content-type", "application/json; charset=iso-8859-1")), ["list-banks", "content-type"], Warning),
        ("a closed connection", HangUp("authorize-customer"), ["authorize-customer", "no-reply"], Failure),
        // Envelopes.
        ("no meta", After(|_, reply| if reply.is_good() { reply.json(|body| drop(body.as_object_mut().unwrap().remove("meta"))); }), ["list-banks", "envelope"], Warning),
        ("a status as text", After(|_, reply| if reply.is_good() { reply.json(|body| body["meta"]["status"] = "200".into()); }), ["list-banks", "envelope"], Warning),
        ("a failure beside data", After(|_, reply| if reply.is_good() { reply.json(|body| body["meta"]["status"] = 404.into()); }), ["list-banks", "envelope"], Failure),
        ("no envelope", After(|ask, reply| if ask.call == "list-banks" && reply.is_good() { reply.json(|body| *body = body["data"].take()); }), ["list-banks", "shape"], Failure),
        ("null for no account", After(|ask, reply| if ask.call == "list-accounts" && reply.is_good() { reply.json(|body| body["data"] = Value::Null); }), ["list-accounts", "shape"], Failure),
        ("Pluggy's answer", After(|ask, reply| if ask.call == "connect-token" && reply.is_good() { reply.json(|body| body["data"] = json!({ "accessToken": body["data"] })); }), ["connect-token", "shape"], Failure),
        // Fields.
        ("an object for a name", After(|ask, reply| if ask.call == "validate-token" && reply.is_good() { reply.json(|body| body["data"]["client_name"] = json!({ "first": "Boa Vista" })); }), ["validate-token", "fields"], Failure),
        ("no id of the firm", After(|ask, reply| if ask.call == "validate-token" && reply.is_good() { reply.json(|body| body["data"]["customer_id"] = Value::Null); }), ["validate-token", "fields"], Failure),
        ("no firm", After(|ask, reply| if ask.call == "validate-token" && reply.is_good() { reply.json(|body| body["data"]["customer_name"] = Value::Null); }), ["validate-token", "fields"], Warning),
        ("an unknown kind of link", After(|ask, reply| if ask.call == "validate-token" && reply.is_good() { reply.json(|body| body["data"]["widget_type"] = "renew".into()); }), ["validate-token", "fields"], Warning),
        ("numbers for texts", After(|ask, reply| if ask.call == "list-accounts" && reply.is_good() { reply.json(|body| body["data"][0]["agency"] = 405.into()); }), ["list-accounts", "fields"], Warning),
        ("an unknown field", After(|ask, reply| if ask.call == "list-accounts" && reply.is_good() { reply.json(|body| body["data"][0]["balance"] = 1.into()); }), ["list-accounts", "fields"], Warning),
        ("codes with spaces", After(|ask, reply| if ask.call == "list-banks" && reply.is_good() { reply.json(|body| body["data"][0]["code"] = "0 01".into()); }), ["list-banks", "fields"], Failure),
        ("no bank", After(|ask, reply| if ask.call == "list-banks" && reply.is_good() { reply.json(|body| body["data"] = json!([])); }), ["list-banks", "fields"], Failure),
        ("another name of a bank", After(|ask, reply| if ask.call == "list-accounts" && reply.is_good() { reply.json(|body| body["data"][0]["bank"] = "MeuPluggy".into()); }), ["list-accounts", "bank-names"], Warning),
        // Rejections.
        ("500 for an unknown token", After(|ask, reply| if ask.token().contains("unknown") { reply.refuse(500, "No rows"); }), ["validate-token", "unknown-token"], Failure),
        ("a bare 404 for an unknown token", After(|ask, reply| if ask.token().contains("unknown") { reply.body = b"{\"error\":\"Not Found\"}".into(); }), ["validate-token", "unknown-token"], Failure),
        ("401 for an unknown token", After(|ask, reply| if ask.token().contains("unknown") { reply.refuse(401, "Unauthenticated"); }), ["validate-token", "unknown-token"], Warning),
        ("200 for an unknown token", After(|ask, reply| if ask.token().contains("unknown") { reply.status = StatusCode::OK; }), ["validate-token", "unknown-token"], Warning),
        ("any token works", Before(|ask| if ask.call == "validate-token" { ask.body = json!({ "token": TOKEN }).to_string().into(); }), ["validate-token", "unknown-token"], Failure),
        ("another spelling of Expired token", After(|ask, reply| if ask.token() == "demo-expirado" { reply.refuse(401, "Token expired"); }), ["validate-token", "expired-token"], Failure),
        ("lists without a bearer", Before(as_us_without_bearer), ["list-accounts", "no-bearer"], Failure),
        ("lists with any bearer", Before(as_us), ["list-banks", "wrong-bearer"], Failure),
        ("consents with any bearer", Before(as_us), ["authorize-customer", "wrong-bearer"], Failure),
        ("any firm", After(|ask, reply| if ask.call == "authorize-customer" && reply.status == 422 { done(reply); }), ["authorize-customer", "wrong-id"], Warning),
        ("any document", After(|ask, reply| if ask.call == "cancel-integrations" && reply.status == 422 { done(reply); }), ["cancel-integrations", "wrong-id"], Warning),
        ("500 without a bearer", After(|ask, reply| if ask.header(AUTHORIZATION).is_none() && ask.call == "log" { reply.refuse(500, "Oops"); }), ["log", "no-bearer"], Failure),
        ("another address", After(elsewhere), ["list-banks", "refused"], Failure),
        // XSRF.
        ("a check of XSRF with a session", After(|ask, reply| if ask.call == "connect-token" { reply.refuse(419, "CSRF token mismatch"); }), ["connect-token", "refused"], Failure),
        ("an XSRF cookie that fits no header", After(|ask, reply| if ask.call == "validate-token" { reply.set("set-cookie", "XSRF-TOKEN=a\\b; Path=/"); }), ["validate-token", "xsrf-cookie"], Failure),
        ("an XSRF cookie of the list", After(|ask, reply| if ask.call == "list-accounts" { reply.set("set-cookie", "XSRF-TOKEN=other; Path=/"); }), ["list-accounts", "xsrf-cookie"], Warning),
        ("an XSRF cookie for nothing", After(|ask, reply| if ask.call == "authorize-customer" && reply.status == 403 { done(reply); }), ["authorize-customer", "xsrf"], Warning),
        ("another cookie", After(|ask, reply| if ask.call == "list-banks" { reply.set("set-cookie", "laravel_session=1; HttpOnly"); }), ["list-banks", "cookies"], Warning),
        // Repeated calls.
        ("a token that is used up", After(|ask, reply| if ask.token() == TOKEN && ask.nth > 1 { reply.refuse(401, "Used"); }), ["validate-token", "repeat"], Failure),
        ("no return from the bank", After(|ask, reply| if ask.body.ends_with(b"\"of-success\"}") { reply.refuse(422, "no_validate"); }), ["validate-token", "of-success"], Failure),
        ("a list in any order", After(|ask, reply| if ask.call == "list-banks" && ask.nth == 4 { reply.json(|body| body["data"].as_array_mut().unwrap().reverse()); }), ["list-banks", "repeat"], Warning),
        ("one success only", After(|ask, reply| if ask.call == "success" && ask.nth == 4 { reply.refuse(409, "Done already"); }), ["success", "repeat"], Failure),
        ("one delivery only", After(|ask, reply| if ask.headers.contains_key("idempotency-key") && ask.nth == 7 { reply.refuse(409, "Known"); }), ["log", "repeat"], Failure),
        ("a success that ends the link", After(|ask, reply| if ask.token() == TOKEN && ask.nth > 5 { reply.refuse(401, "Done"); }), ["success", "after"], Failure),
        ("one connect token for ever", After(|ask, reply| if ask.call == "connect-token" && reply.is_good() { reply.json(|body| body["data"] = "the same".into()); }), ["connect-token", "fresh"], Warning),
        ("one cancellation only", After(|ask, reply| if ask.call == "cancel-integrations" && ask.nth == 5 { reply.refuse(404, "Token not found"); }), ["cancel-integrations", "repeat"], Failure),
        ("a cancel link that does not work", After(|ask, reply| if ask.token() == CANCEL_TOKEN { reply.refuse(401, "No"); }), ["cancel-integrations", "token"], Failure),
        ("a cancellation of nothing", After(|ask, reply| if ask.call == "list-accounts" && reply.is_good() { reply.json(|body| body["data"] = json!([{ "bank": "Itaú", "agency": "0405-X", "number": "12345-6", "name": "Boa Vista" }])); }), ["cancel-integrations", "after"], Warning),
        ("an unknown answer to an update", After(|ask, reply| if ask.call == "update-link-account" && reply.is_good() { reply.refuse(400, "No"); }), ["update-link-account", "refused"], Failure),
    ]
}

/// Treats every caller as the client of the link.
fn as_us(ask: &mut Ask) {
    if ask
        .header(AUTHORIZATION)
        .is_some_and(|bearer| bearer.contains("unknown"))
    {
        ask.headers.insert(
            AUTHORIZATION,
            HeaderValue::from_str(&format!("Bearer {TOKEN}")).unwrap(),
        );
    }
}

fn as_us_without_bearer(ask: &mut Ask) {
    if ask.header(AUTHORIZATION).is_none() {
        ask.headers.insert(
            AUTHORIZATION,
            HeaderValue::from_str(&format!("Bearer {TOKEN}")).unwrap(),
        );
    }
}

fn elsewhere(_: &Ask, reply: &mut Reply) {
    reply.status = StatusCode::NOT_FOUND;
    reply.body = b"{\"error\":\"Not Found\"}".into();
}

fn done(reply: &mut Reply) {
    reply.refuse(200, "OK");
}

/// The text of a finding suggests its cause.
#[rustfmt::skip]
#[tokio::test]
async fn findings_name_cause() {
    for (fault, told) in [
        (After(|ask, reply| if ask.call == "list-banks" { reply.status = StatusCode::TEMPORARY_REDIRECT; reply.set("location", "/widget-api/list-banks/"); }), "to the same path with a slash"),
        (After(|ask, reply| if ask.call == "list-banks" { reply.status = StatusCode::NOT_FOUND; reply.body = b"<html>".into(); }), "a page; is the address right?"),
        (After(|ask, reply| if ask.call == "list-banks" && reply.is_good() { reply.json(|body| *body = body["data"].take()); }), "expected { \"data\": …, \"meta\": … }"),
        (After(|ask, reply| if ask.call == "list-banks" { reply.refuse(403, "No"); }), "if it is a check of XSRF, exempt"),
        (After(|ask, reply| if ask.token().contains("unknown") { reply.set("content-encoding", "gzip"); reply.body = vec![0x1f, 0x8b]; }), "shown as an invalid token: compressed; expected"),
        (After(|ask, reply| if ask.header(AUTHORIZATION).is_none() && ask.call == "list-banks" { done(reply); }), "accepted, with data of another shape"),
        (After(|ask, reply| if ask.token().contains("unknown") { reply.status = StatusCode::FOUND; reply.body.clear(); }), ": a redirect, and Vincula follows none; expected"),
    ] {
        let api = Broken::start(fault).await;
        let text = check(&options(&api.url, false)).await.unwrap().text();
        assert!(text.contains(told), "{told}: {text}");
    }
    let api = Broken::start(After(|ask, reply| {
        drop(reply.headers.remove("set-cookie"));
        if ask.call == "list-banks" {
            reply.refuse(403, "No");
        }
    }))
    .await;
    let text = check(&options(&api.url, false)).await.unwrap().text();
    assert!(text.contains("shown as an invalid token") && !text.contains("XSRF, exempt"), "no cookie was set: {text}");
}

#[tokio::test]
async fn detects_each_fault() {
    let guide = include_str!("../../../../docs/widget-api.md");
    let mut missed = Vec::new();
    for (what, fault, [call, name], level) in rows() {
        let api = Broken::start(fault).await;
        let report = check(&options(&api.url, true)).await.unwrap();
        let is_caught = bad(&report)
            .iter()
            .any(|found| (found.call, found.name, found.level) == (call, name, level));
        if !is_caught {
            missed.push(format!("{what}: {}", report.text()));
        }
        let text = report.text();
        for secret in PERSONAL {
            assert!(!text.contains(secret), "{what} shows {secret}: {text}");
        }
        for finding in &report.findings {
            assert!(
                guide.contains(&format!("`{}`", finding.name)),
                "docs/widget-api.md does not explain {}",
                finding.name
            );
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}
