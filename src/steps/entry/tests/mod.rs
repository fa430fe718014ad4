//! `/`: the link is validated once, by a POST, and leads to the step that it was made for.

mod in_place;

use serde_json::{Value, json};
use vincula_testing::log_of_this_thread;

use crate::session::Visit;
use crate::tests::{
    Act, ITEM, LINK, OUTAGE, TOKEN, TestApp, bank_form, consent_form, json_request, navigate,
    profile, update,
};

/// The first page of each widget type, without and with `of-success`.
const STARTS: [(&str, &str, &str); 6] = [
    ("new", "/integration/widget", "/integration/success"),
    ("update", "/integration/update", "/integration/update"),
    ("cancel", "/cancel/confirm", "/cancel/confirm"),
    ("Cancel", "/cancel/confirm", "/cancel/confirm"),
    (
        "something else",
        "/integration/widget",
        "/integration/success",
    ),
    ("", "/integration/widget", "/integration/success"),
];

fn of_type(widget_type: &str) -> Act {
    Act::data(&profile(json!({ "widget_type": widget_type })))
}

#[tokio::test]
async fn link_leads_to_start_of_its_widget_type() {
    for (widget_type, start, after_return) in STARTS {
        for (query, to) in [
            ("?token=abc", start),
            ("token=abc", start),
            ("?utm_source=mail&token=abc", start),
            ("?token=abc&of-success", after_return),
            ("?of-success&token=abc", after_return),
            ("?token=abc&x=of-success-1", after_return),
            ("?token=of-success", after_return),
        ] {
            let mut app = TestApp::start().await;
            app.upstream.on("validate-token", of_type(widget_type));
            let answer = app.validate(query).await;
            let marked = to.to_string();
            assert_eq!(
                (answer.status, answer.json()),
                (200, json!({ "to": marked })),
                "{widget_type} {query}"
            );
            let session = app.session().unwrap();
            assert_eq!(session.consent, None);
            let linked = to == "/integration/success";
            assert_eq!(session.is_linked(), linked, "{widget_type} {query}");
            let then = app.get(&marked).await;
            assert_eq!(
                (then.status, then.location()),
                (200, None),
                "{widget_type} {query}"
            );

            // The native form, without JavaScript, does the same.
            app.jar.session = None;
            app.post_form(&format!("/?{}", query.trim_start_matches('?')), "")
                .await
                .assert_redirect(&marked);
            assert_eq!(
                app.session().unwrap().is_linked(),
                linked,
                "{widget_type} {query}"
            );
        }
    }
}

/// The upstream gets the decoded token, `no_validate` only on a return, and a bearer only for a
/// stored token.
#[tokio::test]
async fn first_validation_sends_no_bearer() {
    for (query, payload) in [
        (
            "?token=eyJ.Segredo-da-Padaria_42%3D%3D",
            json!({ "token": TOKEN }),
        ),
        (
            "?token=eyJ.Segredo-da-Padaria_42==",
            json!({ "token": TOKEN }),
        ),
        (
            "?token=abc&of-success",
            json!({ "token": "abc", "no_validate": "of-success" }),
        ),
        (
            "?x=of-success&token=abc",
            json!({ "token": "abc", "no_validate": "of-success" }),
        ),
        ("?token=first&token=second", json!({ "token": "first" })),
        ("?token=a+b%2Bc%252Bd%253D", json!({ "token": "a+b+c+d=" })),
        ("?token=100%25", json!({ "token": "100%" })),
    ] {
        let mut app = TestApp::start().await;
        assert_eq!(app.validate(query).await.status, 200);
        let call = app.upstream.only("POST /validate-token");
        assert_eq!(call.body, payload, "{query}");
        assert_eq!(call.header("authorization"), None, "{query}");
        assert_eq!(call.header("cookie"), None, "nothing of the browser's");
        assert_eq!(app.upstream.calls().len(), 1);
    }
}

