//! `/integration/widget` before the consent.

use std::net::SocketAddr;

use axum::{
    body::Body,
    extract::ConnectInfo,
    http::{Request, header::USER_AGENT},
};
use serde_json::json;

use crate::tests::{
    Act, Answer, FORM, JSON, LINK, LINK_ID, OWN, TOKEN, TestApp, bank_form, consent_form, navigate,
    profile, update,
};
use crate::words::CONSENT_VERSION;

#[tokio::test]
async fn consent_authorizes_firm_and_leads_to_accounts() {
    for customer_id in [json!(4711), json!("4711"), json!("c-0042")] {
        let mut app = TestApp::entered(json!({ "customer_id": customer_id })).await;
        assert_eq!(
            app.get("/integration/new").await.location(),
            Some("/integration/widget")
        );
        app.upstream.forget();
        assert_eq!(
            app.done("accept_consent", json!({})).await,
            json!({ "to": "/integration/accounts" })
        );
        let call = app.upstream.only("POST /authorize-customer");
        assert_eq!(
            call.body,
            json!({ "customer_id": customer_id }),
            "goes back with its type"
        );
        assert_eq!(
            call.header("authorization"),
            Some(&*format!("Bearer {TOKEN}"))
        );
        assert_eq!(call.header("content-type"), Some("application/json"));
        assert!(app.session().unwrap().consent.is_some());
        assert_eq!(
            app.get("/integration/new").await.location(),
            Some("/integration/accounts")
        );
    }
}

/// Before hydration, or without JavaScript.
#[tokio::test]
async fn native_form_authorizes_firm() {
    let mut app = TestApp::entered(json!({})).await;
    let page = app.get("/integration/widget").await;
    let form = consent_form(page.field("session"));
    app.upstream.forget();
    app.post_form("/integration/widget", &form)
        .await
        .assert_redirect("/integration/accounts");
    assert_eq!(
        app.upstream.only("POST /authorize-customer").body,
        json!({ "customer_id": 4711 })
    );
    assert!(app.session().unwrap().consent.is_some());
    assert_eq!(
        app.get("/integration/accounts").await.page(),
        Some("accounts")
    );
}

/// The evidence headers of the only consent call.
fn evidence(app: &TestApp) -> [Option<String>; 3] {
    let call = app.upstream.only("POST /authorize-customer");
    assert_eq!(
        call.body,
        json!({ "customer_id": 4711 }),
        "the body is what it was"
    );
    [
        "consent-client-address",
        "consent-browser",
        "consent-text-version",
    ]
    .map(|name| call.header(name).map(str::to_owned))
}

const CHROME: &str = "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36";

/// Sends the consent through a proxy at 10.1.2.3.
async fn consent_by_way_of(app: &mut TestApp, form: bool, forwarded: &str) -> Answer {
    let session = app.session().unwrap().id;
    let (path, kind, body) = if form {
        ("/integration/widget", FORM, consent_form(&session))
    } else {
        (
            "/api/accept_consent",
            JSON,
            json!({ "input": { "session": session, "version": CONSENT_VERSION } }).to_string(),
        )
    };
    let headers = [
        OWN,
        kind,
        ("x-forwarded-for", forwarded),
        (USER_AGENT.as_str(), CHROME),
    ];
    let request = headers
        .iter()
        .fold(Request::post(path), |request, (name, value)| {
            request.header(*name, *value)
        });
    let mut request = request.body(Body::from(body)).unwrap();
    request
        .extensions_mut()
        .insert(ConnectInfo(SocketAddr::from(([10, 1, 2, 3], 40_000))));
    app.send(request).await
}

/// A browser behind a trusted proxy, with further options of the server.
async fn behind_a_proxy(options: &[&str]) -> TestApp {
    let app = TestApp::entered(json!({})).await;
    let app = app.restarted(&[&["--trusted-proxies", "10.0.0.0/8"], options].concat());
    app.upstream.forget();
    app
}

#[tokio::test]
async fn consent_sends_evidence_only_if_configured() {
    let version = CONSENT_VERSION.to_string();
    for form in [false, true] {
        for (forwarded, address) in [
            ("198.51.100.1", Some("198.51.100.1")),
            ("1.1.1.1, 198.51.100.1", Some("198.51.100.1")),
            ("[2804:14c::1]:4711", Some("2804:14c::1")),
            ("unknown", None),
            ("", None),
            ("10.4.4.4", None),
        ] {
            let mut app = behind_a_proxy(&["--consent-evidence", "true"]).await;
            consent_by_way_of(&mut app, form, forwarded).await;
            let expected =
                [address, Some(CHROME), Some(&version)].map(|part| part.map(str::to_owned));
            assert_eq!(evidence(&app), expected, "{form} {forwarded:?}");
        }
        let mut app = behind_a_proxy(&[]).await;
        consent_by_way_of(&mut app, form, "198.51.100.1").await;
        assert_eq!(evidence(&app), [None, None, None]);
    }
}

#[tokio::test]
async fn evidence_omits_unknown_values() {
    let app = TestApp::entered(json!({})).await;
    let mut app = app.restarted(&["--consent-evidence", "true"]);
    app.upstream.forget();
    app.consent().await;
    assert_eq!(
        evidence(&app),
        [None, None, Some(CONSENT_VERSION.to_string())]
    );
}

