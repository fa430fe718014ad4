//! `/integration/success`: the success call, once.

use serde_json::json;

use crate::session::SuccessCall;
use crate::tests::{LINK, TOKEN, TestApp, bank_form, navigate, update};

const RETURNED: &str = "Voltamos do banco; se você aprovou, a conta aparece em até 5 minutos.";

impl TestApp {
    async fn confirm(&mut self) {
        assert_eq!(self.done("confirm_success", json!({})).await, json!({}));
    }

    /// How often the upstream got the success call.
    fn successes(&self) -> usize {
        self.upstream
            .lines()
            .iter()
            .filter(|line| *line == "POST /success")
            .count()
    }
}

#[tokio::test]
async fn reports_success_once_per_linking() {
    let mut app = TestApp::linked(json!({})).await;
    assert_eq!(
        app.get("/integration/success").await.context()["isConfirmed"],
        false
    );
    app.confirm().await;
    let call = app.upstream.only("POST /success");
    assert_eq!(call.body, json!({ "token": TOKEN }));
    assert_eq!(
        call.header("authorization"),
        Some(&*format!("Bearer {TOKEN}"))
    );
    assert_eq!(app.snapshot().success(), Some(SuccessCall::Made));

    let reloaded = app.get("/integration/success").await;
    assert_eq!(
        (reloaded.page(), &reloaded.context()["isConfirmed"]),
        (Some("success"), &json!(true))
    );
    // The browser may keep an item, of which the server does not know.
    reloaded.assert_lacks(&["poderá consultar"]);
    app.confirm().await;
    app.enter().await;
    app.confirm().await;
    assert_eq!(app.successes(), 1);

    app.link_another(bank_form(), "another-item").await;
    assert_eq!(
        app.get("/integration/success").await.context()["isConfirmed"],
        false
    );
    for _ in 0..2 {
        app.confirm().await;
    }
    assert_eq!(app.successes(), 2, "once each");

    app.done("save_bank_form", bank_form()).await;
    app.done("open_connect", json!({})).await;
    for _ in 0..2 {
        app.validate("?of-success").await;
        app.confirm().await;
    }
    assert_eq!(app.successes(), 3, "a return from another bank");

    app.cancel().await;
    app.act("confirm_success", json!({}))
        .await
        .assert_failure(422, &navigate("/integration/new"));
    app.consent().await;
    app.done("save_bank_form", bank_form()).await;
    app.done("open_connect", json!({})).await;
    app.validate("?of-success").await;
    app.confirm().await;
    assert_eq!(app.successes(), 4, "a linking after a cancellation");
}

/// The server does not confirm a success without a linked account.
#[tokio::test]
async fn reports_no_success_without_linking() {
    for (changes, home) in [
        (json!({}), "/integration/new"),
        (update(), "/integration/update"),
        (json!({ "widget_type": "cancel" }), "/cancel/confirm"),
    ] {
        let mut app = TestApp::entered(changes).await;
        app.upstream.forget();
        app.act("confirm_success", json!({}))
            .await
            .assert_failure(422, &navigate(home));
        assert_eq!(app.upstream.lines(), [""; 0]);
    }
}

/// A client who returns from the bank with `of-success` also sees the success.
#[tokio::test]
async fn return_from_bank_is_a_success() {
    let mut app = TestApp::start().await;
    let answer = app.validate(&format!("{}&of-success", &LINK[1..])).await;
    assert_eq!(answer.json(), json!({ "to": "/integration/success" }));
    let page = app.get("/integration/success").await;
    assert_eq!(page.page(), Some("success"));
    // The consent may have been given in another browser.
    page.assert_lacks(&["Autorizado em"]);
    app.confirm().await;
    assert_eq!(
        app.upstream.only("POST /success").body,
        json!({ "token": TOKEN })
    );
    app.validate("?of-success").await;
    app.confirm().await;
    assert_eq!(app.successes(), 1);
}

/// The bank's app may return to another tab than the one with Connect. An item that Connect names
/// afterwards is of the same linking.
#[tokio::test]
async fn return_without_token_needs_open_connect() {
    let mut app = TestApp::opened(json!({})).await;
    for _ in 0..2 {
        assert_eq!(
            app.validate("?of-success").await.to(),
            "/integration/success"
        );
    }
    app.confirm().await;
    app.finish().await;
    app.confirm().await;
    assert_eq!(app.successes(), 1);
    app.get("/integration/success")
        .await
        .assert_shows(&["Nubank"]);
    let mut app = TestApp::chosen(json!({})).await;
    let before = app.snapshot();
    app.validate("?of-success").await;
    let after = app.snapshot();
    assert_eq!((after.visit, after.linking), (before.visit, before.linking));
}

