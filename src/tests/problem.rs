//! `/error/:type`.

use axum::{body::Body, http::Request};
use serde_json::json;
use vincula_domain::{problem::Problem, words};

use super::{Answer, LINK, TestApp, consent_form, scripted::Act, update};

const LINK_OF_OFFICE: &str = "Peça um link novo ao escritório de contabilidade.";
const FIRM: &str = "Contábil Horizonte";
const NOTHING: &str = "Nada foi compartilhado agora.";
const AS_BEFORE: &str = "As contas que você já conectou continuam como estavam.";

/// Each type of error, with the problem whose words its screen shows.
fn types() -> Vec<(&'static str, Problem)> {
    let unknown = ["anything-else", "TOKEN-EXPIRED", "%3Cscript%3Ealert(1)%3C%2Fscript%3E"];
    let known = Problem::ALL.map(|problem| (problem.slug(), problem));
    known.into_iter().chain(unknown.map(|kind| (kind, Problem::TokenInvalid))).collect()
}

#[tokio::test]
async fn each_type_has_its_words_with_or_without_a_session() {
    for (mut app, firm) in [(TestApp::start().await, None), (TestApp::linked(json!({})).await, Some(FIRM))] {
        for (kind, problem) in types() {
            let words::ProblemWords { title, meaning, way_out } = words::problem(problem, firm);
            for path in [format!("/error/{kind}"), format!("/error/{kind}/")] {
                let page = app.get(&path).await;
                assert_eq!((page.status, page.page()), (200, Some("error")), "{path}");
                assert!(page.text.contains(&format!(">{title}<")), "{path}: {}", page.text);
                assert!(page.text.contains(meaning) && page.text.contains(&way_out), "{path}: {}", page.text);
                let owner = firm.unwrap_or("Vincula");
                assert!(page.text.contains(&format!("<title>{title} · {owner}</title>")), "{path}");
                assert_eq!(page.text.contains(&format!("brand__firm\">{FIRM}<")), firm.is_some(), "{path}: the header");
                assert!(!page.text.contains("alert(1)"), "{path}");
                for mine in ["Estrela do Sul", "vincula-context"] {
                    assert!(!page.text.contains(mine), "{mine} at {path}");
                }
            }
        }
    }
}

/// In a session, the person is sent to the firm by its name, and not to "the accounting firm" beside it.
#[tokio::test]
async fn the_way_out_names_the_firm_of_the_session() {
    let mut app = TestApp::linked(json!({})).await;
    for (kind, way_out) in [
        ("token-not-exists", "Peça um link novo a Contábil Horizonte."),
        ("token-expired", "Peça um link novo a Contábil Horizonte."),
        ("token-invalid", "Tente de novo. Se não der certo, peça um link novo a Contábil Horizonte e informe"),
        ("token-not-found", "volte à mensagem de Contábil Horizonte"),
        ("link-not-exists", "Peça um link novo a Contábil Horizonte para conectar"),
        ("link-not-updated", "fale com Contábil Horizonte."),
    ] {
        let page = app.get(&format!("/error/{kind}")).await;
        assert!(page.text.contains(way_out), "{kind}: {}", page.text);
        // The head names the sender for link previews, which have no session.
        let (_, body) = page.text.split_once("<body").unwrap();
        assert!(!body.contains("escritório de contabilidade"), "{kind}");
    }
}

/// "Nothing was shared" stands only where no call can have shared anything.
#[tokio::test]
async fn nothing_shared_is_said_only_where_it_is_sure() {
    let cancelled = || async {
        let mut app = TestApp::linked(json!({})).await;
        app.done("cancel_integrations", json!({})).await;
        app
    };
    for (name, mut app, says) in [
        ("no session", TestApp::start().await, Some(NOTHING)),
        ("arrived", TestApp::entered(json!({})).await, Some(NOTHING)),
        ("arrived to update an account", TestApp::entered(update()).await, Some(AS_BEFORE)),
        ("arrived to cancel accounts", TestApp::entered(json!({ "widget_type": "cancel" })).await, Some(AS_BEFORE)),
        ("consented", TestApp::consented(json!({})).await, Some(AS_BEFORE)),
        ("bank chosen", TestApp::chosen(json!({})).await, Some(AS_BEFORE)),
        ("linked", TestApp::linked(json!({})).await, Some(AS_BEFORE)),
        ("cancelled", cancelled().await, None),
    ] {
        for kind in ["token-expired", "token-not-exists", "token-invalid", "anything-else"] {
            let page = app.get(&format!("/error/{kind}")).await;
            for words in [NOTHING, AS_BEFORE] {
                assert_eq!(page.text.contains(words), says == Some(words), "{name}, {kind}: {words}");
            }
        }
        for kind in ["link-not-exists", "link-not-updated", "cookies-blocked"] {
            let page = app.get(&format!("/error/{kind}")).await;
            assert!(!page.text.contains(NOTHING) && !page.text.contains(AS_BEFORE), "{name}, {kind}");
        }
    }
    let ended = TestApp::start().await.get("/error/token-not-found").await;
    assert!(ended.text.contains(AS_BEFORE), "the session may have ended after an account was linked: {}", ended.text);
}