/// Mail programs and chats break the line inside a link, or add invisible characters to it, and some
/// escape its `&`.
#[tokio::test]
async fn what_no_token_contains_is_removed_from_a_link() {
    for addition in [
        "%20",
        "%09",
        "%0A",
        "%0D%0A%20",
        "%00",
        "%C2%A0",
        "%C2%AD",
        "%E2%80%8B",
        "%E2%80%AC",
        "%E2%81%A0",
        "%EF%BB%BF",
        "%E3%80%80",
        "%2520",
        "%250D%250A",
        "%25E2%2580%258B",
    ] {
        for query in [
            format!("?token={addition}eyJ.Segredo-da-Padaria_42=="),
            format!("?token=eyJ.Segredo-da-Padaria_42=={addition}"),
            format!("?token=eyJ.Segredo{addition}-da-{addition}Padaria_42=={addition}&x=1"),
            format!("?{addition}token{addition}=eyJ.Segredo-da-Padaria_42=="),
            format!("?utm=1&amp;token=eyJ.Segredo-da-Padaria_42=={addition}"),
            format!("?utm=1&amp;amp;token=eyJ.Segredo-da-Padaria_42=={addition}"),
        ] {
            let mut app = TestApp::start().await;
            assert_eq!(app.validate(&query).await.status, 200, "{query}");
            let call = app.upstream.only("POST /validate-token");
            assert_eq!(call.body, json!({ "token": TOKEN }), "{query}");
            let page = app.get(&format!("/{query}")).await;
            assert_eq!(page.page(), Some("entry"), "{query}");
        }
    }
}

#[tokio::test]
async fn return_with_session_token_sends_bearer() {
    let link_again = &LINK[1..];
    for (query, no_validate) in [
        ("?of-success", true),
        ("?itemId=1&of-success=1", true),
        (link_again, false),
        ("?token=&of-success", true),
    ] {
        let mut app = TestApp::entered(json!({})).await;
        app.upstream.forget();
        assert_eq!(app.validate(query).await.status, 200, "{query}");
        let call = app.upstream.only("POST /validate-token");
        let mut payload = json!({ "token": TOKEN });
        if no_validate {
            payload["no_validate"] = "of-success".into();
        }
        assert_eq!(call.body, payload, "{query}");
        assert_eq!(
            call.header("authorization"),
            Some(&*format!("Bearer {TOKEN}")),
            "{query}"
        );
    }
}

/// Another link in the same browser starts another session without data of the previous one.
#[tokio::test]
async fn another_link_starts_another_session() {
    let mut app = TestApp::start().await;
    let first =
        Act::data(&profile(json!({}))).with("set-cookie", "XSRF-TOKEN=of-the-first; Path=/");
    app.upstream.on("validate-token", first);
    app.enter().await;
    app.consent().await;
    app.done("save_bank_form", bank_form()).await;
    let before = app.snapshot();
    app.upstream.forget();
    app.upstream.on(
        "validate-token",
        Act::data(&profile(json!({ "client_name": "Outra Ltda" }))),
    );
    assert_eq!(app.validate("?token=another").await.status, 200);
    let call = app.upstream.only("POST /validate-token");
    assert_eq!(call.header("authorization"), None);
    assert!(!call.text().contains("of-the-first"), "{call:?}");
    let after = app.snapshot();
    assert_ne!(after.id, before.id);
    assert_eq!(
        (after.consent, after.linking, after.xsrf),
        (None, None, None)
    );
    assert_eq!(after.client["name"], "Outra Ltda");
}

/// The same link again: the session gets the upstream's fresh data, and keeps its progress and the
/// typed values.
#[tokio::test]
async fn reopening_link_keeps_progress() {
    let unknown = json!({ "widget_account_admin_name": null, "widget_account_admin_cpfcnpj": "" });
    let mut app = TestApp::opened(unknown.clone()).await;
    let before = app.snapshot();
    assert_eq!(before.client["admin_name"], "Bia Lima");
    for query in [&LINK[1..], "?of-success"] {
        let mut fresh = unknown.clone();
        fresh["customer_name"] = "Contábil Novo Nome".into();
        app.upstream
            .on("validate-token", Act::data(&profile(fresh)));
        assert_eq!(app.validate(query).await.status, 200);
        let after = app.snapshot();
        // A return from the bank completes that bank; the next one starts at the form.
        let has_returned = query == "?of-success";
        let visit = if has_returned {
            Visit::None
        } else {
            before.visit.clone()
        };
        assert_eq!((&after.id, &after.visit), (&before.id, &visit), "{query}");
        assert_eq!(after.client["admin_name"], "Bia Lima", "{query}");
        assert_eq!(after.client["admin_cpfcnpj"], "11144477735", "{query}");
        assert_eq!(
            after.client["customer_name"], "Contábil Novo Nome",
            "{query}"
        );
        assert_eq!(after.success().is_some(), has_returned);
    }
    app.upstream.on(
        "validate-token",
        Act::data(&profile(json!({ "widget_account_admin_name": "Caio" }))),
    );
    app.enter().await;
    assert_eq!(
        app.snapshot().client["admin_name"],
        "Caio",
        "what the upstream knows is newer"
    );
}

