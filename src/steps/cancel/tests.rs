//! `/cancel/confirm` and `/cancel/success`.

use serde_json::json;

use crate::tests::{Act, ITEM, LINK, TOKEN, TestApp, bank_form, item, pending, update};

const QUESTION: &str = "Tem certeza que deseja cancelar todas essas contas bancárias integradas?";
const BUTTON: &str = "Cancelar todas integrações<";

/// The server returns the document unchanged: a CNPJ may have letters, and the punctuation is the
/// upstream's. A number that may be a CPF or a CNPJ is returned without added zeros.
#[tokio::test]
async fn sends_document_unchanged() {
    for (told, sent) in [
        (json!("12.ABC.345/01DE-35"), json!("12.ABC.345/01DE-35")),
        (json!("00.000.000/0001-91"), json!("00.000.000/0001-91")),
        (json!("529.982.247-25"), json!("529.982.247-25")),
        (json!(1_234_000_153), json!("00001234000153")),
        (json!(191), json!("191")),
    ] {
        let mut app =
            TestApp::entered(json!({ "widget_type": "cancel", "client_cpfcnpj": told })).await;
        app.upstream.forget();
        let next = app.done("cancel_integrations", json!({})).await;
        assert_eq!(next, json!({ "to": "/cancel/success" }));
        let call = app.upstream.only("POST /cancel-integrations");
        assert_eq!(call.body, json!({ "cpfcnpj": sent }));
        assert_eq!(
            call.header("authorization"),
            Some(&*format!("Bearer {TOKEN}"))
        );
    }
}

#[tokio::test]
async fn shows_success_only_after_cancellation() {
    let mut app = TestApp::chosen(json!({})).await;
    app.get("/cancel/success")
        .await
        .assert_redirect("/cancel/confirm");
    app.upstream
        .on("cancel-integrations", Act::error(422, "no"));
    app.act("cancel_integrations", json!({})).await;
    app.get("/cancel/success")
        .await
        .assert_redirect("/cancel/confirm");
    app.upstream.recover("cancel-integrations");
    app.cancel().await;
    let session = app.snapshot();
    assert_eq!((session.linking, session.was_cancelled), (None, true));
    assert_eq!(session.consent, None);
    let page = app.get("/cancel/success").await;
    assert_eq!(page.page(), Some("cancel-success"));
    page.assert_shows(&["Integrações canceladas com sucesso!", "Contábil Horizonte"]);
    app.get("/integration/success")
        .await
        .assert_redirect("/integration/new");
}

/// An account may have been linked since, in another browser: the screen is shown whenever it is
/// asked for, and calls the API again.
#[tokio::test]
async fn cancels_again_after_cancellation() {
    for changes in [json!({}), json!({ "widget_type": "cancel" })] {
        let mut app = TestApp::entered(changes).await;
        app.cancel().await;
        app.enter().await;
        app.upstream.forget();
        let page = app.get("/cancel/confirm").await;
        assert_eq!(page.page(), Some("cancel-confirm"));
        page.assert_shows(&[QUESTION, BUTTON]);
        app.cancel().await;
        app.upstream.only("POST /cancel-integrations");
        assert_eq!(
            app.get("/cancel/success").await.page(),
            Some("cancel-success")
        );
    }
}

/// A cancellation ends the consent. Every later step needs a new one.
#[tokio::test]
async fn cancellation_requires_new_consent() {
    let mut app = TestApp::chosen(json!({})).await;
    app.done("open_connect", json!({})).await;
    app.cancel().await;
    app.upstream.forget();
    for (action, input) in [
        ("save_bank_form", bank_form()),
        ("open_connect", json!({})),
        ("confirm_success", json!({})),
    ] {
        let answer = app.act(action, input).await;
        assert_eq!(answer.status, 422, "{action}: {answer:?}");
    }
    for item in [item(ITEM), pending()] {
        let logged = app.done("finish_connect", item).await;
        assert_eq!(logged, json!({ "to": null, "item": "accepted" }));
    }
    app.done("close_connect", json!({})).await;
    for query in ["?of-success", &format!("{}&of-success", &LINK[1..])] {
        app.validate(query).await;
        let session = app.snapshot();
        assert!(
            session.consent.is_none() && session.linking.is_none(),
            "{query}: a return from the bank that was cancelled meanwhile"
        );
    }
    app.drain().await;
    let calls = app.upstream.lines();
    assert!(
        calls
            .iter()
            .all(|line| ["POST /log", "POST /validate-token"].contains(&line.as_str())),
        "{calls:?}"
    );
    app.get("/integration/select-bank")
        .await
        .assert_redirect("/integration/widget");
    app.get("/integration/success")
        .await
        .assert_redirect("/integration/new");
    assert_eq!(app.get("/integration/widget").await.page(), Some("consent"));

    app.consent().await;
    app.upstream.only("POST /authorize-customer");
    app.link_another(bank_form(), ITEM).await;
    assert_eq!(
        app.get("/integration/success").await.page(),
        Some("success")
    );
    assert_eq!(
        app.get("/cancel/confirm").await.page(),
        Some("cancel-confirm"),
        "it can be cancelled again"
    );
    app.get("/cancel/success")
        .await
        .assert_redirect("/cancel/confirm");
}

