//! Requests that another site makes with the browser of a client (docs/security.md).

use serde_json::json;

use crate::routes::is_action;

use super::{FORM, HOST_NAME, LINK, OWN, TestApp, requests::*};

#[tokio::test]
async fn rejects_requests_from_other_sites() {
    let own = &*format!("https://{HOST_NAME}");
    let origins: [&[(&str, &str)]; 14] = [
        &[],
        &[("origin", "https://evil.example")],
        &[("origin", "null")],
        &[("origin", HOST_NAME)],
        &[("origin", &format!("{own}.evil.example"))],
        &[("origin", &format!("https://evil.example/{own}"))],
        &[("origin", &format!("https://{HOST_NAME}@evil.example"))],
        &[("origin", &format!("{own}:8443"))],
        &[("sec-fetch-site", "cross-site"), ("origin", own)],
        &[("sec-fetch-site", "same-site"), ("origin", own)],
        &[("sec-fetch-site", "none")],
        &[
            ("sec-fetch-site", "same-origin, cross-site"),
            ("origin", own),
        ],
        &[("sec-fetch-site", ""), ("origin", own)],
        &[
            ("referer", &format!("{own}/integration/accounts")),
            ("x-requested-with", "XMLHttpRequest"),
        ],
    ];
    let mut app = ready().await;
    let before = app.snapshot();
    for origin in origins {
        for (path, kind, body) in acts(&before.id) {
            let headers = [&[kind, ("accept", "text/html")], origin].concat();
            let answer = app.ask("POST", &path, &headers, body).await;
            assert_refused(&answer, &[403], &path, &format!("{origin:?}"));
        }
    }
    assert_eq!((app.snapshot(), app.upstream.lines()), (before, vec![]));
}

/// If a bank sends the client back by POST, the response links to the same address by GET.
#[tokio::test]
async fn cross_site_post_to_return_address_shows_link_to_continue() {
    let mut app = TestApp::entered(json!({})).await;
    let answer = app
        .ask(
            "POST",
            "/?of-success",
            &[("sec-fetch-site", "cross-site")],
            "",
        )
        .await;
    assert_refused(&answer, &[403], "/", "a return by POST");
    answer.assert_shows(&["href=\"\""]);
    assert_eq!(app.get("/?of-success").await.page(), Some("entry"));
}

/// Older browsers send `Origin` only. The entry page's policy makes browsers post `Origin: null`.
#[tokio::test]
async fn accepts_own_pages_by_either_header() {
    let mut app = ready().await;
    let body = json!({ "input": { "session": app.snapshot().id } }).to_string();
    for site in [
        OWN,
        ("origin", "https://vincula.example"),
        ("origin", "http://vincula.example"),
    ] {
        let answer = app
            .ask("POST", LINK, &[OWN, FORM, ("origin", "null")], "")
            .await;
        answer.assert_redirect("/integration/update");
        for kind in [
            "application/json",
            "application/json; charset=utf-8",
            "Application/JSON",
        ] {
            let answer = app
                .ask(
                    "POST",
                    "/api/list_banks",
                    &[site, ("content-type", kind)],
                    body.clone(),
                )
                .await;
            assert_eq!(answer.status, 200, "{site:?}, {kind}: {answer:?}");
        }
    }
}

/// The server does not accept what a plain form of another site could post.
#[tokio::test]
async fn actions_accept_only_json() {
    let mut app = ready().await;
    let before = app.snapshot();
    for kind in [
        Some("text/plain"),
        Some(FORM.1),
        Some("multipart/form-data; boundary=x"),
        Some("application/json-patch+json"),
        Some("text/plain; application/json"),
        Some(""),
        None,
    ] {
        let headers: Vec<_> = [OWN]
            .into_iter()
            .chain(kind.map(|kind| ("content-type", kind)))
            .collect();
        for (path, _, body) in acts(&before.id)
            .into_iter()
            .filter(|(path, ..)| is_action(path))
        {
            for body in [body, format!("input[session]={}", before.id)] {
                assert_refused(
                    &app.ask("POST", &path, &headers, body).await,
                    &[415],
                    &path,
                    &format!("{kind:?}"),
                );
            }
        }
    }
    assert_eq!((app.snapshot(), app.upstream.lines()), (before, vec![]));
}
