//! `/error/:type`.

use std::collections::HashSet;

use serde_json::json;
use vincula_domain::{problem::Problem, words};

use super::{Act, Answer, LINK, TestApp, consent_form, update};

const FIRM: &str = "Contábil Horizonte";
const NOTHING: &str = "Nada foi compartilhado agora.";
const AS_BEFORE: &str = "As contas que você já conectou continuam como estavam.";

/// Each type of error, with the problem whose texts its screen shows.
fn types() -> Vec<(&'static str, Problem)> {
    let unknown = [
        "anything-else",
        "TOKEN-EXPIRED",
        "%3Cscript%3Ealert(1)%3C%2Fscript%3E",
    ];
    Problem::ALL
        .iter()
        .map(|&problem| (problem.slug(), problem))
        .chain(unknown.map(|kind| (kind, Problem::TokenInvalid)))
        .collect()
}

/// The specified message of each type, in the words of the screen: what is wrong, and what to do.
#[tokio::test]
async fn each_type_shows_specified_message() {
    let mut app = TestApp::start().await;
    for (kind, says) in [
        // Access token not given; check the URL and try again.
        (
            "token-not-found",
            [
                "O endereço veio incompleto, sem o código de acesso",
                "Confira o endereço e tente de novo",
            ],
        ),
        // Token not found; ask the accounting firm for a new link.
        (
            "token-not-exists",
            [
                "Não encontramos o código de acesso deste link.",
                "Peça um link novo ao escritório de contabilidade.",
            ],
        ),
        // Token expired; ask for a new link.
        (
            "token-expired",
            [
                "O prazo deste link acabou",
                "Peça um link novo ao escritório de contabilidade.",
            ],
        ),
        // Open Finance credentials had no changes.
        (
            "link-not-updated",
            [
                "O seu acesso ao banco pelo Open Finance não teve alterações.",
                "A conta continua conectada como antes.",
            ],
        ),
        // Open Finance credentials not found.
        (
            "link-not-exists",
            [
                "Não encontramos no Open Finance o acesso ao banco",
                "Peça um link novo ao escritório de contabilidade",
            ],
        ),
        // A problem with the access token; ask the firm for a new link.
        (
            "token-invalid",
            [
                "Houve um problema com o seu acesso por este link.",
                "peça um link novo ao escritório de contabilidade",
            ],
        ),
        (
            "token-invalid?falha=servico",
            [
                "Houve um problema com o seu acesso",
                "peça um link novo ao escritório de contabilidade",
            ],
        ),
        (
            "anything-else",
            [
                "Houve um problema com o seu acesso por este link.",
                "peça um link novo ao escritório de contabilidade",
            ],
        ),
        (
            "cancelled",
            [
                "Houve um problema com o seu acesso por este link.",
                "peça um link novo ao escritório de contabilidade",
            ],
        ),
    ] {
        app.get(&format!("/error/{kind}")).await.assert_shows(&says);
    }
}

#[tokio::test]
async fn each_type_has_texts_with_and_without_session() {
    for (mut app, firm) in [
        (TestApp::start().await, None),
        (TestApp::linked(json!({})).await, Some(FIRM)),
    ] {
        for (kind, problem) in types() {
            let words::ProblemWords {
                title,
                meaning,
                way_out,
            } = words::problem(problem, firm);
            for path in [format!("/error/{kind}"), format!("/error/{kind}/")] {
                let page = app.get(&path).await;
                assert_eq!((page.status, page.page()), (200, Some("error")), "{path}");
                let head = format!("<title>{title} — {}</title>", firm.unwrap_or("Vincula"));
                page.assert_shows(&[&format!(">{title}<"), meaning, &way_out, &head]);
                assert_eq!(
                    page.text.contains(&format!("brand__firm\">{FIRM}<")),
                    firm.is_some(),
                    "{path}: the header"
                );
                page.assert_lacks(&["alert(1)", "Estrela do Sul", "vincula-context"]);
                // The head names the sender for link previews, which have no session.
                let (_, body) = page.text.split_once("<body").unwrap();
                assert!(
                    firm.is_none() || !body.contains("escritório de contabilidade"),
                    "{path}"
                );
            }
        }
    }
}