/// A form of another session, or one without a tick, is not sent, and the page is shown again.
#[tokio::test]
async fn native_form_needs_tick_and_session() {
    const PAGE: &str = "/integration/widget";
    let mut app = TestApp::entered(json!({})).await;
    app.upstream.forget();
    let before = app.snapshot();
    let own = &before.id;
    for form in [
        format!("session={own}"),
        format!("session={own}&consent="),
        format!("session={own}&consent=no"),
        consent_form(&format!("{own}0")),
        consent_form(""),
        consent_form("0123456789abcdef0123456789abcdef"),
    ] {
        app.post_form(PAGE, &form).await.assert_redirect(PAGE);
        assert_eq!(
            (app.snapshot(), app.upstream.lines()),
            (before.clone(), vec![]),
            "{form}"
        );
    }
}

/// A page of the release before may show another text: the page is shown again.
#[tokio::test]
async fn consent_is_to_the_current_text() {
    const PAGE: &str = "/integration/widget";
    let mut app = TestApp::entered(json!({})).await;
    app.upstream.forget();
    let before = app.snapshot();
    for version in [0, CONSENT_VERSION - 1, CONSENT_VERSION + 1] {
        let input = json!({ "session": before.id, "version": version });
        let answer = app
            .post_json("/api/accept_consent", &json!({ "input": input }))
            .await;
        assert_eq!((answer.status, &*answer.to()), (200, PAGE), "{version}");
        let form = format!("session={}&consent={version}", before.id);
        app.post_form(PAGE, &form).await.assert_redirect(PAGE);
    }
    assert_eq!((app.snapshot(), app.upstream.lines()), (before, vec![]));
}

/// No action can skip the consent.
#[tokio::test]
async fn later_steps_require_consent() {
    let mut app = TestApp::entered(json!({})).await;
    app.upstream.forget();
    let before = app.snapshot();
    for (action, input, to) in [
        ("save_bank_form", bank_form(), "/integration/widget"),
        ("open_connect", json!({}), "/integration/widget"),
        ("confirm_success", json!({}), "/integration/new"),
    ] {
        app.act(action, input)
            .await
            .assert_failure(422, &navigate(to));
        assert_eq!(app.snapshot(), before, "{action}");
    }
    assert_eq!(app.upstream.lines(), [""; 0]);
}

/// A repeated consent loses nothing. A link for an update may also authorize, and remains an
/// update.
#[tokio::test]
async fn repeated_consent_keeps_progress() {
    let mut app = TestApp::chosen(json!({})).await;
    let before = app.snapshot();
    app.consent().await;
    assert_eq!(app.snapshot(), before);
    assert!(before.visit.bank().is_some());
    let mut app = TestApp::entered(update()).await;
    let before = app.snapshot();
    app.consent().await;
    let after = app.snapshot();
    assert_eq!(
        (&after.client, &after.linking, &after.id),
        (&before.client, &before.linking, &before.id)
    );
    assert_eq!(after.client["link_id"], LINK_ID);
}

/// The upstream issued the XSRF token for the link's token, which stays the same.
#[tokio::test]
async fn keeps_xsrf_token_if_firm_changes() {
    let mut app = TestApp::entered(json!({})).await;
    let accepted = Act::status(200).with("set-cookie", "XSRF-TOKEN=kept");
    app.upstream.on("authorize-customer", accepted);
    app.consent().await;
    let other_firm = profile(json!({ "customer_id": 4712 }));
    app.upstream.on("validate-token", Act::data(&other_firm));
    app.enter().await;
    let after = app.snapshot();
    assert_eq!(after.consent, None);
    assert_eq!(after.xsrf.as_deref(), Some("kept"));
}

/// The same link with another firm or another client has no consent.
#[tokio::test]
async fn consent_ends_with_another_firm_or_client() {
    for changes in [
        json!({ "customer_id": 4712, "customer_name": "Outra Contabilidade" }),
        json!({ "client_cpfcnpj": "40.817.256/0001-00" }),
    ] {
        let link = &LINK[1..];
        let link_of_return = format!("{link}&of-success");
        for query in [link, "?of-success", &link_of_return] {
            let unknown =
                json!({ "widget_account_admin_name": "", "widget_account_admin_cpfcnpj": "" });
            let mut app = TestApp::linked(unknown.clone()).await;
            let page = app.snapshot().id;
            let mut fresh = profile(unknown);
            fresh
                .as_object_mut()
                .unwrap()
                .extend(changes.as_object().unwrap().clone());
            app.upstream.on("validate-token", Act::data(&fresh));
            app.opened_ago(600);
            let opened_at = app.session().unwrap().link_opened_at;
            let next = app.validate(query).await.json();
            assert_eq!(next["to"], "/integration/widget", "{changes} {query}");
            assert_eq!(
                app.session().unwrap().link_opened_at > opened_at,
                query.contains(link),
                "only the link's token restarts the lifetime: {query}"
            );
            let after = app.snapshot();
            assert_eq!((after.consent, &after.linking), (None, &None));
            assert_eq!(
                after.client["admin_name"], "",
                "who was typed is of the other client"
            );
            app.upstream.forget();
            assert_eq!(app.act("open_connect", json!({})).await.status, 422);
            assert_eq!(app.upstream.lines(), [""; 0]);
            let answer = app.act_from(&page, "accept_consent", json!({})).await;
            answer.assert_failure(409, &json!("other_tab"));
            assert_eq!(
                app.upstream.lines(),
                [""; 0],
                "a page that names the one authorizes not the other"
            );
        }
    }
    let mut app = TestApp::linked(json!({})).await;
    app.upstream.on(
        "validate-token",
        Act::data(&profile(json!({ "client_cpfcnpj": "12ABC34501DE35" }))),
    );
    app.enter().await;
    assert!(
        app.snapshot().consent.is_some(),
        "the same document, written otherwise"
    );
}
