//! Links, bodies and forms that our pages never send: malformed, too large, too long. The response
//! is in our own words.

use std::{convert::Infallible, time::Duration};

use axum::body::{Body, HttpBody};
use futures_util::{StreamExt, stream};
use serde_json::json;
use tokio::time::{Instant, timeout};
use vincula_testing::log_of_this_thread;

use crate::{routes::is_action, words};

use super::{Act, FORM, ITEM, JSON, LINK, OWN, TestApp, consent_form, requests::*};

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

/// The body of a request without `Content-Length`.
fn chunked(body: String) -> Body {
    Body::from_stream(stream::iter([Ok::<_, Infallible>(body)]))
}

/// The limit is 16 kB, whether the length is declared or not.
#[tokio::test]
async fn rejects_large_bodies() {
    let mut app = ready().await;
    let session = app.snapshot().id;
    let action = json!({ "input": { "session": session } }).to_string();
    let form = format!("session={session}&padding=");
    for (path, kind, body, status) in [
        ("/api/list_accounts", JSON, action, 200),
        ("/cancel/confirm", FORM, form, 303),
    ] {
        for (length, is_read) in [
            (16 * 1024, true),
            (16 * 1024 + 1, false),
            (200 * 1024, false),
        ] {
            let body = body.clone() + &" ".repeat(length - body.len());
            for sent in [Body::from(body.clone()), chunked(body)] {
                app.upstream.forget();
                let what = format!("{length} bytes, {:?}", sent.size_hint());
                let answer = app.ask("POST", path, &[OWN, kind], sent).await;
                if is_read {
                    assert_eq!(answer.status, status, "{path}, {what}: {answer:?}");
                } else {
                    assert_refused(&answer, &[413], path, &what);
                }
                let calls = app.upstream.lines().len();
                assert_eq!(calls, usize::from(is_read), "{path}, {what}");
            }
        }
    }
}

/// A slow network is no reason to leave the page. The clock is paused.
#[tokio::test]
async fn late_bodies_can_be_sent_again() {
    let mut app = ready().await;
    let before = app.snapshot();
    tokio::time::pause();
    for (path, kind, body) in acts(&before.id) {
        let first = stream::iter([Ok::<_, Infallible>(body)]);
        let unfinished = Body::from_stream(first.chain(stream::pending()));
        let begun = Instant::now();
        let headers = [OWN, kind];
        let asked = app.ask("POST", &path, &headers, unfinished);
        let answer = timeout(Duration::from_mins(1), asked).await;
        let answer = answer.expect("there is a limit");
        assert_eq!(answer.status, 408, "{path}: {answer:?}");
        assert_eq!(begun.elapsed().as_secs(), 10, "{path}");
        assert_says_nothing(&answer, &path);
        assert_eq!(answer.header_of("content-location"), None, "{path}");
        assert_eq!(answer.header_of("connection"), Some("close"), "{path}");
        if is_action(&path) {
            assert_eq!(answer.text, "\"no_reply\"", "{path}");
        } else {
            answer.assert_shows(&[words::REJECTED_TITLE, words::TRY_AGAIN]);
        }
    }
    assert_eq!((app.snapshot(), app.upstream.lines()), (before, vec![]));
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
        let own = consent_form(&before.id);
        for (kind, body) in [
            (FORM.1, ""),
            (FORM.1, "consent=2"),
            (FORM.1, "session"),
            (FORM.1, "session=1&session=2&consent=2"),
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
