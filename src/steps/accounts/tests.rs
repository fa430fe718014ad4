//! `/integration/accounts`.

use serde_json::{Value, json};

use crate::{
    brasilia,
    tests::{Act, Answer, ITEM, OUTAGE, TOKEN, TestApp, bank_form, navigate, no_response, update},
};

#[tokio::test]
async fn returns_accounts_unchanged_from_upstream() {
    let mut app = TestApp::consented(json!({})).await;
    app.upstream.forget();
    let name = "Padaria Estrela do Sul";
    let accounts = json!([
        { "brand": "Banco do Brasil", "bank": "Banco do Brasil", "agency": "0001", "number": "012345-6", "name": name },
        { "brand": "Nubank", "bank": "Nu Pagamentos", "agency": "1", "number": "7654321-0", "name": name },
    ]);
    let now = |app: &TestApp| brasilia::time(app.state.codec.now());
    let before = now(&app);
    let list = app.done("list_accounts", json!({})).await;
    assert_eq!(list["accounts"], accounts, "with their brands");
    assert!([before, now(&app)].iter().any(|time| list["time"] == *time));
    let call = app.upstream.only("GET /list-accounts");
    assert_eq!(
        call.header("authorization"),
        Some(&*format!("Bearer {TOKEN}"))
    );
    assert_eq!(call.body, Value::Null);
    app.upstream.on(
        "list-accounts",
        Act::data(&json!([{}, { "bank": null, "extra": [1], "agency": 7 }])),
    );
    let row = |agency: &str| json!({ "bank": "", "agency": agency, "number": "", "name": "" });
    assert_eq!(
        app.done("list_accounts", json!({})).await["accounts"],
        json!([row(""), row("7")])
    );
}

/// The page keeps its list, and polls again.
#[tokio::test]
async fn list_of_busy_upstream_can_be_requested_again() {
    let mut app = TestApp::consented(json!({})).await;
    for call in ["list-accounts", "list-banks"] {
        for act in [
            Act::error(429, "Too Many Attempts."),
            Act::status(408),
            Act::json(200, &json!({ "meta": { "status": 425 } })),
        ] {
            app.upstream.on(call, act);
            let answer = app.act(&call.replace('-', "_"), json!({})).await;
            answer.assert_failure(500, &no_response());
        }
        app.upstream.on(call, Act::error(503, "down"));
        let answer = app.act(&call.replace('-', "_"), json!({})).await;
        answer.assert_failure(500, &navigate(OUTAGE));
    }
}

/// A rate limit is no fault of the link.
#[tokio::test]
async fn busy_upstream_is_an_outage_for_other_calls() {
    let mut app = TestApp::opened(update()).await;
    for (action, call) in [
        ("accept_consent", "authorize-customer"),
        ("open_connect", "connect-token"),
        ("finish_connect", "update-link-account"),
        ("cancel_integrations", "cancel-integrations"),
    ] {
        app.upstream.on(call, Act::error(429, "Too Many Attempts."));
        let answer = app.act(action, json!({ "itemId": ITEM })).await;
        answer.assert_failure(500, &navigate(OUTAGE));
    }
    app.upstream.on("validate-token", Act::status(429));
    let answer = app.validate("?token=another").await;
    answer.assert_failure(500, &navigate(OUTAGE));
}

/// As upstreams in Go, PHP and .NET write it.
#[tokio::test]
async fn empty_lists_of_other_languages_are_shown_as_empty() {
    let (lines, _guard) = vincula_testing::log_of_this_thread();
    let mut app = TestApp::consented(json!({})).await;
    for act in [
        Act::status(204),
        Act::data(&Value::Null),
        Act::data(&json!({})),
        Act::text(200, "application/json", "\u{feff}{\"data\":null}"),
    ] {
        app.upstream.on("list-accounts", act);
        let list = app.done("list_accounts", json!({})).await;
        assert_eq!(list["accounts"], json!([]));
    }
    lines.take();
    let row = json!({ "bank": "Inter", "agency": 1.0, "number": " 2", "name": false });
    let rows = json!([row, null, [PERSONAL]]);
    app.upstream.on("list-accounts", Act::data(&rows));
    let list = app.done("list_accounts", json!({})).await;
    let shown =
        json!([{ "brand": "Inter", "bank": "Inter", "agency": "1", "number": "2", "name": "" }]);
    assert_eq!(list["accounts"], shown);
    let log = lines.take();
    let warnings: Vec<_> = log.lines().filter(|line| line.contains("WARN")).collect();
    let [warning] = warnings[..] else {
        panic!("one warning: {log}")
    };
    assert!(warning.contains("list-accounts") && warning.contains("unreadable=2"));
    assert!(!log.contains(PERSONAL), "{log}");
}

/// What no log may have.
const PERSONAL: &str = "Ana Souza";

/// Viewing the accounts in another tab while Connect is open ends nothing.
#[tokio::test]
async fn viewing_accounts_keeps_chosen_bank() {
    let mut app = TestApp::opened(json!({})).await;
    let before = app.session().unwrap().visit;
    app.get("/integration/accounts").await;
    assert_eq!(app.session().unwrap().visit, before);
    assert_eq!(app.get("/integration/widget").await.page(), Some("connect"));
}