/// An update needs no consent, but the cancellation has ended the link that it would renew.
#[tokio::test]
async fn rejects_update_after_cancellation() {
    let mut app = TestApp::entered(update()).await;
    app.cancel().await;
    app.get("/integration/update")
        .await
        .assert_redirect("/integration/new");
    app.upstream.forget();
    assert_eq!(app.act("open_connect", json!({})).await.status, 422);
    app.finish().await;
    assert_eq!(app.upstream.lines(), ["POST /log"], "but no update");
}

/// The bank account was linked just before the cancellation. The log is the only message with its
/// id, without which the API cannot end the connection.
#[tokio::test]
async fn logs_item_that_arrives_after_cancellation() {
    let mut app = TestApp::opened(json!({})).await;
    app.cancel().await;
    app.upstream.forget();
    for (act, item) in [
        (Act::error(503, "busy"), "kept"),
        (Act::data(&json!(null)), "accepted"),
    ] {
        app.upstream.on("log", act);
        let answer = app.act("finish_connect", crate::tests::item(ITEM)).await;
        assert_eq!(answer.json(), json!({ "to": null, "item": item }));
        assert_eq!(answer.header_of("set-cookie"), None, "nothing comes back");
    }
    assert_eq!(app.upstream.calls()[0].data_log()["item"]["id"], ITEM);
}

/// After a cancellation, the API may refuse the link. The error leads to the screen of the catalogue,
/// which says that everything was cancelled, and offers nothing that cannot succeed.
#[tokio::test]
async fn refused_link_after_cancellation_says_that_client_cancelled() {
    const CANCELLED: &str = "As suas integrações foram canceladas";
    for (refusal, screen) in [
        (Act::error(404, "no"), "/error/token-not-exists?"),
        (Act::error(401, "Expired token"), "/error/token-expired?"),
        (Act::error(422, "no"), "/error/token-invalid?"),
    ] {
        let mut app = TestApp::linked(json!({})).await;
        app.cancel().await;
        app.upstream.on("authorize-customer", refusal.clone());
        app.upstream.on("list-accounts", refusal.clone());
        app.upstream.on("validate-token", refusal);
        for (action, input) in [
            ("accept_consent", json!({})),
            ("list_accounts", json!({})),
            ("validate_token", json!({ "query": &LINK[1..] })),
        ] {
            let to = app.act(action, input).await.to();
            assert!(to.starts_with(screen), "{action}: {to}");
            let page = app.get(&to).await;
            page.assert_shows(&[CANCELLED, "peça um link novo ao escritório"]);
            page.assert_lacks(&["Tentar de novo", "support-code"]);
        }
    }
    // An outage says nothing of the link.
    let mut app = TestApp::linked(json!({})).await;
    app.cancel().await;
    app.upstream.on("list-accounts", Act::error(500, "no"));
    let to = app.act("list_accounts", json!({})).await.to();
    let page = app.get(&to).await;
    page.assert_shows(&["algo não funcionou do nosso lado", "Tentar de novo"]);
    page.assert_lacks(&[CANCELLED]);
    // A refusal is no cancellation, whatever its message says.
    let mut app = TestApp::linked(json!({})).await;
    app.upstream
        .on("list-accounts", Act::error(403, "Integrations cancelled"));
    let to = app.act("list_accounts", json!({})).await.to();
    app.get(&to).await.assert_lacks(&[CANCELLED]);
}

