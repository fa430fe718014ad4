//! The rendered documents: texts, titles, and data that must not be in them.

use axum::{
    body::Body,
    http::{HeaderValue, Request, header::HOST},
};
use serde_json::json;
use tower::ServiceExt;

use super::{
    Answer, HOST_NAME, ITEM, LINK, TOKEN_MARK, TestApp, bank_form,
    screens::{SCREENS, screens},
    scripted::Act,
    site, update,
};

/// Markup that must stay text in a document.
const ATTACK: &str = "</script><script>alert(1)</script>\"'><img src=x onerror=alert(2)><!--{{session}}&amp;\u{2028}";

/// What Leptos leaves beside a text that is not known when it is compiled.
const MARK: &str = "<!>";

#[tokio::test]
async fn every_screen_is_a_portuguese_document_with_its_title() {
    for screen in screens(&json!({})).await {
        let (text, what) = (&screen.page.text, format!("{} as {:?}", screen.path, screen.start));
        assert!(text.starts_with("<!DOCTYPE html>") && text.contains("<html lang=\"pt-BR\""), "{what}: {text}");
        assert_eq!(screen.page.header_of("content-type"), Some("text/html; charset=utf-8"), "{what}");
        let status = if screen.name == "not-found" { 404 } else { 200 };
        assert_eq!(screen.page.status, status, "{what}");
        let owner = if screen.names_firm() { "Contábil Horizonte" } else { "Vincula" };
        let title = format!("<title>{} · {owner}</title>", screen.title);
        assert!(text.contains(&title), "{what}: {title}");
        assert_eq!(screen.tags("title").len(), 1, "{what}");
        let prerendered_elsewhere = matches!(screen.name, "connect" | "bank-form");
        assert!(screen.tags("h1").len() == 1 || prerendered_elsewhere, "{what}: {text}");
        assert_eq!(screen.tags("main").len(), 1, "{what}");
    }
}

/// Header and side image are hidden where Connect is hosted.
#[tokio::test]
async fn side_images_and_headers_are_by_route() {
    for screen in screens(&json!({})).await {
        let (text, what) = (&screen.page.text, format!("{} as {:?}", screen.path, screen.start));
        match screen.side_image {
            Some(image) => {
                assert!(text.contains(&format!("src=\"/illustrations/{image}.svg\"")), "{what}: {text}");
                assert_eq!(text.matches("page__illustration").count(), 1, "{what}");
                assert!(text.contains("page__header") && text.contains("data-chrome=\"full\""), "{what}");
            }
            None => {
                assert!(!text.contains("page__illustration") && !text.contains("page__header"), "{what}: {text}");
                assert!(text.contains("data-chrome=\"bare\""), "{what}");
            }
        }
    }
}

#[tokio::test]
async fn the_token_is_in_no_document_and_no_head() {
    for screen in screens(&json!({})).await {
        let what = format!("{} as {:?}", screen.path, screen.start);
        assert!(!screen.page.text.contains(TOKEN_MARK), "{what}: {}", screen.page.text);
        for (name, value) in &screen.page.headers {
            assert!(!value.to_str().unwrap().contains(TOKEN_MARK), "{what}: {name}");
        }
    }
    let mut app = TestApp::chosen(json!({})).await;
    for (action, input) in [
        ("list_accounts", json!({})),
        ("list_banks", json!({})),
        ("open_connect", json!({})),
        ("finish_connect", json!({ "itemId": ITEM })),
        ("confirm_success", json!({})),
        ("cancel_integrations", json!({})),
    ] {
        let answer = app.act(action, input).await;
        assert!(!format!("{answer:?}").contains(TOKEN_MARK), "{action}");
    }
}

