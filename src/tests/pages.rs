//! Rendered documents: texts, titles, and data that they must not contain.

use std::collections::BTreeSet;

use axum::{
    body::Body,
    http::{Request, header::HOST},
};
use html5gum::{Token, Tokenizer};
use leptos_axum::generate_route_list;
use serde_json::json;
use tower::ServiceExt;

use super::{
    Act, Answer, HOST_NAME, ITEM, LINK, TOKEN_MARK, TestApp, bank_form,
    guards::with,
    screens::{addresses, screens},
    site,
};
use crate::{routes::Page, steps::App};

/// The marker that Leptos writes next to dynamic text.
const MARK: &str = "<!>";

/// Header and side image are hidden where Connect is hosted. The firm's name comes first, and the
/// product's after it. Consent and Connect have no header, so their cards name the firm.
#[tokio::test]
async fn every_screen_has_language_title_image_and_firm() {
    let mut titles = BTreeSet::new();
    for screen in screens(&json!({})).await {
        let (page, what) = (&screen.page, screen.what());
        assert!(
            page.text.starts_with("<!DOCTYPE html>") && page.text.contains("<html lang=\"pt-BR\""),
            "{what}"
        );
        assert_eq!(
            page.header_of("content-type"),
            Some("text/html; charset=utf-8"),
            "{what}"
        );
        assert_eq!(
            page.status,
            if screen.name == "not-found" { 404 } else { 200 },
            "{what}"
        );
        let owner = if screen.names_firm() {
            "Contábil Horizonte"
        } else {
            "Vincula"
        };
        page.assert_shows(&[&format!("<title>{} — {owner}</title>", screen.title())]);
        titles.insert((screen.title().to_owned(), screen.name));
        assert_eq!(
            (screen.tags("title").len(), screen.tags("main").len()),
            (1, 1),
            "{what}"
        );
        let prerendered_elsewhere = matches!(screen.name, "connect" | "update" | "bank-form");
        // The entry has another one in the section of its failure, which is hidden.
        let headings = if screen.name == "entry" { 2 } else { 1 };
        assert!(
            screen.tags("h1").len() == headings || prerendered_elsewhere,
            "{what}: {}",
            page.text
        );

        match screen.side_image() {
            Some(image) => {
                let image = format!("src=\"/illustrations/{image}.svg\"");
                page.assert_shows(&[&image, "page__header", "data-chrome=\"full\""]);
                assert_eq!(page.text.matches("page__illustration").count(), 1, "{what}");
            }
            None => {
                page.assert_lacks(&["page__illustration", "page__header"]);
                page.assert_shows(&["data-chrome=\"bare\""]);
            }
        }

        let text = page.text.replace(MARK, "");
        let beside = text
            .split("<dialog")
            .next()
            .unwrap()
            .split("<aside")
            .next()
            .unwrap();
        let speaks = "<strong class=\"brand__firm\">Contábil Horizonte</strong>";
        let expected = match screen.name {
            _ if screen.names_firm() => (1, 0),
            _ => (0, 1),
        };
        assert_eq!(
            (
                beside.matches(speaks).count(),
                beside.matches("brand__mark").count()
            ),
            expected,
            "{what}: {text}"
        );
        // Another site may have opened the link that the dialog is about.
        let notice = text
            .split_once("<dialog")
            .map(|(_, dialog)| dialog.matches(speaks).count());
        assert_eq!(
            notice,
            text.contains("vincula-context").then_some(0),
            "{what}"
        );
    }
    let names: BTreeSet<_> = titles.iter().map(|(title, _)| title).collect();
    assert_eq!(names.len(), titles.len(), "each has its own: {titles:?}");
}

#[test]
fn router_has_one_route_per_page() {
    let routes = generate_route_list(App);
    let paths: Vec<_> = routes
        .iter()
        .map(|route| route.path().replace("{type}", "token-expired"))
        .collect();
    assert_eq!(paths.len(), Page::ALL.len(), "{paths:?}");
    for &page in Page::ALL {
        assert!(
            paths.iter().any(|path| Page::from_path(path) == Some(page)),
            "{page:?}: {paths:?}"
        );
    }
}

/// For every spelling of an address, the router renders the page that the guard has checked.
#[tokio::test]
async fn guard_and_router_agree_on_page() {
    let mut app = TestApp::linked(json!({})).await;
    for (address, page) in [
        ("/integration/accounts/", "/integration/accounts"),
        ("/cancel/confirm/", "/cancel/confirm"),
        ("/acessibilidade/", "/acessibilidade"),
        ("/error/token-expired/", "/error/token-expired"),
        ("/error/..", "/nowhere"),
        ("/error/%2e%2e", "/nowhere"),
        ("/error/a\\b", "/nowhere"),
        ("/error/../cancel/confirm", "/nowhere"),
        ("/x/../integration/accounts", "/nowhere"),
        ("/x/%2E%2e/integration/accounts", "/nowhere"),
        ("/integration\\accounts", "/nowhere"),
        ("/integration/./accounts", "/nowhere"),
        ("/integration//accounts", "/nowhere"),
        ("//integration/accounts", "/nowhere"),
        ("/integration/accounts//", "/nowhere"),
        ("/x/..", "/nowhere"),
        ("/error", "/nowhere"),
    ] {
        let (found, expected) = (app.get(address).await, app.get(page).await);
        assert_eq!(found.status, expected.status, "{address}");
        assert_eq!(found.settled(), expected.settled(), "{address}");
    }
}