/// "Nothing was shared" appears only where no call can have shared anything.
#[tokio::test]
async fn nothing_shared_appears_only_if_certain() {
    for (name, mut app, says) in [
        ("no session", TestApp::start().await, Some(NOTHING)),
        ("arrived", TestApp::entered(json!({})).await, Some(NOTHING)),
        (
            "arrived to update an account",
            TestApp::entered(update()).await,
            Some(AS_BEFORE),
        ),
        (
            "arrived to cancel accounts",
            TestApp::entered(json!({ "widget_type": "cancel" })).await,
            Some(AS_BEFORE),
        ),
        (
            "consented",
            TestApp::consented(json!({})).await,
            Some(AS_BEFORE),
        ),
        (
            "bank chosen",
            TestApp::chosen(json!({})).await,
            Some(AS_BEFORE),
        ),
        ("linked", TestApp::linked(json!({})).await, Some(AS_BEFORE)),
        ("cancelled", TestApp::cancelled(json!({})).await, None),
    ] {
        for kind in [
            "token-expired",
            "token-not-exists",
            "token-invalid",
            "anything-else",
        ] {
            let page = app.get(&format!("/error/{kind}")).await;
            for words in [NOTHING, AS_BEFORE] {
                assert_eq!(
                    page.text.contains(words),
                    says == Some(words),
                    "{name}, {kind}: {words}"
                );
            }
        }
        for kind in ["link-not-exists", "link-not-updated", "cookies-blocked"] {
            app.get(&format!("/error/{kind}"))
                .await
                .assert_lacks(&[NOTHING, AS_BEFORE]);
        }
    }
    // The session may have ended after an account was linked.
    TestApp::start()
        .await
        .get("/error/token-not-found")
        .await
        .assert_shows(&[AS_BEFORE]);

    // The token expires while the accounts are polled.
    let mut app = TestApp::linked(json!({})).await;
    app.upstream
        .on("list-accounts", Act::error(401, "Expired token"));
    let to = app.act("list_accounts", json!({})).await.to();
    let page = app.get(&to).await;
    page.assert_shows(&["O prazo deste link acabou", AS_BEFORE]);
    page.assert_lacks(&["Nada foi compartilhado", "Tentar de novo"]);

    // A return from the bank may open in another browser, which has no session.
    for mut app in [TestApp::start().await, TestApp::entered(json!({})).await] {
        app.upstream
            .on("validate-token", Act::error(401, "Expired token"));
        let to = app
            .validate(&format!("{}&of-success", &LINK[1..]))
            .await
            .to();
        assert!(to.ends_with("&of-success"), "{to}");
        let page = app.get(&to).await;
        page.assert_shows(&[AS_BEFORE]);
        page.assert_lacks(&["Nada foi"]);
    }
}

/// The error concerns the new link, and the session in the browser may belong to another firm.
#[tokio::test]
async fn failed_link_does_not_name_firm_of_other_session() {
    let mut app = TestApp::linked(json!({})).await;
    app.upstream
        .on("validate-token", Act::error(401, "Expired token"));
    let other = app.validate("?token=another").await.to();
    let page = app.get(&other).await;
    page.assert_shows(&["Peça um link novo ao escritório de contabilidade.", NOTHING]);
    page.assert_lacks(&[FIRM, "Abrir minhas contas"]);
    let own = app.validate(&LINK[1..]).await.to();
    app.get(&own)
        .await
        .assert_shows(&["Peça um link novo a Contábil Horizonte."]);
}

/// Each link leads to a page that the session may view.
#[tokio::test]
async fn error_in_session_links_back() {
    const AGAIN: &str = "Tentar de novo";
    const ACCOUNTS: &str = "Abrir minhas contas";
    for (name, mut app, home) in [
        (
            "arrived",
            TestApp::entered(json!({})).await,
            "/integration/widget",
        ),
        (
            "consented",
            TestApp::consented(json!({})).await,
            "/integration/accounts",
        ),
        (
            "bank chosen",
            TestApp::chosen(json!({})).await,
            "/integration/widget",
        ),
        (
            "linked",
            TestApp::linked(json!({})).await,
            "/integration/success",
        ),
        (
            "update",
            TestApp::entered(update()).await,
            "/integration/update",
        ),
        (
            "cancel",
            TestApp::entered(json!({ "widget_type": "cancel" })).await,
            "/cancel/confirm",
        ),
    ] {
        let page = app.get("/error/token-invalid").await;
        let leads = |to, words| {
            page.text
                .contains(&format!("<a href=\"{to}\" class=\"button button--{words}<"))
        };
        assert!(
            leads(home, format!("primary\">{AGAIN}")),
            "{name}: {}",
            page.text
        );
        let has_more = !matches!(name, "arrived" | "consented");
        assert_eq!(
            leads("/integration/accounts", format!("secondary\">{ACCOUNTS}")),
            has_more,
            "{name}"
        );
        let gone = app.get("/error/link-not-exists").await;
        gone.assert_shows(&[ACCOUNTS]);
        gone.assert_lacks(&[AGAIN]);
        assert_eq!(app.get(home).await.status, 200, "{name}");
    }
}