/// D4: only the pages that need a context have one, with these fields only.
#[tokio::test]
async fn the_context_is_what_the_islands_need() {
    for screen in screens(&json!({ "client_cpfcnpj": "12.ABC.345/01DE-35" })).await {
        let what = format!("{} as {:?}", screen.path, screen.start);
        if matches!(screen.name, "entry" | "error" | "not-found" | "cancel-success" | "receipt" | "accessibility") {
            assert!(!screen.page.text.contains("vincula-context"), "{what}");
            continue;
        }
        let context = screen.page.context();
        let mut names: Vec<_> = context.as_object().unwrap().keys().map(String::as_str).collect();
        names.sort_unstable();
        assert_eq!(
            names,
            [
                "authorized",
                "bank",
                "bankForm",
                "cancelledAt",
                "clientName",
                "customerName",
                "hasReceipt",
                "isSuccess",
                "linkings",
                "renewalDue",
                "session",
                "widgetType"
            ],
            "{what}: {context}"
        );
        assert_eq!(context["bankForm"].is_object(), screen.name == "bank-form", "{what}");
        let documents = ["12.ABC.345/01DE-35", "529.982.247-25", "11144477735"];
        let shown = documents.iter().any(|document| screen.page.text.contains(document));
        assert_eq!(shown, screen.name == "bank-form", "{what}: documents in full are for the bank form only");
        let upstream_ids = ["0b9f9a52-3c1d-4d7e-9a6a-2f1c8f0f5e11", "4711"];
        // As a whole word: four digits may stand in any nonce.
        let mut words = screen.page.text.split(|char: char| !char.is_ascii_alphanumeric() && !"-_+/=".contains(char));
        assert!(words.all(|word| !upstream_ids.contains(&word)), "{what}: {}", screen.page.text);
    }
}

/// Any text of the upstream, anywhere in any document.
#[tokio::test]
async fn texts_of_the_upstream_stay_texts() {
    let hostile = json!({
        "client_name": ATTACK, "customer_name": ATTACK, "widget_account_admin_name": ATTACK,
        "widget_account_admin_cpfcnpj": ATTACK, "widget_account_bank": "\"><script>alert(3)</script>",
        "client_uuid": ATTACK, "customer_id": ATTACK,
    });
    let mut seen = 0;
    for screen in screens(&hostile).await {
        let (text, what) = (&screen.page.text, format!("{} as {:?}", screen.path, screen.start));
        for harm in ["<script>alert", "<img src=x", "<!--{{", "\u{2028}"] {
            let inside = if harm == "\u{2028}" { script_of_context(text) } else { text };
            assert!(!inside.contains(harm), "{harm:?} at {what}: {text}");
        }
        for script in screen.tags("script") {
            assert!(script.contains("nonce=") || script.contains("application/json"), "{script} at {what}");
        }
        assert!(screen.tags("img").iter().all(|img| !img.contains("onerror")), "{what}");
        if text.contains("vincula-context") {
            let context = screen.page.context();
            assert_eq!((&context["clientName"], &context["customerName"]), (&json!(ATTACK), &json!(ATTACK)), "{what}");
            seen += 1;
        }
        if screen.names_firm() {
            let (_, title) = text.split_once("<title>").unwrap();
            let title = title.split("</title>").next().unwrap();
            assert!(title.contains("&lt;/script&gt;&lt;script&gt;alert(1)"), "{what}: {title}");
        }
    }
    assert!(seen >= 6);
}

fn script_of_context(text: &str) -> &str {
    text.split_once("id=\"vincula-context\"").map_or("", |(_, rest)| rest.split("</script>").next().unwrap())
}

/// Accounts that the server lists are texts, too.
#[tokio::test]
async fn names_of_listed_accounts_stay_texts() {
    let row = json!([{ "bank": ATTACK, "name": ATTACK, "agency": ATTACK, "number": ATTACK }]);
    for path in ["/integration/accounts?listar=1", "/cancel/confirm?listar=1"] {
        let mut app = TestApp::consented(json!({})).await;
        app.upstream.on("list-accounts", Act::data(&row));
        let page = app.get(path).await;
        assert!(page.text.contains("&lt;/script&gt;&lt;script&gt;alert(1)"), "{path}: {}", page.text);
        for harm in ["<script>alert", "<img src=x", "<!--{{"] {
            assert!(!page.text.contains(harm), "{harm} at {path}: {}", page.text);
        }
    }
}