/// The token expires while the accounts are polled.
#[tokio::test]
async fn an_expired_token_leaves_linked_accounts_as_they_were() {
    let mut app = TestApp::linked(json!({})).await;
    app.upstream.on("list-accounts", Act::error(401, "Expired token"));
    let to = app.act("list_accounts", json!({})).await.json()["to"].as_str().unwrap().to_owned();
    let page = app.get(&to).await;
    assert!(page.text.contains("O prazo deste link acabou") && page.text.contains(AS_BEFORE), "{}", page.text);
    assert!(!page.text.contains("Nada foi compartilhado"), "{}", page.text);
    assert!(!page.text.contains("Tentar de novo"), "no call can succeed: {}", page.text);
}

/// A return from the bank may open in another browser, which has no session.
#[tokio::test]
async fn after_a_return_from_the_bank_something_may_be_shared() {
    for mut app in [TestApp::start().await, TestApp::entered(json!({})).await] {
        app.upstream.on("validate-token", Act::error(401, "Expired token"));
        let to = app.validate(&format!("{}&of-success", &LINK[1..])).await.json()["to"].as_str().unwrap().to_owned();
        assert!(to.ends_with("&of-success"), "{to}");
        let page = app.get(&to).await;
        assert!(page.text.contains(AS_BEFORE) && !page.text.contains("Nada foi"), "{}", page.text);
    }
}

/// The error is of the new link: the browser's session has another firm, maybe.
#[tokio::test]
async fn a_link_that_fails_in_the_session_of_another_one_does_not_name_its_firm() {
    let mut app = TestApp::linked(json!({})).await;
    app.upstream.on("validate-token", Act::error(401, "Expired token"));
    let failed = |answer: Answer| answer.json()["to"].as_str().unwrap().to_owned();
    let other = failed(app.validate("?token=another").await);
    let page = app.get(&other).await;
    assert!(page.text.contains(LINK_OF_OFFICE) && page.text.contains(NOTHING), "{other}: {}", page.text);
    assert!(!page.text.contains(FIRM) && !page.text.contains("Abrir minhas contas"), "{other}: {}", page.text);
    let own = failed(app.validate(&LINK[1..]).await);
    assert!(app.get(&own).await.text.contains("Peça um link novo a Contábil Horizonte."), "{own}");
}

/// Each way on leads to a page that the session may see.
#[tokio::test]
async fn an_error_in_a_session_leads_back_into_it() {
    const AGAIN: &str = "Tentar de novo";
    const ACCOUNTS: &str = "Abrir minhas contas";
    for (name, mut app, home) in [
        ("arrived", TestApp::entered(json!({})).await, "/integration/widget"),
        ("consented", TestApp::consented(json!({})).await, "/integration/accounts"),
        ("bank chosen", TestApp::chosen(json!({})).await, "/integration/widget"),
        ("linked", TestApp::linked(json!({})).await, "/integration/success"),
        ("update", TestApp::entered(update()).await, "/integration/update"),
        ("cancel", TestApp::entered(json!({ "widget_type": "cancel" })).await, "/cancel/confirm"),
    ] {
        let page = app.get("/error/token-invalid").await;
        let leads = |to, words| page.text.contains(&format!("<a href=\"{to}\" class=\"button button--{words}<"));
        assert!(leads(home, format!("primary\">{AGAIN}")), "{name}: {}", page.text);
        let has_more = !matches!(name, "arrived" | "consented");
        assert_eq!(leads("/integration/accounts", format!("secondary\">{ACCOUNTS}")), has_more, "{name}");
        let gone = app.get("/error/link-not-exists").await;
        assert!(gone.text.contains(ACCOUNTS) && !gone.text.contains(AGAIN), "{name}: {}", gone.text);
        assert_eq!(app.get(home).await.status, 200, "{name}");
    }
}

/// The code that the person reads out is that of the failed action, and the upstream has it, too.
#[tokio::test]
async fn the_support_code_is_the_id_of_the_request_that_failed() {
    let mut app = TestApp::entered(json!({})).await;
    app.upstream.on("authorize-customer", Act::error(422, "no"));
    let session = app.snapshot().id;
    for native in [false, true] {
        app.upstream.forget();
        let to = if native {
            let form = consent_form(&session);
            app.post_form("/integration/widget", form).await.location().unwrap().to_owned()
        } else {
            app.act("accept_consent", json!({})).await.json()["to"].as_str().unwrap().to_owned()
        };
        let call = app.upstream.only("POST /authorize-customer");
        let code = call.header("x-request-id").unwrap();
        let page = app.get(&to).await;
        assert_eq!(page.page(), Some("error"));
        assert!(page.text.contains(&format!(">{code}<")), "{code} is not on the screen at {to}");
        assert!(!page.text.contains(page.header_of("x-request-id").unwrap()), "one code, and not two");
    }
}