/// After the close, only the client knows whether the bank has linked the account.
#[tokio::test]
async fn return_after_close_leads_to_the_accounts() {
    const UNFINISHED: &str = "A conexão com Nubank não foi concluída.";
    let mut app = TestApp::opened(json!({})).await;
    app.done("close_connect", json!({})).await;
    app.get("/integration/accounts")
        .await
        .assert_shows(&[UNFINISHED]);
    let to = app.validate("?of-success&error=access_denied").await.to();
    assert_eq!(to, "/integration/accounts");
    app.get("/integration/accounts")
        .await
        .assert_shows(&[UNFINISHED]);
    let to = app.validate("?of-success").await.to();
    assert_eq!(to, "/integration/accounts");
    let page = app.get(&to).await;
    page.assert_shows(&[
        RETURNED,
        "href=\"/integration/widget?novo=1\" class=\"button button--secondary\"",
    ]);
    page.assert_lacks(&[UNFINISHED, "<p class=\"step__lead\""]);
    app.act("confirm_success", json!({}))
        .await
        .assert_failure(422, &navigate("/integration/new"));
}

/// A status that is not known as good is no success, wherever it comes from.
#[tokio::test]
async fn return_with_unknown_status_leads_to_the_accounts() {
    for query in [
        "?of-success&status=WAITING",
        "?of-success&Result=unsuccessful",
    ] {
        let with_link = format!("{query}&{}", &LINK[2..]);
        for (mut app, query) in [
            (TestApp::opened(json!({})).await, query),
            (TestApp::opened(json!({})).await, &*with_link),
            (TestApp::start().await, &*with_link),
        ] {
            let to = app.validate(query).await.to();
            assert_eq!(to, "/integration/accounts", "{query}");
            app.get(&to).await.assert_shows(&[RETURNED]);
            assert!(!app.session().unwrap().is_linked(), "{query}");
        }
    }
    let mut app = TestApp::chosen(json!({})).await;
    let before = app.snapshot();
    let to = app.validate("?of-success&status=WAITING").await.to();
    assert_eq!(
        (&*to, app.snapshot().visit),
        ("/integration/widget", before.visit)
    );
}

/// Not even while Connect is open. The accounts say that the connection was not finished.
#[tokio::test]
async fn return_that_names_an_error_is_no_success() {
    for query in [
        "?of-success&error=access_denied",
        "?error=access_denied&of-success",
        "?of-success&itemId=1&status=error",
    ] {
        for query in [query.to_owned(), format!("{query}&{}", &LINK[2..])] {
            let mut app = TestApp::opened(json!({})).await;
            let to = app.validate(&query).await.to();
            assert_eq!(to, "/integration/accounts", "{query}");
            assert_eq!(app.snapshot().linking, None, "{query}");
            let page = app.get(&to).await;
            page.assert_shows(&["A conexão com Nubank não foi concluída."]);
            app.get("/integration/success")
                .await
                .assert_redirect("/integration/new");
        }
    }
    // Connect has not been open: nothing was unfinished.
    for (mut app, step) in [
        (TestApp::entered(json!({})).await, "/integration/widget"),
        (TestApp::chosen(json!({})).await, "/integration/widget"),
        (TestApp::entered(update()).await, "/integration/update"),
    ] {
        let to = app.validate("?of-success&error=access_denied").await.to();
        assert_eq!(to, step);
    }
    let mut app = TestApp::entered(update()).await;
    app.done("open_connect", json!({})).await;
    let to = app.validate("?of-success&error=access_denied").await.to();
    assert_eq!(to, "/integration/accounts");
    app.get(&to)
        .await
        .assert_shows(&["Falta renovar a conexão com o seu banco."]);
}

/// A link that is no return may have any words.
#[tokio::test]
async fn words_of_a_link_report_nothing() {
    let mut app = TestApp::opened(json!({})).await;
    let link = format!("{}&error=access_denied", &LINK[1..]);
    assert_eq!(app.validate(&link).await.to(), "/integration/accounts");
    assert!(
        app.snapshot().visit.bank().is_some(),
        "Connect is still open"
    );
}

#[tokio::test]
async fn receipt_names_client_bank_data_and_ways_to_cancel() {
    let client = json!({ "client_name": "Padaria Sol", "client_cpfcnpj": "52998224725" });
    let page = TestApp::linked(client)
        .await
        .get("/integration/success")
        .await;
    page.assert_shows(&[
        "Padaria Sol",
        "CPF ***.982.247-**",
        "Banco conectado",
        "Nubank",
        "Autorizado em",
        "/20",
        ", horário de Brasília",
        "Finalidade: contabilidade.",
        "Vale até você cancelar:",
        "/cancel/confirm",
        "no aplicativo do banco (Open Finance) ou falando com o escritório.",
    ]);
    // The bank has yet to confirm.
    page.assert_lacks(&["já pode consultar", "529.982", "/1969", "/1970"]);
}

/// The step itself says what became of an item, so the line above it does not.
#[tokio::test]
async fn line_above_the_step_names_no_kept_item() {
    let mut app = TestApp::linked(json!({})).await;
    let line = &["data-kept="];
    app.get("/integration/success").await.assert_lacks(line);
    app.get("/integration/accounts").await.assert_shows(line);
}

#[tokio::test]
async fn only_link_for_new_accounts_offers_another() {
    for (changes, offers) in [(json!({}), true), (update(), false)] {
        let page = TestApp::linked(changes)
            .await
            .get("/integration/success")
            .await;
        page.assert_shows(&["Integração concluída com sucesso!"]);
        for words in ["Integrar outra conta bancária", "Concluir integração"] {
            assert_eq!(page.shown().contains(words), offers, "{words}");
        }
    }
}