/// The bank's app may keep the tab with Connect, so that the client opens the link again.
#[tokio::test]
async fn connect_left_open_says_that_account_may_appear() {
    const SAYS: &str = "Se você já aprovou no banco, a conta aparece em até 5 minutos.";
    let mut app = TestApp::chosen(json!({})).await;
    app.get("/integration/accounts").await.assert_lacks(&[SAYS]);
    app.done("open_connect", json!({})).await;
    app.open_link(TOKEN).await;
    app.get("/integration/accounts").await.assert_shows(&[SAYS]);
    app.finish().await;
    app.get("/integration/accounts").await.assert_lacks(&[SAYS]);

    let mut renewal = TestApp::entered(update()).await;
    renewal.done("open_connect", json!({})).await;
    let page = renewal.get("/integration/accounts").await;
    page.assert_lacks(&[SAYS]);
}

fn greeting(page: &Answer) -> String {
    let (_, heading) = page.text.split_once("<h1").unwrap();
    let (heading, _) = heading.split_once("</h1>").unwrap();
    heading.split_once('>').unwrap().1.replace("<!>", "")
}

#[tokio::test]
async fn greets_client_and_offers_a_bank() {
    let mut app = TestApp::consented(json!({ "client_name": "52998224725" })).await;
    assert_eq!(greeting(&app.get("/integration/accounts").await), "Olá!");
    let mut app = TestApp::consented(json!({})).await;
    let page = app.get("/integration/accounts").await;
    let name = "<span translate=\"no\">Padaria Estrela do Sul Ltda</span>";
    assert_eq!(greeting(&page), format!("Olá, {name}!"));
    page.assert_shows(&["Banco", "Agência", "Conta", "Nome"]);
    let shown = page.shown();
    for words in ["Integrar novo banco", "href=\"/integration/widget?novo=1\""] {
        assert!(
            shown.contains(words),
            "{words} is missing, or hidden: {shown}"
        );
    }
    assert!(
        !shown.contains("Deseja cancelar"),
        "only with at least one account"
    );
}

/// The firm has reported the connection as broken. Until it is renewed, the page does not call it
/// working.
#[tokio::test]
async fn unfinished_update_links_back_to_update() {
    let mut app = TestApp::entered(update()).await;
    let page = app.get("/integration/accounts").await.shown();
    for words in [
        "Falta renovar a conexão com o seu banco.",
        "href=\"/integration/update\"",
        "Renovar a conexão",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
    assert!(!page.contains("pode consultar"), "{page}");
    app.done("open_connect", json!({})).await;
    app.finish().await;
    let page = app.get("/integration/accounts").await.shown();
    assert!(!page.contains("Falta renovar"), "{page}");
}

/// After Connect was closed, the page says so and links back to the bank form, which has the same
/// bank. "Integrar novo banco" leads to the form as well, whatever was chosen before.
#[tokio::test]
async fn offers_unlinked_bank_again() {
    const SAYS: &str = "A conexão com Nubank não foi concluída.";
    let bank_of = |page: &Answer| {
        let form = page.context()["bankForm"].clone();
        (
            form["bank"].as_str().unwrap().to_owned(),
            form["bankName"].as_str().unwrap().to_owned(),
        )
    };
    let mut app = TestApp::opened(json!({})).await;
    app.get("/integration/accounts").await.assert_lacks(&[SAYS]);
    app.get("/integration/widget?novo=1")
        .await
        .assert_redirect("/integration/select-bank");
    assert_eq!(app.done("close_connect", json!({})).await, json!({}));
    let page = app.get("/integration/accounts").await;
    page.assert_shows(&[
        SAYS,
        "Tentar de novo com Nubank",
        "href=\"/integration/select-bank\" class=\"button button--primary\"",
        "href=\"/integration/widget?novo=1\" class=\"button button--secondary\"",
    ]);
    page.assert_lacks(&["<p class=\"step__lead\""]);
    app.get("/integration/widget")
        .await
        .assert_redirect("/integration/select-bank");
    let form = app.get("/integration/select-bank").await;
    assert_eq!(bank_of(&form), ("260".into(), "Nubank".into()));
    let form = form.context()["bankForm"].clone();
    assert_eq!(
        (&form["name"], &form["cpf"]),
        (&json!("Bia Lima"), &json!("111.444.777-35"))
    );

    app.done("save_bank_form", bank_form()).await;
    app.get("/integration/accounts").await.assert_lacks(&[SAYS]);
    app.await_approval().await;
    app.done("close_connect", json!({})).await;
    app.get("/integration/accounts").await.assert_lacks(&[SAYS]);

    let mut app = TestApp::linked(json!({})).await;
    app.get("/integration/accounts").await.assert_lacks(&[SAYS]);
    let form = app.get("/integration/select-bank").await;
    assert_eq!(bank_of(&form), (String::new(), String::new()));
    app.done("save_bank_form", bank_form()).await;
    app.done("open_connect", json!({})).await;
    app.done("close_connect", json!({})).await;
    let page = app.get("/integration/accounts").await;
    page.assert_shows(&[SAYS]);
}
