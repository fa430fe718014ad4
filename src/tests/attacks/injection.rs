//! Markup in every text of the upstream: each document has the elements and attributes that it has with a plain text.

use std::collections::HashMap;

use html5gum::{Token, Tokenizer};
use serde_json::json;

use super::*;
use crate::tests::{ITEM, bank_form, profile, scripted::Act};

/// A part of a document that is no text.
#[derive(Debug, Clone, PartialEq)]
pub enum Markup {
    Start { name: String, attributes: Vec<(String, String)> },
    End(String),
    Comment(String),
    Doctype,
}

/// The markup and the texts of a document, as a browser's tokenizer reads them.
fn read(html: &str) -> (Vec<Markup>, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (mut markup, mut texts) = (Vec::new(), String::new());
    for Ok(token) in Tokenizer::new(html) {
        match token {
            Token::StartTag(tag) => {
                let attributes = tag.attributes.iter().map(|(name, value)| (text(name), text(value)));
                markup.push(Markup::Start { name: text(&tag.name), attributes: attributes.collect() });
            }
            Token::EndTag(tag) => markup.push(Markup::End(text(&tag.name))),
            Token::Comment(comment) => markup.push(Markup::Comment(text(&comment))),
            Token::Doctype(_) => markup.push(Markup::Doctype),
            Token::String(string) => texts.push_str(&text(&string)),
            Token::Error(_) => {}
        }
    }
    (markup, texts)
}

pub fn markup(html: &str) -> Vec<Markup> {
    read(html).0
}

/// The same without the values that may be text: it keeps the attributes' names, and the values that are addresses or
/// code.
fn skeleton(html: &str) -> Vec<Markup> {
    let acts = |name: &str| {
        let is_address = matches!(name, "href" | "src" | "srcset" | "action" | "formaction" | "poster" | "data");
        is_address || name.starts_with("on") || matches!(name, "style" | "type" | "rel" | "http-equiv" | "id" | "name")
    };
    let settled = |markup| match markup {
        Markup::Start { name, attributes } => {
            let value = |name: &str, value: String| if acts(name) { value } else { String::new() };
            let attributes = attributes.into_iter().map(|(name, was)| (name.clone(), value(&name, was))).collect();
            Markup::Start { name, attributes }
        }
        other => other,
    };
    markup(html).into_iter().map(settled).collect()
}

const PAYLOADS: [&str; 16] = [
    "<script>ev1l()</script>",
    "</script><script>ev1l()</script><!--",
    "\"><img src=x onerror=ev1l()>",
    "' onmouseover='ev1l()' autofocus onfocus='ev1l()",
    "</title><svg onload=ev1l()>",
    "--><script>ev1l()</script><!-- <!--<script>",
    "javascript:ev1l()",
    "{{session}}{{customerName}}${ev1l()}<%= ev1l %>",
    "</textarea></style></noscript></template><iframe srcdoc='<script>ev1l()</script>'>",
    "&lt;img src=x onerror=ev1l()&gt;&#60;script&#62;&NewLine;&quot;",
    "\u{202e}\u{2066}<\u{2028}script>ev1l\u{2029}</\u{feff}script>",
    "a\r\nset-cookie: ev1l=1\r\n\r\n<b>",
    "<\0script>ev1l()</\0script>",
    "<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=ev1l()&gt;\">",
    "]]></p><base href=//ev1l.example><meta http-equiv=refresh content=0;url=//ev1l.example>",
    "\\u003cscript\\u003eev1l\\x3c/script\\x3e`+ev1l()+`",
];

/// A plain text in place of the payload, for the run to compare with.
const PLAIN: &str = "texto";

/// Every text of a session, then every text of an account.
const FIELDS: [&str; 14] = [
    "client_name",
    "client_cpfcnpj",
    "customer_id",
    "customer_name",
    "widget_account_admin_name",
    "widget_account_admin_cpfcnpj",
    "widget_account_bank",
    "widget_type",
    "link_id",
    "client_uuid",
    "bank",
    "agency",
    "number",
    "name",
];

const OF_ACCOUNT: usize = 10;

/// Fields that a page shows unchanged, and the page.
const SHOWN: [(&str, &str); 5] = [
    ("client_name", "/integration/accounts"),
    ("bank", "/integration/accounts?listar=1"),
    ("agency", "/cancel/confirm?listar=1"),
    ("number", "/integration/accounts?listar=1"),
    ("name", "/cancel/confirm?listar=1"),
];

