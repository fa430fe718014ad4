//! Links, bodies and forms that our pages never send: malformed, too large, too long. The response
//! is in our own words.

use serde_json::json;
use vincula_testing::log_of_this_thread;

use crate::words;

use super::{Act, FORM, ITEM, JSON, LINK, OWN, TestApp, requests::*};

/// A link whose token no cookie can hold leads to token-invalid, and the log says why.
#[tokio::test]
async fn too_long_link_is_invalid() {
    let (lines, _guard) = log_of_this_thread();
    let mut app = TestApp::start().await;
    let query = format!("?token={}", "x".repeat(9_000));
    assert_eq!(app.get(&format!("/{query}")).await.status, 200);
    let answer = app.validate(&query).await;
    assert_eq!(
        (answer.status, answer.without_code(&answer.to())),
        (400, "/error/token-invalid")
    );
    app.post_form(&format!("/{query}"), "")
        .await
        .assert_redirect("/error/token-invalid");
    assert_eq!(lines.take().matches("a token that no header").count(), 2);
    assert_eq!(app.upstream.lines(), [""; 0]);
}

/// No failure redirects to the `Referer`, as the framework would for a plain form.
#[tokio::test]
async fn invalid_bodies_get_portuguese_client_error() {
    let headers = [
        OWN,
        JSON,
        ("accept", "text/html"),
        ("referer", "https://evil.example/page"),
    ];
    let mut app = ready().await;
    let before = app.snapshot();
    let deep = format!("{}{}", "[".repeat(4000), "]".repeat(4000));
    let bodies: [&[u8]; 14] = [
        b"",
        b"{",
        b"null",
        b"[]",
        b"{}",
        br#"{"input":null}"#,
        br#"{"input":{}}"#,
        br#"{"input":{"session":null,"query":null,"island":null}}"#,
        br#"{"input":{"session":{"a":1},"query":["?token=a"],"reason":1}}"#,
        br#"{"session":"x","query":"?token=a"}"#,
        br#"{"input":{"session":"x","query":"?token=a"}} trailing"#,
        deep.as_bytes(),
        b"{\"input\":{\"session\":\"\xff\xfe\"}}",
        &[0; 16],
    ];
    for (path, _) in actions() {
        app = app.restarted(&[]);
        for body in bodies {
            let answer = app.ask("POST", &path, &headers, body.to_vec()).await;
            assert_refused(
                &answer,
                &[400, 422],
                &path,
                &body
                    .iter()
                    .take(60)
                    .map(|byte| char::from(*byte))
                    .collect::<String>(),
            );
        }
    }
    for (action, mut input) in [
        (
            "save_bank_form",
            json!({ "bank": 260, "name": "Bia", "cpf": "1" }),
        ),
        ("save_bank_form", json!({ "bank": "260", "name": "Bia" })),
        ("finish_connect", json!({ "itemId": null })),
        ("finish_connect", json!({ "item_id": ITEM })),
        ("report_connect_error", json!({ "itemId": null })),
        ("report_connect_step", json!({ "connector": 1 })),
        ("report_connect_step", json!({ "step": "LOGIN_SUCCESS" })),
        (
            "report_connect_step",
            json!({ "step": "login", "connector": "601" }),
        ),
        (
            "report_connect_step",
            json!({ "step": "login", "connector": -1 }),
        ),
    ] {
        input["session"] = before.id.clone().into();
        let (path, body) = (
            format!("/api/{action}"),
            json!({ "input": input }).to_string(),
        );
        assert_refused(
            &app.ask("POST", &path, &headers, body.clone()).await,
            &[400, 422],
            &path,
            &body,
        );
    }
    assert_eq!(
        (app.snapshot(), app.upstream.lines()),
        (before.clone(), vec![])
    );
    app.upstream
        .on("list-banks", Act::error(401, "Expired token"));
    let body = json!({ "input": { "session": before.id } }).to_string();
    let answer = app.ask("POST", "/api/list_banks", &headers, body).await;
    assert_eq!(
        (answer.status, answer.location()),
        (410, None),
        "{answer:?}"
    );
}