/// What is no support code is never shown as one.
#[tokio::test]
async fn a_code_that_somebody_made_up_is_not_shown() {
    let mut app = TestApp::start().await;
    for code in ["52998224725", "Ligue-para-0800", "0123456789ABC", "%3Cscript%3Efoo", ""] {
        let page = app.get(&format!("/error/token-expired?codigo={code}")).await;
        let own = page.header_of("x-request-id").unwrap();
        assert!(page.text.contains(&format!(">{own}<")), "{code}");
        assert!(code.is_empty() || !page.text.contains(code), "{code}");
    }
}

/// Without an action before it, it is the id of the page's own request.
#[tokio::test]
async fn the_support_code_is_the_requests_id() {
    let mut app = TestApp::start().await;
    let mut codes = Vec::new();
    for path in ["/error/token-expired", "/error/token-expired", "/nowhere"] {
        let page = app.get(path).await;
        let code = page.header_of("x-request-id").unwrap();
        assert!(code.len() == 12 && code.bytes().all(|b| b.is_ascii_hexdigit()), "{code}");
        assert!(page.text.contains(&format!(">{code}<")), "{path}: {}", page.text);
        codes.push(code.to_owned());
    }
    codes.dedup();
    assert_eq!(codes.len(), 3, "one for each request");
}

/// The statement leads back to where its link was, and never to itself.
#[tokio::test]
async fn pages_beside_the_journey_lead_back_into_it() {
    let mut app = TestApp::consented(json!({})).await;
    let back = |page: &Answer| {
        let (before, _) = page.text.split_once("\" class=\"step__back\"")?;
        before.rsplit('"').next().map(str::to_owned)
    };
    for (session, from, expected) in [
        (true, Some("https://vincula.example/integration/select-bank?validado=1"), Some("/integration/select-bank")),
        (true, Some("https://vincula.example/acessibilidade"), Some("/integration/accounts")),
        (true, Some("https://elsewhere.example/"), Some("/integration/accounts")),
        (true, Some("no address"), Some("/integration/accounts")),
        (true, None, Some("/integration/accounts")),
        (
            false,
            Some("https://vincula.example/error/token-expired?x=%22&codigo=0123456789ab"),
            Some("/error/token-expired?codigo=0123456789ab"),
        ),
        (false, Some("https://vincula.example/integration/accounts"), None),
        (false, None, None),
    ] {
        let cookie = app.cookie.take();
        app.cookie = cookie.clone().filter(|_| session);
        let request = Request::get("/acessibilidade");
        let request = from.into_iter().fold(request, |request, from| request.header("referer", from));
        let page = app.send(request.body(Body::empty()).unwrap()).await;
        app.cookie = cookie;
        assert_eq!(back(&page).as_deref(), expected, "{from:?}, session: {session}");
        assert!(!page.text.contains("href=\"/acessibilidade\""), "{from:?}");
    }
    assert_eq!(back(&app.get("/nowhere").await).as_deref(), Some("/integration/accounts"));
    assert_eq!(back(&TestApp::start().await.get("/nowhere").await), None);
}

/// The widget API is out of order: the client would ask for a new link, which fails alike.
#[tokio::test]
async fn an_outage_does_not_blame_the_link() {
    const SAYS: &str = "O seu link continua válido.";
    let mut app = TestApp::consented(json!({})).await;
    app.upstream.on("list-accounts", Act::error(500, "out of order"));
    let to = app.act("list_accounts", json!({})).await.json()["to"].as_str().unwrap().to_owned();
    let page = app.get(&to).await;
    assert!(page.text.contains(SAYS) && !page.text.contains("Houve um problema com o seu acesso"), "{}", page.text);
    app.upstream.on("list-accounts", Act::error(403, "no"));
    let to = app.act("list_accounts", json!({})).await.json()["to"].as_str().unwrap().to_owned();
    assert!(!app.get(&to).await.text.contains(SAYS), "a refusal may be the link's");

    let mut app = TestApp::start().await;
    app.upstream.on("validate-token", Act::text(200, "text/html", "<h1>Entrar na rede</h1>"));
    let to = app.validate(&LINK[1..]).await.json()["to"].as_str().unwrap().to_owned();
    let page = app.get(&to).await;
    assert!(
        page.text.contains("O problema não é o seu link.") && !page.text.contains(SAYS),
        "nobody knows yet whether it is valid"
    );
}
