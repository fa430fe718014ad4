//! Redirects lead to pages of ours, whatever the upstream responds and whatever a link holds.

use serde_json::{Value, json};
use vincula_domain::routes::Page;
use wire::FORM;

use super::*;
use crate::tests::{catalogue::due, consent_form, scripted::Act};

/// A native request, and the call that it makes.
#[derive(Debug, Clone, Copy)]
enum Form {
    Entry,
    Consent,
    Cancel,
    Accounts,
    AccountsToCancel,
}

const FORMS: [Form; 5] = [Form::Entry, Form::Consent, Form::Cancel, Form::Accounts, Form::AccountsToCancel];

impl Form {
    fn call(self) -> &'static str {
        match self {
            Self::Entry => "validate-token",
            Self::Consent => "authorize-customer",
            Self::Cancel => "cancel-integrations",
            Self::Accounts | Self::AccountsToCancel => "list-accounts",
        }
    }

    async fn app(self) -> TestApp {
        match self {
            Self::Entry => TestApp::start().await,
            Self::Consent | Self::Cancel => due("accept_consent").await,
            Self::Accounts | Self::AccountsToCancel => due("list_accounts").await,
        }
    }

    fn ask(self, target: &Target) -> Ask {
        let page = target.page();
        match self {
            Self::Entry => Ask::post("/?token=abc", FORM, ""),
            Self::Consent => Ask::post("/integration/widget", FORM, consent_form(&page)),
            Self::Cancel => Ask::post("/cancel/confirm", FORM, format!("session={page}")),
            Self::Accounts => Ask::get("/integration/accounts?listar=1"),
            Self::AccountsToCancel => Ask::get("/cancel/confirm?listar=1"),
        }
        .with("cookie", target.cookie())
    }
}

/// Responses that try to redirect elsewhere or to inject text.
fn wicked() -> Vec<Act> {
    let loud = |act: Act| {
        act.with("location: https://ev1l.example/")
            .with("set-cookie: ev1l=1")
            .with("refresh: 0;url=https://ev1l.example")
    };
    let message = "ev1l\r\nLocation: https://ev1l.example <script>ev1l</script>";
    let text = json!({ "ev1l": message }).to_string();
    vec![
        loud(Act::text(302, "text/html", "<a href=\"https://ev1l.example\">ev1l</a>")),
        loud(Act::text(307, "text/html", "ev1l")),
        loud(Act::error(401, "Expired token ev1l")),
        loud(Act::error(404, "Token not found ev1l")),
        loud(Act::error(400, message)),
        loud(Act::error(500, message)),
        loud(Act::text(503, "text/html", "<h1>ev1l</h1>")),
        loud(Act::text(422, "application/json", &text)),
        Act::Reset,
        Act::Cut,
        Act::Garbage,
    ]
}

/// Checks that a redirect leads to a page of ours, with nothing in its query but marks of ours.
fn check_is_ours(violations: &mut Violations, reply: &Reply) {
    let Some(to) = reply.header("location") else { return };
    let (path, query) = to.split_once('?').unwrap_or((&to, ""));
    let is_plain = to.starts_with('/') && !to.starts_with("//") && to.bytes().all(|byte| byte.is_ascii_graphic());
    violations.check(is_plain && Page::at(path).is_some(), format_args!("leads to {to}"));
    let is_mark = |pair: &str| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        match name {
            "codigo" => value.len() == 12 && value.bytes().all(|byte| byte.is_ascii_hexdigit()),
            "aviso" | "validado" | "listar" | "falha" => {
                value.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            }
            // The link that the person is sent back to.
            "token" => path == "/" && value == "abc",
            _ => pair.is_empty(),
        }
    };
    violations.check(query.split('&').all(is_mark), format_args!("leads to {to}"));
}