/// The limit is 16 kB, whether the length is declared or not.
#[tokio::test]
async fn rejects_large_bodies() {
    let mut app = ready().await;
    let body = json!({ "input": { "session": app.snapshot().id } }).to_string();
    for (length, is_read) in [
        (16 * 1024, true),
        (16 * 1024 + 1, false),
        (200 * 1024, false),
    ] {
        for declared in [true, false] {
            app.upstream.forget();
            let number = length.to_string();
            let headers = [OWN, JSON, ("content-length", &number)];
            let headers = if declared {
                &headers[..]
            } else {
                &headers[..2]
            };
            let body = body.clone() + &" ".repeat(length - body.len());
            let answer = app.ask("POST", "/api/list_accounts", headers, body).await;
            let status = match (is_read, declared) {
                (true, _) => 200,
                (false, true) => 413,
                (false, false) => 400,
            };
            assert_eq!(
                answer.status, status,
                "{length}, declared: {declared}: {answer:?}"
            );
            if !is_read {
                let code = answer.json()["to"].as_str().unwrap_or_default().to_owned();
                assert!(
                    code.starts_with("/error/token-invalid?codigo="),
                    "{answer:?}"
                );
            }
            assert_eq!(app.upstream.lines().len(), usize::from(is_read));
        }
    }
}

/// The client gets our own message, on the same page.
#[tokio::test]
async fn malformed_form_redirects_to_its_page() {
    for (path, page) in [
        ("/integration/widget", "consent"),
        ("/cancel/confirm", "cancel-confirm"),
    ] {
        let mut app = TestApp::entered(json!({})).await;
        app.upstream.forget();
        let before = app.snapshot();
        let own = format!("session={}&consent=yes", before.id);
        for (kind, body) in [
            (FORM.1, ""),
            (FORM.1, "consent=yes"),
            (FORM.1, "session"),
            (FORM.1, "session=1&session=2&consent=yes"),
            (FORM.1, &format!("{own}&{own}")),
            (FORM.1, &own.replacen("session", "Session", 1)),
            (FORM.1, &own.replacen("session", "session[]", 1)),
            (FORM.1, "a=%FF%FE&&&==="),
            ("text/plain", &own),
            (JSON.1, "{}"),
            ("multipart/form-data; boundary=x", &own),
            ("", &own),
        ] {
            let answer = app
                .ask(
                    "POST",
                    path,
                    &[OWN, ("content-type", kind)],
                    body.to_owned(),
                )
                .await;
            let is_read = body == "session";
            let expected = if is_read {
                path.to_owned()
            } else {
                format!("{path}?aviso=sem-resposta")
            };
            answer.assert_redirect(&expected);
            assert_eq!(
                (answer.text.as_str(), answer.header_of("set-cookie")),
                ("", None),
                "{kind:?} {body}"
            );
            let shown = app.get(&expected).await;
            assert_eq!(
                (shown.page(), shown.shown().contains(words::REQUEST_FAILED)),
                (Some(page), !is_read),
                "{kind} {body}"
            );
        }
        assert_eq!(
            (app.snapshot(), app.upstream.lines()),
            (before, vec![]),
            "{path}"
        );
    }
    // The entry's button posts only the address.
    for (kind, body) in [
        (FORM.1, "session=1&session=2"),
        ("text/plain", "\u{0}"),
        (JSON.1, "{"),
    ] {
        let headers = [OWN, ("content-type", kind)];
        let mut app = TestApp::start().await;
        app.ask("POST", "/", &headers, body)
            .await
            .assert_redirect("/error/token-not-found");
        app.ask("POST", LINK, &headers, body)
            .await
            .assert_redirect("/integration/widget");
    }
}