/// An empty query and a query without a token have the same result, with and without JavaScript. A
/// return needs a token or a valid session.
#[tokio::test]
async fn link_without_token_leads_to_token_not_found() {
    let mut ended = TestApp::linked(json!({})).await;
    ended.opened_ago(14_400);
    for (mut app, queries) in [
        (
            TestApp::start().await,
            &[
                "",
                "?",
                "?token=",
                "?utm_source=mail",
                "?xtoken=a",
                "?token=%20",
                "?token=+%E2%80%8B",
                "?of-success&error=access_denied",
            ][..],
        ),
        (
            TestApp::entered(json!({})).await,
            &["", "?token=", "?utm_source=mail"],
        ),
        (ended, &["?of-success&status=error"]),
    ] {
        app.upstream.forget();
        for query in queries {
            app.get(&format!("/{query}"))
                .await
                .assert_redirect("/error/token-not-found");
            app.post_form(&format!("/{query}"), "")
                .await
                .assert_redirect("/error/token-not-found");
            app.validate(query)
                .await
                .assert_failure(400, &navigate("/error/token-not-found"));
        }
        assert_eq!(app.upstream.lines(), [""; 0], "{queries:?}");
    }
}

/// The bank's app may return to another browser than the one with the session, or later. The screen
/// says what to do without claiming a success.
#[tokio::test]
async fn return_without_session_is_told_from_an_incomplete_link() {
    const TO: &str = "/error/token-not-found?voltou=1";
    let mut ended = TestApp::linked(json!({})).await;
    ended.opened_ago(14_400);
    for mut app in [TestApp::start().await, ended] {
        app.upstream.forget();
        for query in [
            "?of-success",
            "?itemId=1&of-success=1",
            "?token=&of-success",
        ] {
            let path = format!("/{query}");
            app.get(&path).await.assert_redirect(TO);
            app.post_form(&path, "").await.assert_redirect(TO);
            app.validate(query).await.assert_failure(400, &navigate(TO));
        }
        assert_eq!(app.upstream.lines(), [""; 0]);
        let page = app.get(TO).await;
        page.assert_shows(&[
            "<title>Você voltou do banco — ",
            "Se você já aprovou no banco, não precisa aprovar outra vez: a conta aparece em até 5 minutos.",
            "volte ao aplicativo ou navegador em que você abriu o link, ou abra o link de novo aqui.",
        ]);
        page.assert_lacks(&["sucesso", "incompleto"]);
    }
}

/// A token that is too long for the cookie leads to token-invalid.
#[tokio::test]
async fn unusable_token_is_invalid() {
    for token in ["x".repeat(2049), "x".repeat(8000)] {
        let mut app = TestApp::start().await;
        let answer = app.validate(&format!("?token={token}")).await;
        answer.assert_failure(400, &navigate("/error/token-invalid"));
        let answer = app.post_form(&format!("/?token={token}"), "").await;
        answer.assert_redirect("/error/token-invalid");
        assert_eq!(app.upstream.lines(), [""; 0], "{token}");
    }
    let long = json!({ "client_name": "Á".repeat(400), "customer_name": "É".repeat(400) });
    let mut app = TestApp::start().await;
    app.upstream.on("validate-token", Act::data(&profile(long)));
    let query = format!("?token={}", "x".repeat(2048));
    app.validate(&query)
        .await
        .assert_failure(500, &navigate("/error/token-invalid"));
    app.post_form(&format!("/{query}"), "")
        .await
        .assert_redirect("/error/token-invalid");
    assert!(app.jar.session.is_none());
}