#[tokio::test]
async fn forms_lead_to_pages_of_ours_whatever_the_upstream_answers() {
    let acts = wicked();
    let cases: Vec<_> = FORMS.into_iter().flat_map(|form| (0..acts.len()).map(move |act| (form, act))).collect();
    let mut area = Area::begin("forms before a faulty upstream");
    for (form, act) in sample(cases, 30) {
        let act = acts[act].clone();
        let target = Target::of(form.app().await).await;
        target.app.upstream.on(form.call(), act.clone());
        let reply = target.ask(&form.ask(&target)).await;
        let mut violations = Violations::default();
        violations.check_status(&reply, &[200, 303]);
        violations.check_common(&reply);
        violations.check(reply.header("refresh").is_none(), "refreshes");
        violations
            .check(reply.header("set-cookie").is_none_or(|set| set.starts_with("__Host-vincula=")), "a foreign cookie");
        check_is_ours(&mut violations, &reply);
        area.case(format_args!("{form:?}, {act:?}"), violations);
    }
    area.finish();
}

/// Text that a link may hold beside its token.
const QUERIES: [&[u8]; 22] = [
    b"x=https://example.com/",
    b"x=//example.com",
    b"//example.com",
    b"/\\example.com",
    b"@example.com",
    b"x=%0d%0aSet-Cookie:%20a=b",
    b"x=%0aLocation:%20//example.com",
    b"x=%e2%80%a8",
    b"x=%00",
    b"x=<script>",
    b"x=\"onload=alert(1)",
    b"x='",
    b"x={{constructor}}",
    b"x=%ff%fe",
    b"x=\\",
    b"x=`",
    b"?token=other",
    b";token=other",
    b"aviso=sem-resposta",
    b"aviso=sem-resposta&aviso=sem-resposta",
    b"codigo=0123456789ab",
    b"next=/integration/accounts&redirect=/&url=/&return_to=/",
];

/// Links to the entry, to a page of a session, and to a page without one.
const LINKS: [&str; 6] = [
    "POST /?token=abc&",
    "GET /?",
    "GET /integration/new?",
    "GET /integration/accounts?listar=1&",
    "GET /cancel/success?",
    "GET /?of-success&",
];

#[tokio::test]
async fn what_a_link_holds_leads_nowhere_else() {
    let mut cases: Vec<_> = LINKS.iter().flat_map(|link| QUERIES.map(|query| (*link, query))).collect();
    cases.push(("GET //example.com/%2f..?", b""));
    cases.push(("GET //example.com/integration/accounts?", b""));
    cases.push(("POST //example.com?token=abc&", b""));
    let mut area = Area::begin("odd links");
    let app = due("list_accounts").await;
    for call in ["validate-token", "list-accounts"] {
        app.upstream.on(call, Act::Reset);
    }
    let target = Target::of(app).await;
    for (link, query) in cases {
        let (method, path) = link.split_once(' ').unwrap();
        let address = [path.as_bytes(), query].concat();
        let ask = match method {
            "POST" => Ask::post(address, FORM, ""),
            _ if path.starts_with("/?") || path.starts_with("/integration/new") => Ask::get(address),
            _ => Ask::get(address).with("cookie", target.cookie()),
        };
        let reply = target.ask(&ask).await;
        let mut violations = Violations::default();
        violations.check_status(&reply, &[200, 303, 400, 404, 405]);
        violations.check_common(&reply);
        violations
            .check(reply.header("set-cookie").is_none_or(|set| set.starts_with("__Host-vincula=")), "a foreign cookie");
        if let Some(to) = reply.header("location") {
            let here = to.split_once('?').map_or(&*to, |(path, _)| path);
            violations.check(here.starts_with('/') && Page::at(here).is_some(), format_args!("leads to {to}"));
            violations.check(!to.contains(['\r', '\n']), "breaks the line");
        }
        let shown: Value = String::from_utf8_lossy(query).into();
        area.case(format_args!("{link}{shown}"), violations);
    }
    area.finish();
}
