//! Forms that no page of ours sends: the person gets our own message, on the page where they were.

use axum::{
    body::Body,
    http::{Method, header::CONTENT_TYPE},
};
use serde_json::json;
use vincula_domain::words;

use super::{TestApp, same_origin};

const FORM: &str = "application/x-www-form-urlencoded";

#[tokio::test]
async fn a_form_that_cannot_be_read_leads_back_to_its_page() {
    for (path, page) in [("/integration/widget", "consent"), ("/cancel/confirm", "cancel-confirm")] {
        let mut app = TestApp::entered(json!({})).await;
        app.upstream.forget();
        let before = app.snapshot();
        let own = format!("session={}&consent=yes", before.id);
        for (kind, body) in [
            (Some(FORM), ""),
            (Some(FORM), "consent=yes"),
            (Some(FORM), "session"),
            (Some(FORM), "session=1&session=2&consent=yes"),
            (Some(FORM), &format!("{own}&{own}")),
            (Some(FORM), "a=%FF%FE&&&==="),
            (Some("text/plain"), &own),
            (Some("application/json"), "{}"),
            (Some("multipart/form-data; boundary=x"), &own),
            (Some(""), &own),
            (None, &own),
        ] {
            let mut request = same_origin(Method::POST, path);
            if let Some(kind) = kind {
                request = request.header(CONTENT_TYPE, kind);
            }
            let answer = app.send(request.body(Body::from(body.to_owned())).unwrap()).await;
            let expected = match body {
                "session" => path.to_owned(),
                _ => format!("{path}?aviso=sem-resposta"),
            };
            answer.assert_redirect(&expected);
            assert_eq!((answer.text.as_str(), answer.header_of("set-cookie")), ("", None), "{kind:?} {body}");
            let shown = app.get(&expected).await;
            assert_eq!(shown.page(), Some(page), "{kind:?} {body}");
            assert_eq!(shown.text.contains(words::NO_REPLY), body != "session", "{kind:?} {body}");
        }
        assert_eq!(app.snapshot(), before);
        assert_eq!(app.upstream.lines(), [""; 0], "{path}");
    }
}

/// The entry's button posts nothing but the address.
#[tokio::test]
async fn whatever_is_posted_to_the_entry_its_address_counts() {
    for (kind, body) in [(FORM, "session=1&session=2"), ("text/plain", "\u{0}"), ("application/json", "{")] {
        let mut app = TestApp::start().await;
        let post =
            |path: &str| same_origin(Method::POST, path).header(CONTENT_TYPE, kind).body(Body::from(body)).unwrap();
        app.send(post("/")).await.assert_redirect("/error/token-not-found");
        app.send(post(super::LINK)).await.assert_redirect("/integration/widget?validado=1");
    }
}

/// Also at addresses without a form.
#[tokio::test]
async fn a_form_that_nobody_takes_is_answered_by_a_page() {
    let mut app = TestApp::entered(json!({})).await;
    for (method, path) in [
        (Method::POST, "/integration/accounts"),
        (Method::POST, "/error/token-expired"),
        (Method::POST, "/nowhere"),
        (Method::PUT, "/integration/widget"),
        (Method::DELETE, "/"),
    ] {
        let answer = app.send(same_origin(method.clone(), path).body(Body::empty()).unwrap()).await;
        assert_eq!(answer.status, 405, "{method} {path}");
        assert!(answer.text.contains(words::REFUSED_TITLE), "{method} {path}: {answer:?}");
        assert!(answer.header_of("allow").is_some_and(|methods| methods.contains("GET")), "{method} {path}");
    }
}