/// Room for what follows is reserved when the link is opened: whatever the client enters, and
/// whatever the widget API sends, no later action fails because of the cookie.
#[tokio::test]
async fn accepted_session_fits_its_cookie_to_the_end() {
    let xsrf = format!("XSRF-TOKEN={}", "x".repeat(512));
    let token = |length: usize| format!("?token={}", "t".repeat(length));
    let mut app = TestApp::start().await;
    let unknown = json!({ "widget_account_admin_name": "", "widget_account_admin_cpfcnpj": "" });
    app.upstream
        .on("validate-token", Act::data(&profile(unknown)));
    let (mut fits, mut too_long) = (1, 2_048);
    while too_long - fits > 1 {
        let middle = usize::midpoint(fits, too_long);
        // Another address for each, because guesses are limited.
        app = app.restarted(&[]);
        app.jar.session = None;
        if app.validate(&token(middle)).await.status == 200 {
            fits = middle;
        } else {
            too_long = middle;
        }
    }
    assert!(fits > 900, "{fits}");
    app.jar.session = None;
    app.validate(&token(fits)).await;
    let accepted = Act::status(200).with("set-cookie", &xsrf);
    app.upstream.on("authorize-customer", accepted.clone());
    app.consent().await;
    let form = json!({
        "bank": "2".repeat(64), "bankName": "é".repeat(99), "name": "é".repeat(120),
        "cpf": crate::tests::OTHER_CPF,
    });
    app.done("save_bank_form", form).await;
    app.done("open_connect", json!({})).await;
    let mut pending = crate::tests::pending();
    pending["bank"] = "é".repeat(99).into();
    app.done("finish_connect", pending).await;
    app.cancel().await;
}

/// A link that leads to the consent needs a firm to consent to. The API's failure is not blamed on
/// the link. Other links need no firm.
#[tokio::test]
async fn link_for_new_accounts_needs_a_firm() {
    for nobody in [
        json!({ "customer_id": null }),
        json!({ "customer_name": null }),
        json!({ "customer_name": " \u{200b}\u{3164}" }),
    ] {
        let (lines, _guard) = log_of_this_thread();
        let mut app = TestApp::start().await;
        app.upstream
            .on("validate-token", Act::data(&profile(nobody.clone())));
        let answer = app.validate(&LINK[1..]).await;
        answer.assert_failure(500, &navigate(OUTAGE));
        assert!(app.jar.session.is_none());
        let log = lines.take();
        assert!(
            log.contains("WARN") && log.contains("customer_name"),
            "{log}"
        );
        for (kind, to) in [
            ("update", "/integration/update"),
            ("cancel", "/cancel/confirm"),
        ] {
            let mut link = nobody.clone();
            link["widget_type"] = kind.into();
            let mut app = TestApp::entered(link).await;
            assert_eq!(app.enter().await.to(), to);
            app.upstream.forget();
            let answer = app.act("accept_consent", json!({})).await;
            answer.assert_failure(500, &navigate(OUTAGE));
            assert_eq!(app.upstream.lines(), [""; 0]);
            app.cancel().await;
        }
    }
}

#[tokio::test]
async fn validation_stores_token_and_session_data() {
    let mut app = TestApp::start().await;
    let told = json!({ "widget_account_bank": "260", "link_id": "l-1" });
    app.upstream.on("validate-token", Act::data(&profile(told)));
    app.enter().await;
    let stored = app.snapshot();
    assert_eq!(stored.token, TOKEN);
    assert_eq!(
        stored.client,
        json!({
            "name": "Padaria Estrela do Sul Ltda",
            "cpfcnpj": "12.ABC.345/01DE-35",
            "customer_id": 4711,
            "customer_name": "Contábil Horizonte",
            "admin_name": "Ana Souza",
            "admin_cpfcnpj": "529.982.247-25",
            "widget_type": "new",
            "bank": "260",
            "link_id": "l-1",
            "client_uuid": "0b9f9a52-3c1d-4d7e-9a6a-2f1c8f0f5e11",
        })
    );
}

#[tokio::test]
async fn session_cookie_is_host_only_and_http_only() {
    let mut app = TestApp::start().await;
    let answer = app.validate(&LINK[1..]).await;
    let cookie = answer.header_of("set-cookie").unwrap();
    let (pair, attributes) = cookie.split_once("; ").unwrap();
    assert!(
        pair.starts_with("__Host-vincula=") && !pair.contains("Padaria"),
        "{pair}"
    );
    let mut attributes: Vec<_> = attributes.split("; ").collect();
    attributes.sort_unstable();
    assert_eq!(
        attributes,
        [
            "HttpOnly",
            "Max-Age=14400",
            "Path=/",
            "SameSite=Lax",
            "Secure"
        ]
    );
    assert!(cookie.len() < 4096, "{}", cookie.len());
}

