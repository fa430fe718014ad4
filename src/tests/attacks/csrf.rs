//! Requests that other sites make a browser send: by script, by form, by another method, by another type.

use serde_json::json;

use super::*;
use crate::tests::{HOST_NAME, ITEM, bank_form};
use wire::FORM;

/// The headers of requests that do not come from a page of ours.
fn origins() -> Vec<Vec<(&'static str, String)>> {
    let own = format!("https://{HOST_NAME}");
    let origin = |value: &str| vec![("origin", value.to_owned())];
    let site = |value: &str| vec![("sec-fetch-site", value.to_owned())];
    let both = |value: &str| vec![("sec-fetch-site", value.to_owned()), ("origin", own.clone())];
    vec![
        vec![],
        origin("https://ev1l.example"),
        origin("null"),
        origin(""),
        origin("file://"),
        origin(&format!("{own}.ev1l.example")),
        origin(&format!("https://ev1l-{HOST_NAME}")),
        origin(&format!("https://ev1l.example/{own}")),
        origin(&format!("https://{HOST_NAME}@ev1l.example")),
        origin(&format!("{own}:8443")),
        origin(HOST_NAME),
        origin(&format!("{own} https://ev1l.example")),
        site("cross-site"),
        site("same-site"),
        site("none"),
        both("cross-site"),
        both("same-site"),
        both("none"),
        both("Same-Origin"),
        both("same-origin, cross-site"),
        both(""),
        vec![("referer", format!("{own}/integration/accounts"))],
        vec![("x-requested-with", "XMLHttpRequest".to_owned())],
        vec![("cookie", "sec-fetch-site=same-origin".to_owned())],
    ]
}

/// Every action and form, as a page of ours sends it.
fn acts(target: &Target) -> Vec<(&'static str, Ask)> {
    let actions = [
        ("validate_token", json!({ "query": "?token=abc" })),
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
    ];
    let page = target.page();
    let forms = [
        ("/?token=abc", String::new()),
        ("/integration/widget", format!("session={page}&consent=yes")),
        ("/cancel/confirm", format!("session={page}")),
    ];
    let actions = actions.map(|(name, input)| (name, target.action(name, input)));
    let forms = forms.map(|(path, form)| (path, Ask::post(path, FORM, form).with("cookie", target.cookie())));
    actions.into_iter().chain(forms).collect()
}

/// Checks that the request had no effect, and that the response discloses nothing.
fn check_nothing_is_done(violations: &mut Violations, target: &Target, reply: &Reply) {
    violations.check_common(reply);
    violations.check_no_cookie(reply);
    violations.check_anonymous(reply);
    violations.check_no_upstream_call(target);
    for words in ["Failed to", "deserialize", "Form requests", "missing field"] {
        violations.check(!reply.holds(words), format_args!("the framework's words: {}", reply.text()));
    }
}