/// Names of banks and accounts are sent as JSON, which no browser renders as a page.
#[tokio::test]
async fn lists_of_the_upstream_travel_as_json() {
    let mut app = TestApp::consented(json!({})).await;
    let row = json!([{ "code": "1", "bank": ATTACK, "name": ATTACK, "agency": ATTACK, "number": ATTACK }]);
    for (action, call, list) in [("list_banks", "list-banks", "banks"), ("list_accounts", "list-accounts", "accounts")]
    {
        app.upstream.on(call, Act::data(&row));
        let answer = app.act(action, json!({})).await;
        assert_eq!(answer.json()[list][0]["name"], ATTACK);
        assert_eq!(answer.header_of("x-content-type-options"), Some("nosniff"));
    }
}

/// The consent names the client, their masked document and the firm before any script runs, and each text once.
#[tokio::test]
async fn the_consent_is_prerendered_with_the_texts_of_the_session() {
    let mut app = TestApp::entered(json!({ "client_name": "Ana & \"Filhos\" {{session}}" })).await;
    let page = app.get("/integration/widget").await;
    let id = app.snapshot().id;
    for part in [
        "<strong>Contábil Horizonte</strong>",
        "Ana &amp; &quot;Filhos&quot; {{session}}",
        "CNPJ **.ABC.345/01DE-**",
        "a contabilidade da sua empresa.",
        &format!("name=\"session\" value=\"{id}\""),
        &format!("<link rel=\"modulepreload\" href=\"{}\"", site::CONSENT_JS),
        "<link rel=\"modulepreload\" href=\"/islands/chunk-REACT.js\"",
    ] {
        assert!(page.text.contains(part), "{part} in {}", page.text);
    }
    assert!(!page.text.contains("{{clientName}}") && !page.text.contains("{{customerName}}"));
}

/// A link preview says whose request it is and nothing of the client.
#[tokio::test]
async fn a_link_preview_shows_whose_request_it_is() {
    let page = TestApp::start().await.get(LINK).await;
    for part in [
        "property=\"og:site_name\" content=\"Vincula\"",
        "property=\"og:title\" content=\"Pedido do seu escritório de contabilidade\"",
        &format!("property=\"og:image\" content=\"https://{HOST_NAME}/social.png\""),
        "<meta name=\"robots\" content=\"noindex\"",
        "charset=\"utf-8\"",
    ] {
        assert!(page.text.contains(part), "{part} in {}", page.text);
    }
}

/// The picture's address is made of the host that was asked for, and only of one.
#[tokio::test]
async fn a_host_that_is_none_is_in_no_document() {
    let app = TestApp::start().await;
    let get = async |host: &[u8]| {
        let host = HeaderValue::from_bytes(host).unwrap();
        let request = Request::get(LINK).header(HOST, host).body(Body::empty()).unwrap();
        Answer::of(app.router.clone().oneshot(request).await.unwrap()).await.text
    };
    for host in ["vincula.example", "vincula.example:8443", "[2001:db8::1]:3000"] {
        assert!(get(host.as_bytes()).await.contains(&format!("content=\"https://{host}/social.png\"")), "{host}");
    }
    let long = "a".repeat(260);
    for host in ["", "a\"><script>", "a/b", "user@a", "a?b", "a b", "\u{e000}", &long] {
        let page = get(host.as_bytes()).await;
        assert!(!page.contains("og:image") && page.contains("og:title"), "{host:?}: {page}");
    }
}