/// Question, note and button are a native form, which calls no list.
#[tokio::test]
async fn cancels_without_script() {
    for kind in ["new", "update", "cancel"] {
        let mut app = TestApp::entered(json!({ "widget_type": kind })).await;
        app.upstream.forget();
        let page = app.get("/cancel/confirm").await;
        let shown = page.shown();
        for text in [
            QUESTION,
            "Para integrar de novo, fale com o escritório.",
            BUTTON,
        ] {
            assert!(shown.contains(text), "{text}: {shown}");
        }
        assert!(
            !shown.contains("<table"),
            "the list needs a script: {shown}"
        );
        let answer = app
            .post_form(
                "/cancel/confirm",
                &format!("session={}", page.field("session")),
            )
            .await;
        answer.assert_redirect("/cancel/success");
        let call = app.upstream.only("POST /cancel-integrations");
        assert_eq!(call.body, json!({ "cpfcnpj": "12.ABC.345/01DE-35" }));
        assert_eq!(
            app.get("/cancel/success").await.page(),
            Some("cancel-success")
        );
    }
}

/// The side panel says "until you cancel" elsewhere.
#[tokio::test]
async fn question_stands_beside_no_promise() {
    const PROMISE: &str = "Somente leitura. Vale até você cancelar.";
    let mut app = TestApp::consented(json!({})).await;
    let accounts = app.get("/integration/accounts").await;
    accounts.assert_shows(&[PROMISE]);
    app.get("/cancel/confirm").await.assert_lacks(&[PROMISE]);
}

/// A failed cancellation leads to the screen of the catalogue, and the button is still available.
#[tokio::test]
async fn failed_cancellation_keeps_button() {
    let mut app = TestApp::entered(json!({ "widget_type": "cancel" })).await;
    for (fails, to) in [
        (Act::Reset, "/cancel/confirm?aviso=sem-resposta"),
        (Act::error(401, "Expired token"), "/error/token-expired?"),
    ] {
        app.upstream.on("cancel-integrations", fails);
        let page = app.get("/cancel/confirm").await;
        let answer = app
            .post_form(
                "/cancel/confirm",
                &format!("session={}", page.field("session")),
            )
            .await;
        let location = answer.location().unwrap();
        assert!(location.starts_with(to), "{location}");
        app.get("/cancel/confirm")
            .await
            .assert_shows(&[QUESTION, BUTTON]);
    }
}

/// A form of another session, or without a session, cancels nothing.
#[tokio::test]
async fn ignores_form_of_another_session() {
    let mut app = TestApp::entered(json!({ "widget_type": "cancel" })).await;
    let old = app.snapshot().id;
    app.validate("?token=another").await;
    let before = app.snapshot();
    app.upstream.forget();
    for session in [old.as_str(), "", &before.id[1..]] {
        let answer = app
            .post_form("/cancel/confirm", &format!("session={session}"))
            .await;
        answer.assert_redirect("/cancel/confirm");
    }
    assert_eq!(app.snapshot(), before);
    app.jar.session = None;
    app.post_form("/cancel/confirm", &format!("session={}", before.id))
        .await
        .assert_redirect("/");
    assert_eq!(app.upstream.lines(), [""; 0]);
    app.post_form(LINK, "")
        .await
        .assert_redirect("/cancel/confirm");
}

/// The pages before and after a cancellation explain what it means.
#[tokio::test]
async fn states_what_happens_to_statements() {
    const KEPT: &str = "s já recebidos podem ficar guardados pelo prazo da lei.";
    let mut app = TestApp::entered(json!({ "widget_type": "cancel" })).await;
    app.get("/cancel/confirm")
        .await
        .assert_shows(&[KEPT, "Para integrar de novo, fale com o escritório."]);
    app.cancel().await;
    let page = app.get("/cancel/success").await;
    page.assert_shows(&[
        KEPT,
        "Para conectar de novo, fale com o escritório",
        "encerre-o lá também.",
    ]);
}

/// Back from the success screen leads to the accounts, which also state the cancellation.
#[tokio::test]
async fn accounts_after_cancellation_refer_to_firm() {
    const SAYS: [&str; 2] = [
        "Você cancelou as suas integrações.",
        "Para conectar de novo, fale com o escritório",
    ];
    let mut app = TestApp::linked(json!({})).await;
    app.get("/integration/accounts").await.assert_lacks(&SAYS);
    app.cancel().await;
    let page = app.get("/integration/accounts").await;
    page.assert_shows(&SAYS);
    // It could lead to a consent that the widget API refuses.
    assert!(!page.shown().contains("Integrar novo banco"));
}