/// The support code is the request id of the failed action, which the upstream also has. Without a
/// failed action it is the id of the page's own request. An invalid code is never shown.
#[tokio::test]
async fn support_code_is_id_of_failed_request() {
    let mut app = TestApp::entered(json!({})).await;
    app.upstream.on("authorize-customer", Act::error(422, "no"));
    let session = app.snapshot().id;
    for native in [false, true] {
        app.upstream.forget();
        let to = if native {
            app.post_form("/integration/widget", &consent_form(&session))
                .await
                .location()
                .unwrap()
                .to_owned()
        } else {
            app.act("accept_consent", json!({})).await.to()
        };
        let call = app.upstream.only("POST /authorize-customer");
        let page = app.get(&to).await;
        assert_eq!(page.page(), Some("error"));
        page.assert_shows(&[&format!(">{}<", call.header("x-request-id").unwrap())]);
        page.assert_lacks(&[page.header_of("x-request-id").unwrap()]);
    }
    let mut codes = HashSet::new();
    for made_up in [
        "52998224725",
        "Ligue-para-0800",
        "0123456789ABC",
        "%3Cscript%3Efoo",
    ] {
        for path in ["/error/token-expired", "/nowhere"] {
            let page = app.get(&format!("{path}?codigo={made_up}")).await;
            let code = page.header_of("x-request-id").unwrap();
            assert!(
                code.len() == 12 && code.bytes().all(|byte| byte.is_ascii_hexdigit()),
                "{code}"
            );
            page.assert_shows(&[&format!(">{code}<")]);
            page.assert_lacks(&[made_up]);
            assert!(codes.insert(code.to_owned()), "one for each request");
        }
    }
}

/// The statement links back to the page that contained its link, and never to itself.
#[tokio::test]
async fn statement_and_unknown_paths_link_back() {
    let mut app = TestApp::consented(json!({})).await;
    let back = |page: &Answer| {
        let (before, _) = page.text.split_once("\" class=\"step__back\"")?;
        before.rsplit('"').next().map(str::to_owned)
    };
    for (session, from, expected) in [
        (
            true,
            Some("https://vincula.example/integration/select-bank?validado=1"),
            Some("/integration/select-bank"),
        ),
        (
            true,
            Some("https://vincula.example/acessibilidade"),
            Some("/integration/accounts"),
        ),
        (
            true,
            Some("https://elsewhere.example/"),
            Some("/integration/accounts"),
        ),
        (true, Some("no address"), Some("/integration/accounts")),
        (true, None, Some("/integration/accounts")),
        (
            false,
            Some("https://vincula.example/error/token-expired?x=%22&codigo=0123456789ab"),
            Some("/error/token-expired?codigo=0123456789ab"),
        ),
        (
            false,
            Some("https://vincula.example/integration/accounts"),
            None,
        ),
        (false, None, None),
    ] {
        let cookie = app.jar.session.take();
        app.jar.session = if session { cookie.clone() } else { None };
        let headers: Vec<_> = from.into_iter().map(|from| ("referer", from)).collect();
        let page = app.ask("GET", "/acessibilidade", &headers, "").await;
        app.jar.session = cookie;
        assert_eq!(
            back(&page).as_deref(),
            expected,
            "{from:?}, session: {session}"
        );
        assert!(!page.text.contains("href=\"/acessibilidade\""), "{from:?}");
    }
    assert_eq!(
        back(&app.get("/nowhere").await).as_deref(),
        Some("/integration/accounts")
    );
    assert_eq!(back(&TestApp::start().await.get("/nowhere").await), None);
}

/// During an outage, the screen reports a problem with the access and does not blame the link.
#[tokio::test]
async fn outage_does_not_blame_link() {
    const SAYS: &str = "Houve um problema com o seu acesso: algo não funcionou do nosso lado ou no sistema do escritório.";
    const BLAMES: &str = "por este link";
    let mut app = TestApp::consented(json!({})).await;
    app.upstream
        .on("list-accounts", Act::error(500, "out of order"));
    let to = app.act("list_accounts", json!({})).await.to();
    let page = app.get(&to).await;
    page.assert_shows(&[
        SAYS,
        "Tente de novo em alguns minutos. Se o problema continuar, peça um link novo a Contábil Horizonte",
    ]);
    page.assert_lacks(&[BLAMES]);
    // A refusal may be caused by the link.
    app.upstream.on("list-accounts", Act::error(403, "no"));
    let to = app.act("list_accounts", json!({})).await.to();
    let page = app.get(&to).await;
    page.assert_shows(&[BLAMES]);
    page.assert_lacks(&[SAYS]);

    // It is not known yet whether the link is valid.
    let mut app = TestApp::start().await;
    app.upstream.on(
        "validate-token",
        Act::text(200, "text/html", "<h1>Entrar na rede</h1>"),
    );
    let to = app.validate(&LINK[1..]).await.to();
    let page = app.get(&to).await;
    page.assert_shows(&[
        SAYS,
        "Abra o link de novo em alguns minutos. Se o problema continuar, peça um link novo ao escritório de contabilidade",
    ]);
    page.assert_lacks(&[BLAMES]);
}