/// Only pages that need a context have one, with only these fields. No page contains the token.
#[tokio::test]
async fn context_contains_what_islands_need() {
    for screen in screens(&json!({ "client_cpfcnpj": "12.ABC.345/01DE-35" })).await {
        let (page, what) = (&screen.page, screen.what());
        assert!(
            !format!("{page:?}").contains(TOKEN_MARK),
            "{what}: {page:?}"
        );
        if !screen.is_of_session() {
            page.assert_lacks(&["vincula-context"]);
            continue;
        }
        let context = page.context();
        let mut names: Vec<_> = context
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        names.sort_unstable();
        let expected = "authorized bank bankForm cancelled clientName consent customerName isConfirmed linking \
                        renewalDue session widgetType";
        assert_eq!(names.join(" "), expected, "{what}: {context}");
        assert_eq!(
            context["bankForm"].is_object(),
            screen.name == "bank-form",
            "{what}"
        );
        assert_eq!(
            context["consent"].is_object(),
            screen.name == "consent",
            "{what}"
        );
        let shows_cpf = ["529.982.247-25", "11144477735"]
            .iter()
            .any(|cpf| page.text.contains(cpf));
        assert_eq!(
            shows_cpf,
            screen.name == "bank-form",
            "{what}: a CPF in full is for the bank form only"
        );
        assert_eq!(
            page.text.contains("12.ABC.345/01DE-35"),
            ["consent", "success"].contains(&screen.name),
            "{what}: the client's CNPJ is for the consent and the receipt only"
        );
        let upstream_ids = ["0b9f9a52-3c1d-4d7e-9a6a-2f1c8f0f5e11", "4711"];
        // As a whole word, because a nonce may contain any four digits.
        let mut words = page
            .text
            .split(|char: char| !char.is_ascii_alphanumeric() && !"-_+/=".contains(char));
        assert!(
            words.all(|word| !upstream_ids.contains(&word)),
            "{what}: {}",
            page.text
        );
    }
}

/// Every document of a session in which every text of the upstream, and the bank's name in the
/// form, is this text.
async fn documents(text: &str) -> Vec<(String, Answer)> {
    let texts = json!({
        "client_name": text, "client_cpfcnpj": text, "customer_id": text, "customer_name": text,
        "widget_account_admin_name": text, "widget_account_admin_cpfcnpj": text, "widget_account_bank": text,
        "client_uuid": text,
    });
    let screens = screens(&texts)
        .await
        .into_iter()
        .map(|screen| (screen.what(), screen.page));
    let mut documents: Vec<_> = screens.collect();
    let mut app = TestApp::consented(texts).await;
    let row = json!([{ "bank": text, "agency": text, "number": text, "name": text }]);
    app.upstream.on("list-accounts", Act::data(&row));
    let mut form = bank_form();
    form["bankName"] = text.into();
    app.link_another(form, ITEM).await;
    for path in ["/integration/accounts", "/integration/success"] {
        documents.push((path.to_owned(), app.get(path).await));
    }
    documents
}

/// The elements of a document with the names of their attributes and the values that are addresses
/// or code, as a browser's tokenizer reads them; and its texts.
fn read(html: &str) -> (Vec<String>, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let acts = |name: &str| {
        let is_address = matches!(
            name,
            "href" | "src" | "srcset" | "action" | "formaction" | "poster" | "data"
        );
        is_address
            || name.starts_with("on")
            || matches!(
                name,
                "style" | "type" | "rel" | "http-equiv" | "id" | "name"
            )
    };
    let (mut markup, mut texts) = (Vec::new(), String::new());
    for Ok(token) in Tokenizer::new(html) {
        match token {
            Token::StartTag(tag) => {
                let attributes = tag
                    .attributes
                    .iter()
                    .map(|(name, value)| (text(name), text(value)));
                let attributes = attributes.map(|(name, value)| {
                    if acts(&name) {
                        name + "=" + &value
                    } else {
                        name
                    }
                });
                markup.push(format!(
                    "<{} {:?}>",
                    text(&tag.name),
                    attributes.collect::<Vec<_>>()
                ));
            }
            Token::EndTag(tag) => markup.push(format!("</{}>", text(&tag.name))),
            Token::Comment(comment) => markup.push(format!("<!--{}", text(&comment))),
            Token::String(string) => texts.push_str(&text(&string)),
            Token::Doctype(_) | Token::Error(_) => {}
        }
    }
    (markup, texts)
}