/// The firm comes first, and the product after it, wherever there is a firm; the consent has no header, so there it is in
/// the card.
#[tokio::test]
async fn the_firm_speaks_and_the_product_is_named_after_it() {
    for screen in screens(&json!({})).await {
        let (text, what) = (screen.page.text.replace(MARK, ""), format!("{} as {:?}", screen.path, screen.start));
        let page = text.split("<dialog").next().unwrap().split("<aside").next().unwrap();
        let speaks = "<strong class=\"brand__firm\">Contábil Horizonte</strong> <span class=\"brand__by\">por Vincula";
        let (firm, product) = (page.matches(speaks).count(), page.matches("brand__mark").count());
        let expected = match screen.name {
            "connect" => (0, 0),
            _ if screen.names_firm() => (1, 0),
            _ => (0, 1),
        };
        assert_eq!((firm, product), expected, "{what}: {text}");
        let notice = text.split_once("<dialog").map(|(_, dialog)| dialog.matches(speaks).count());
        assert_eq!(notice, text.contains("vincula-context").then_some(1), "{what}");
    }
}

#[tokio::test]
async fn the_consent_explains_itself_without_a_script() {
    let mut app = TestApp::entered(json!({ "client_cpfcnpj": "529.982.247-25" })).await;
    let text = app.get("/integration/widget").await.text.replace(MARK, "");
    for part in [
        "CPF ***.982.247-**",
        "sua contabilidade.",
        "<a href=\"/integration/accounts\" class=\"link-quiet\">Já autorizei: ver ou cancelar minhas contas</a>",
        "aria-current=\"step\"",
        "Autorize Contábil Horizonte a ler os extratos da conta no seu banco.",
        "Selecione o banco.",
        "Informe o nome e o CPF de quem administra a conta no banco.",
        "Entre na sua conta (agência e conta), no site ou aplicativo do banco.",
        "Confirme a conexão.",
        "regulado pelo Banco Central",
        "feita pela Pluggy",
        "ou falando com Contábil Horizonte.",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert_eq!(text.matches("steps__item").count(), 5);
}

#[tokio::test]
async fn the_consent_links_the_privacy_policy_if_there_is_one() {
    let link = "href=\"https://firm.example/privacidade?a=1&amp;b\"";
    for (options, is_there) in [(&[][..], false), (&["--privacy-url", "https://firm.example/privacidade?a=1&b"], true)]
    {
        let app = TestApp::start().await;
        let mut app = TestApp::with_upstream(app.upstream, options);
        app.enter().await;
        let page = app.get("/integration/widget").await;
        assert_eq!(page.text.contains(link), is_there, "{}", page.text);
        assert_eq!(page.text.contains("Política de privacidade"), is_there);
    }
}

/// React's screens have theirs in React.
#[tokio::test]
async fn the_success_of_a_new_integration_is_its_last_step() {
    for (changes, counts) in [(json!({}), true), (update(), false)] {
        let mut app = TestApp::entered(changes).await;
        app.done("accept_consent", json!({})).await;
        app.done("save_bank_form", bank_form()).await;
        app.done("finish_connect", json!({ "itemId": "an-item" })).await;
        let page = app.get("/integration/success").await;
        assert_eq!(page.text.contains("Passo 5 de 5 · Confirmação"), counts, "{}", page.text);
    }
}

/// No page repeats text that somebody typed into its address.
#[tokio::test]
async fn addresses_are_not_repeated_in_documents() {
    for (start, path, name, ..) in SCREENS {
        let mut app = start.app(&json!({})).await;
        let query = if path.contains('?') { "&" } else { "?" };
        let page = app.get(&format!("{path}{query}next=https://evil.example/&{TOKEN_MARK}=%22%3E%3Cscript%3E")).await;
        assert_eq!(page.page(), Some(name), "{path}");
        for typed in ["evil.example", TOKEN_MARK, "%3Cscript", "\"><script>"] {
            assert!(!page.text.contains(typed), "{typed} at {path}: {}", page.text);
        }
    }
    let page = TestApp::start().await.get(&format!("/{TOKEN_MARK}/%22%3E%3Cscript%3E")).await;
    assert_eq!(page.status, 404);
    assert!(!page.text.contains(TOKEN_MARK) && !page.text.contains("%3Cscript"), "{}", page.text);
}