/// Link previews send only GET and HEAD, which must not use up a token.
#[tokio::test]
async fn opening_link_makes_no_call() {
    let mut app = TestApp::start().await;
    for method in ["GET", "HEAD"] {
        let answer = app.ask(method, LINK, &[("accept", "*/*")], "").await;
        assert_eq!((answer.status, answer.header_of("set-cookie")), (200, None));
    }
    let page = app.get(LINK).await;
    assert_eq!(page.page(), Some("entry"));
    page.assert_shows(&[
        "Abrindo o seu link…",
        // There is a button where no script runs.
        "<form method=\"post\" class=\"loading entry__by-hand\"",
        "type=\"submit\"",
    ]);
    assert_eq!(app.upstream.lines(), [""; 0]);
}

/// The bank's window, which Connect's frame has opened, may return.
#[tokio::test]
async fn only_entry_of_a_return_keeps_its_opener() {
    let mut app = TestApp::opened(json!({})).await;
    for (path, policy) in [
        ("/?of-success", "unsafe-none"),
        ("/?token=abc&of-success", "unsafe-none"),
        ("/?token=abc", "same-origin"),
        ("/integration/accounts?of-success", "same-origin"),
    ] {
        let page = app.get(path).await;
        let opener = page.header_of("cross-origin-opener-policy");
        assert_eq!((page.status, opener), (200, Some(policy)), "{path}");
    }
}

/// The rule for individuals, as the bank form shows it.
#[tokio::test]
async fn individuals_are_their_own_administrator() {
    let own = ("Padaria Estrela do Sul Ltda", "529.982.247-25");
    let told = ("Ana Souza", "111.444.777-35");
    for (document, admin) in [
        (json!("529.982.247-25"), own),
        (json!("52998224725"), own),
        (json!("1234"), ("Padaria Estrela do Sul Ltda", "")),
        (json!("12.ABC.345/01DE-35"), told),
        (json!("00.000.000/0001-91"), told),
        (json!("00000000000191"), told),
    ] {
        let changes =
            json!({ "client_cpfcnpj": document, "widget_account_admin_cpfcnpj": "111.444.777-35" });
        let mut app = TestApp::consented(changes).await;
        let context = app.get("/integration/select-bank").await.context();
        let form = &context["bankForm"];
        assert_eq!(
            (form["name"].as_str(), form["cpf"].as_str()),
            (Some(admin.0), Some(admin.1)),
            "{document}"
        );
    }
}