/// Texts of the upstream never change the elements and attributes of a document.
#[tokio::test]
async fn escapes_texts_of_upstream() {
    let plain = documents("texto").await;
    for payload in [
        "</script><script>evil()</script><!--",
        "\"><img src=x onerror=evil()><base href=//evil.example>",
        "' onmouseover='evil()' autofocus onfocus='evil()",
        "</title></textarea></style></template><svg onload=evil()>--><script>evil()",
        "javascript:evil()//{{session}}{{customerName}}${evil()}",
        "&lt;img src=x onerror=evil()&gt;&#60;script&#62; \\u003cscript>",
    ] {
        for ((what, page), (_, usual)) in documents(payload).await.into_iter().zip(&plain) {
            assert_eq!(page.status, usual.status, "{payload} at {what}");
            let ((markup, texts), (expected, _)) = (read(&page.settled()), read(&usual.settled()));
            assert_eq!(markup, expected, "{payload} at {what}");
            if what.starts_with("/integration/accounts") {
                assert!(
                    texts.contains(payload),
                    "{payload} is not shown as it is at {what}: {texts}"
                );
                assert_eq!(page.context()["clientName"], payload, "{what}");
            }
        }
    }
}

/// The consent names the client, their document (a CPF is masked) and the firm before any script runs. The
/// rest is in React's screen.
#[tokio::test]
async fn consent_names_firm_and_client_without_script() {
    let mut app = TestApp::entered(json!({ "client_name": "Ana & \"Filhos\" {{session}}" })).await;
    let page = app.get("/integration/widget").await;
    page.assert_shows(&[
        "<strong>Contábil Horizonte</strong>",
        "Ana &amp; &quot;Filhos&quot; {{session}}",
        "CNPJ 12.ABC.345/01DE-35 contabilidade.</p>",
        &format!("name=\"session\" value=\"{}\"", app.snapshot().id),
        &format!("<link rel=\"modulepreload\" href=\"{}\"", site::CONSENT_JS),
    ]);
    page.assert_lacks(&["{{clientName}}", "{{customerName}}"]);
    assert_eq!(
        page.context()["consent"],
        json!({
            "clientDocument": "CNPJ 12.ABC.345/01DE-35",
        }),
        "React hydrates the same texts"
    );

    let mut app = TestApp::entered(json!({ "client_cpfcnpj": "529.982.247-25" })).await;
    let page = app.get("/integration/widget").await;
    page.assert_shows(&["CPF ***.982.247-** contabilidade.</p>"]);
}

/// A link preview names the sender but nothing of the client. The picture's address has the
/// requested host.
#[tokio::test]
async fn link_preview_names_product_and_purpose() {
    let mut app = TestApp::start().await;
    app.get(LINK).await.assert_shows(&[
        "property=\"og:site_name\" content=\"Vincula\"",
        "property=\"og:title\" content=\"Pedido do seu escritório de contabilidade\"",
        &format!("property=\"og:image\" content=\"https://{HOST_NAME}/social.png\""),
        "<meta name=\"robots\" content=\"noindex\"",
        "charset=\"utf-8\"",
    ]);
    for host in ["vincula.example:8443", "[2001:db8::1]:3000"] {
        let request = Request::get(LINK).header(HOST, host);
        let page = app.send(request.body(Body::empty()).unwrap()).await;
        page.assert_shows(&[&format!("content=\"https://{host}/social.png\"")]);
    }
    let forged = Request::get(LINK).header(HOST, "a\"><script>");
    let page = app.send(forged.body(Body::empty()).unwrap()).await;
    page.assert_shows(&["content=\"https://a&quot;"]);
}

/// No page repeats text from its address.
#[tokio::test]
async fn documents_do_not_repeat_request_address() {
    let typed = ["evil.example", TOKEN_MARK, "%3Cscript", "\"><script>"];
    for (session, path, name) in addresses() {
        let mut app = with(session, &json!({})).await;
        let query = if path.contains('?') { "&" } else { "?" };
        let page = app
            .get(&format!(
                "{path}{query}next=https://evil.example/&{TOKEN_MARK}=%22%3E%3Cscript%3E"
            ))
            .await;
        assert_eq!(page.page(), Some(name), "{path}");
        page.assert_lacks(&typed);
    }
    let page = TestApp::start()
        .await
        .get(&format!("/{TOKEN_MARK}/%22%3E%3Cscript%3E"))
        .await;
    assert_eq!(page.status, 404);
    page.assert_lacks(&typed);
}

#[tokio::test]
async fn pages_are_compressed_as_the_browser_prefers() {
    let app = TestApp::start().await;
    for (accepted, encoding) in [
        ("gzip, deflate, br, zstd", Some("br")),
        ("gzip, deflate", Some("gzip")),
        ("identity", None),
    ] {
        let mut request = Request::get(LINK)
            .header("accept-encoding", accepted)
            .body(Body::empty())
            .unwrap();
        app.prepare(&mut request);
        let page = app.router.clone().oneshot(request).await.unwrap();
        let found = page.headers().get("content-encoding");
        let found = found.map(|value| value.to_str().unwrap());
        assert_eq!(found, encoding, "{accepted}");
    }
}