/// A case: its name, its request, and the allowed statuses.
type Row = (String, Ask, &'static [u16]);

async fn refused(target: &Target, area: &mut Area, rows: Vec<Row>) {
    for (name, ask, statuses) in rows {
        let reply = target.ask(&ask).await;
        let mut violations = Violations::default();
        violations.check_status(&reply, statuses);
        check_nothing_is_done(&mut violations, target, &reply);
        area.case(name, violations);
    }
}

#[tokio::test]
async fn what_other_sites_send_does_nothing() {
    let target = Target::of(TestApp::consented(json!({})).await).await;
    let mut rows: Vec<Row> = Vec::new();
    for origin in origins() {
        for (name, ask) in acts(&target) {
            let ask = ask.without("sec-fetch-site");
            let ask = origin.iter().fold(ask, |ask, (name, value)| ask.with(name, value.as_bytes()));
            rows.push((format!("{name} from {origin:?}"), ask, &[403]));
        }
    }
    let mut area = Area::begin("requests of other sites");
    refused(&target, &mut area, rows).await;
    let own = target.ask(&target.action("list_banks", json!({}))).await;
    let mut violations = Violations::default();
    violations.check_status(&own, &[200]);
    violations.check(target.app.upstream.lines() == ["GET /list-banks"], "a page of ours gets nothing done");
    area.case("a page of ours", violations);
    area.finish();
}

/// Content types that need no preflight, and overrides of the method.
#[tokio::test]
async fn no_other_type_and_no_other_method_acts() {
    let target = Target::of(TestApp::consented(json!({})).await).await;
    let mut rows: Vec<Row> = Vec::new();
    for (name, ask) in acts(&target).into_iter().filter(|(name, _)| !name.starts_with('/')) {
        for kind in [
            "text/plain",
            FORM,
            "multipart/form-data; boundary=x",
            "application/json-patch+json",
            "text/plain; application/json",
            "application/jsonx",
            "",
        ] {
            let ask = ask.clone().without("content-type").with("content-type", kind);
            rows.push((format!("{name} as {kind:?}"), ask, &[415]));
        }
        rows.push((format!("{name} without a type"), ask.without("content-type"), &[415]));
    }
    let cookie = target.cookie();
    for (name, _) in acts(&target) {
        let path = if name.starts_with('/') {
            name.to_owned()
        } else {
            format!("/api/{name}?input[session]={}", target.page())
        };
        for method in ["PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "post"] {
            let ask =
                Ask::new(method, path.clone()).with("cookie", cookie.clone()).with("origin", "https://ev1l.example");
            rows.push((format!("{method} {path}"), ask, &[405]));
        }
        if !name.starts_with('/') {
            for header in ["x-http-method-override", "x-http-method", "x-method-override"] {
                let ask = Ask::get(path.clone()).with("cookie", cookie.clone()).with(header, "POST");
                rows.push((format!("GET {path} with {header}"), ask, &[405]));
            }
            let ask = Ask::get(format!("{path}&_method=POST")).with("cookie", cookie.clone());
            rows.push((format!("GET {path} with _method"), ask, &[405]));
        }
    }
    let mut area = Area::begin("other types and methods");
    refused(&target, &mut area, rows).await;
    area.finish();
}

/// Forms that no page of ours sends, from a page of ours.
#[tokio::test]
async fn no_form_that_is_not_ours_acts() {
    let target = Target::of(TestApp::entered(json!({})).await).await;
    let page = target.page();
    let foreign = "0".repeat(page.len());
    let bodies = [
        (FORM, String::new()),
        (FORM, "session".into()),
        (FORM, "session=".into()),
        (FORM, format!("session={foreign}&consent=yes")),
        (FORM, format!("session={page}&session={page}&consent=yes")),
        (FORM, format!("session={foreign}&session={page}&consent=yes")),
        (FORM, format!("Session={page}&consent=yes")),
        (FORM, format!("session[]={page}&consent=yes")),
        (FORM, format!("session=%{page}&consent=yes")),
        (FORM, format!("session={page}%00&consent=yes")),
        (FORM, "consent=yes".into()),
        (FORM, "&".repeat(10_000)),
        (FORM, "%ff=%fe&\u{fffd}".into()),
        (FORM, json!({ "session": page, "consent": "yes" }).to_string()),
        ("application/json", json!({ "session": page, "consent": "yes" }).to_string()),
        ("text/plain", format!("session={page}&consent=yes")),
        (
            "multipart/form-data; boundary=x",
            format!("--x\r\ncontent-disposition: form-data; name=\"session\"\r\n\r\n{page}\r\n--x--\r\n"),
        ),
        ("", format!("session={page}&consent=yes")),
    ];
    let mut area = Area::begin("forms that are not ours");
    for path in ["/integration/widget", "/cancel/confirm"] {
        for (kind, body) in &bodies {
            let ask = Ask::post(path, kind, body.as_bytes()).with("cookie", target.cookie());
            let reply = target.ask(&ask).await;
            let mut violations = Violations::default();
            let to = reply.header("location").unwrap_or_default().into_owned();
            let is_back = reply.status == 303 && to.split('?').next() == Some(path);
            violations.check(is_back, format_args!("{} to {to:?} instead of back to the page", reply.status));
            check_nothing_is_done(&mut violations, &target, &reply);
            let shown: String = body.chars().take(40).collect();
            area.case(format_args!("{path} with {kind:?} {shown:?}"), violations);
        }
    }
    area.finish();
}