/// Pages, and the action that leads to the next ones.
type Step = (&'static [&'static str], Option<(&'static str, serde_json::Value)>);

/// Every document of a session from the link to the cancellation, where one field is this text.
async fn documents(field: &str, text: &str) -> Vec<(&'static str, Reply)> {
    let of_account = FIELDS[OF_ACCOUNT..].contains(&field);
    let (changes, rows) = match of_account {
        true => (json!({}), json!([{ "bank": "B", "agency": "1", "number": "2", "name": "N", field: text }])),
        false => (json!({ field: text }), json!([{ "bank": "B", "agency": "1", "number": "2", "name": "N" }])),
    };
    let app = TestApp::start().await;
    app.upstream.on("validate-token", Act::data(&profile(changes)));
    app.upstream.on("list-accounts", Act::data(&rows));
    let mut target = Target::of(app).await;
    target.app.enter().await;
    let mut documents = Vec::new();
    let steps: [Step; 5] = [
        (
            &[
                "/?token=abc",
                "/integration/widget",
                "/integration/accounts",
                "/integration/accounts?listar=1",
                "/cancel/confirm",
                "/cancel/confirm?listar=1",
                "/error/link-not-exists",
                "/acessibilidade",
                "/nowhere",
            ],
            Some(("accept_consent", json!({}))),
        ),
        (&["/integration/select-bank"], Some(("save_bank_form", bank_form()))),
        (&["/integration/widget"], Some(("finish_connect", json!({ "itemId": ITEM })))),
        (&["/integration/success", "/integration/accounts"], Some(("cancel_integrations", json!({})))),
        (&["/cancel/success"], None),
    ];
    for (paths, action) in steps {
        for path in paths {
            let reply = target.ask(&Ask::get(*path).with("cookie", target.cookie())).await;
            documents.push((*path, reply));
        }
        if let Some((action, input)) = action {
            target.app.done(action, input).await;
        }
    }
    documents
}

/// A text as the tokenizer reads it: one form of line ends, and no zero bytes.
fn as_read(text: &str) -> String {
    text.replace("\r\n", "\n").replace(['\0', '\u{fffd}'], "")
}

#[tokio::test]
async fn texts_of_the_upstream_add_nothing_to_any_document() {
    let cases: Vec<_> = FIELDS.iter().flat_map(|field| PAYLOADS.map(|payload| (*field, payload))).collect();
    let mut plain = HashMap::new();
    let mut area = Area::begin("markup in texts of the upstream");
    for (field, payload) in sample(cases, 16) {
        if !plain.contains_key(field) {
            plain.insert(field, documents(field, PLAIN).await);
        }
        for ((path, reply), (_, expected)) in documents(field, payload).await.into_iter().zip(&plain[field]) {
            let mut violations = Violations::default();
            violations.check_status(&reply, &[expected.status]);
            violations.check(reply.is_document() && !reply.body.is_empty(), "no document");
            let (seen, usual) = (skeleton(&reply.text()), skeleton(&expected.text()));
            let other = seen.iter().zip(&usual).find(|(seen, usual)| seen != usual);
            violations.check(other.is_none() && seen.len() == usual.len(), format_args!("builds something: {other:?}"));
            let in_head = reply.head.iter().any(|(_, value)| value.contains(MARK));
            violations.check(!in_head && reply.header("set-cookie").is_none(), "changes the head");
            if SHOWN.contains(&(field, path)) {
                violations.check(as_read(&read(&reply.text()).1).contains(&as_read(payload)), "is not shown as it is");
            }
            area.case(format_args!("{payload:?} as {field} at {path}"), violations);
        }
    }
    area.finish();
}

/// Otherwise the test above could not fail.
#[test]
fn what_an_injection_builds_is_seen_in_an_attack() {
    let page = |text: &str| {
        format!("<!DOCTYPE html><p title=\"{text}\">{text}</p><script>{text}</script><a href=\"{text}\">x</a>")
    };
    let plain = skeleton(&page(PLAIN));
    assert_eq!(plain.len(), 7);
    for payload in PAYLOADS.iter().filter(|payload| payload.contains(['"', '>']) || payload.starts_with("javascript:"))
    {
        assert_ne!(skeleton(&page(payload)), plain, "{payload}");
    }
}
