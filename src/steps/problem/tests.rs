//! `/error/:type`.

use serde_json::json;

use crate::{destination::Destination, problem::Problem, words};

use crate::tests::{Act, Answer, LINK, TestApp, consent_form, update};

const FIRM: &str = "Contábil Horizonte";

/// The address of each error screen, with the problem whose texts it shows.
fn addresses() -> Vec<(String, Problem)> {
    let others = [
        ("/error/token-expired/", Problem::TokenExpired),
        ("/error/anything-else", Problem::TokenInvalid),
        ("/error/TOKEN-EXPIRED", Problem::TokenInvalid),
        (
            "/error/%3Cscript%3Ealert(1)%3C%2Fscript%3E",
            Problem::TokenInvalid,
        ),
    ];
    // Its screen depends on the session (`steps/cancel/tests.rs`).
    let is_known = |problem: &&Problem| **problem != Problem::Cancelled;
    let known = Problem::ALL
        .iter()
        .filter(is_known)
        .map(|&problem| (Destination::from(problem).to_string(), problem));
    known
        .chain(others.map(|(path, problem)| (path.to_owned(), problem)))
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
                "Falta o código de acesso neste endereço.",
                "Confira o endereço e tente de novo",
            ],
        ),
        // Token not found; ask the accounting firm for a new link.
        (
            "token-not-exists",
            [
                "Não encontramos o código de acesso deste link.",
                "Confira se o endereço veio inteiro e sem nada a mais no final. Se ele estiver certo, peça um link novo ao escritório.",
            ],
        ),
        // Token expired; ask for a new link.
        (
            "token-expired",
            [
                "O prazo deste link acabou",
                "Peça um link novo ao escritório.",
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
                "Peça um link novo ao escritório",
            ],
        ),
        // A problem with the access token; ask the firm for a new link.
        (
            "token-invalid",
            [
                "Não conseguimos abrir o seu acesso por este link.",
                "peça um link novo ao escritório",
            ],
        ),
        (
            "token-invalid?falha=servico",
            [
                "Não conseguimos abrir o seu acesso",
                "peça um link novo ao escritório",
            ],
        ),
        (
            "anything-else",
            [
                "Não conseguimos abrir o seu acesso por este link.",
                "peça um link novo ao escritório",
            ],
        ),
        (
            "cancelled",
            [
                "Não conseguimos abrir o seu acesso por este link.",
                "peça um link novo ao escritório",
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
        for (path, problem) in addresses() {
            let words::ProblemWords {
                title,
                meaning,
                way_out,
            } = words::problem(problem, firm.is_some());
            let page = app.get(&path).await;
            assert_eq!((page.status, page.page()), (200, Some("error")), "{path}");
            let head = format!("<title>{title} — {}</title>", firm.unwrap_or("Vincula"));
            page.assert_shows(&[&format!(">{title}<"), meaning, way_out, &head]);
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
        page.assert_lacks(&[ACCOUNTS]);
        let gone = app.get("/error/link-not-exists").await;
        gone.assert_shows(&[ACCOUNTS]);
        gone.assert_lacks(&[AGAIN]);
        assert_eq!(app.get(home).await.status, 200, "{name}");
    }
}

/// The support code is the request id of the failed action, which the upstream also has. Without a
/// failed action there is none. An invalid code is never shown.
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
    for made_up in [
        "52998224725",
        "Ligue-para-0800",
        "0123456789ABC",
        "%3Cscript%3Efoo",
    ] {
        let page = app
            .get(&format!("/error/token-invalid?codigo={made_up}"))
            .await;
        page.assert_lacks(&[made_up, "support-code"]);
    }
}

/// Only a failure whose cause the client cannot know has a support code.
#[tokio::test]
async fn support_code_stands_where_support_can_help() {
    const CODE: &str = "0123456789ab";
    let mut app = TestApp::start().await;
    for (path, has_code) in [
        ("/error/token-invalid", true),
        ("/error/token-not-exists", true),
        ("/error/link-not-exists", true),
        ("/error/token-expired", false),
        ("/error/token-not-found", false),
        ("/error/link-not-updated", false),
        ("/error/cookies-blocked", false),
        ("/nowhere", false),
    ] {
        let page = app.get(&format!("{path}?codigo={CODE}")).await;
        assert_eq!(page.text.contains(&format!(">{CODE}<")), has_code, "{path}");
        app.get(path).await.assert_lacks(&["support-code"]);
    }
    app.get(&format!("/error/token-invalid?falha=servico&codigo={CODE}"))
        .await
        .assert_shows(&[CODE]);
}

/// The statement and unknown paths lead back to the step that is due, and nowhere without a session.
#[tokio::test]
async fn statement_and_unknown_paths_link_back() {
    let back = |page: &Answer| {
        let (before, _) = page.text.split_once("\" class=\"step__back\"")?;
        before.rsplit('"').next().map(str::to_owned)
    };
    for (mut app, expected) in [
        (
            TestApp::consented(json!({})).await,
            Some("/integration/accounts"),
        ),
        (TestApp::start().await, None),
    ] {
        for path in ["/acessibilidade", "/nowhere"] {
            let page = app.get(path).await;
            assert_eq!(back(&page).as_deref(), expected, "{path}");
            let links_itself = page.text.contains("href=\"/acessibilidade\"");
            assert_eq!(links_itself, path == "/nowhere", "{path}");
        }
    }
}

/// During an outage, the screen reports a problem with the access and does not blame the link.
#[tokio::test]
async fn outage_does_not_blame_link() {
    const SAYS: &str = "Não conseguimos abrir o seu acesso: algo não funcionou do nosso lado ou no sistema do escritório.";
    const BLAMES: &str = "por este link";
    let mut app = TestApp::consented(json!({})).await;
    app.upstream
        .on("list-accounts", Act::error(500, "out of order"));
    let to = app.act("list_accounts", json!({})).await.to();
    let page = app.get(&to).await;
    page.assert_shows(&[
        SAYS,
        "Tente de novo em alguns minutos. Se o problema continuar, peça um link novo ao escritório",
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
        "Abra o link de novo em alguns minutos. Se o problema continuar, peça um link novo ao escritório",
    ]);
    page.assert_lacks(&[BLAMES]);
}