/// An XSRF token from the upstream is returned with the next call as cookie and as decoded header.
/// A newer token always replaces it, because the upstream may no longer accept the old one.
#[tokio::test]
async fn returns_xsrf_token_to_upstream() {
    let set = |value: &str| format!("XSRF-TOKEN={value}; Path=/; SameSite=Lax");
    let (nothing, refused) = (
        Act::data(&Value::Null),
        Act::error(419, "CSRF token mismatch"),
    );
    let (link, item) = (json!({ "query": &LINK[1..] }), json!({ "itemId": ITEM }));
    for (action, call, input, act) in [
        (
            "validate_token",
            "validate-token",
            link,
            Act::data(&profile(update())),
        ),
        (
            "accept_consent",
            "authorize-customer",
            json!({}),
            nothing.clone(),
        ),
        (
            "accept_consent",
            "authorize-customer",
            json!({}),
            refused.clone(),
        ),
        ("native", "authorize-customer", json!({}), nothing.clone()),
        ("native", "authorize-customer", json!({}), refused),
        (
            "open_connect",
            "connect-token",
            json!({}),
            Act::data(&json!("t")),
        ),
        (
            "finish_connect",
            "update-link-account",
            item.clone(),
            nothing.clone(),
        ),
        ("finish_connect", "log", item, nothing.clone()),
        ("confirm_success", "success", json!({}), nothing.clone()),
        (
            "cancel_integrations",
            "cancel-integrations",
            json!({}),
            nothing,
        ),
    ] {
        let mut app = TestApp::start().await;
        app.upstream.on(
            "validate-token",
            Act::data(&profile(update())).with("set-cookie", &set("one%3D")),
        );
        app.post_form(LINK, "").await;
        if action == "confirm_success" {
            app.finish().await;
        }
        let before = app.snapshot();
        app.upstream
            .on(call, act.clone().with("set-cookie", &set("two%3D%3D")));
        app.upstream.forget();
        let answer = match action {
            "native" => {
                app.post_form("/integration/widget", &consent_form(&before.id))
                    .await
            }
            "validate_token" => {
                app.send(json_request(
                    "/api/validate_token",
                    &json!({ "input": input }),
                ))
                .await
            }
            _ => app.act(action, input).await,
        };
        let calls = app.upstream.calls();
        let sent = calls
            .iter()
            .find(|sent| sent.line.ends_with(&format!(" /{call}")))
            .unwrap();
        let headers = (sent.header("cookie"), sent.header("x-xsrf-token"));
        assert_eq!(
            headers,
            (Some("XSRF-TOKEN=one%3D"), Some("one=")),
            "{action}"
        );
        let after = app.snapshot();
        assert_eq!(
            after.xsrf.as_deref(),
            Some("two%3D%3D"),
            "{action}, {act:?}: {answer:?}"
        );
        if [410, 422, 500].contains(&answer.status)
            || answer
                .location()
                .is_some_and(|to| to.starts_with("/error/"))
        {
            assert_eq!(
                (after.consent, after.visit, after.linking),
                (before.consent, before.visit, before.linking),
                "{action}: else as it was"
            );
        }
        app.upstream.forget();
        app.done("list_accounts", json!({})).await;
        let next = app.upstream.only("GET /list-accounts");
        let headers = (next.header("cookie"), next.header("x-xsrf-token"));
        assert_eq!(
            headers,
            (Some("XSRF-TOKEN=two%3D%3D"), Some("two==")),
            "{action}"
        );
    }
}

/// A deletion takes effect whether the call succeeds or fails; the next call has neither cookie nor
/// header.
#[tokio::test]
async fn stops_sending_deleted_xsrf_token() {
    let deletion = "XSRF-TOKEN=; Path=/; Max-Age=0";
    for act in [
        Act::data(&json!([])),
        Act::error(419, "CSRF token mismatch"),
    ] {
        let mut app = TestApp::start().await;
        let profile = Act::data(&profile(json!({})));
        app.upstream.on(
            "validate-token",
            profile.clone().with("set-cookie", "XSRF-TOKEN=one"),
        );
        app.enter().await;
        app.upstream
            .on("authorize-customer", act.with("set-cookie", deletion));
        app.act("accept_consent", json!({})).await;
        app.upstream.forget();
        app.done("list_accounts", json!({})).await;
        let next = app.upstream.only("GET /list-accounts");
        assert_eq!(
            (next.header("cookie"), next.header("x-xsrf-token")),
            (None, None)
        );

        app.upstream.on(
            "validate-token",
            profile.clone().with("set-cookie", "XSRF-TOKEN=two"),
        );
        app.enter().await;
        assert_eq!(app.snapshot().xsrf.as_deref(), Some("two"));
        app.upstream
            .on("validate-token", profile.with("set-cookie", deletion));
        app.enter().await;
        assert_eq!(app.snapshot().xsrf, None);
    }
}

/// Without JavaScript, every retry stays at the link.
#[tokio::test]
async fn native_entry_without_response_redirects_to_same_link() {
    for link in [LINK, "/?of-success&token=abc"] {
        let mut app = TestApp::start().await;
        app.upstream.on("validate-token", Act::Reset);
        let back = app.post_form(link, "").await.location().unwrap().to_owned();
        for _ in 0..3 {
            app.post_form(&back, "").await.assert_redirect(&back);
        }
        app.upstream.recover("validate-token");
        app.upstream.forget();
        assert_eq!(app.post_form(&back, "").await.status, 303);
        let token = if link == LINK { TOKEN } else { "abc" };
        let call = app.upstream.only("POST /validate-token");
        assert_eq!(
            (&call.body["token"], call.body.get("no_validate").is_some()),
            (&json!(token), link != LINK)
        );
    }
}
