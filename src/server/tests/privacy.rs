//! Every journey through the product, by invented people: each step is counted, and nothing
//! personal and nothing secret gets into the metrics or, at any level, into the log.

use std::{collections::BTreeMap, net::Ipv4Addr};

use serde_json::{Value, json};
use strum::IntoEnumIterator;
use tracing_subscriber::{fmt, layer::SubscriberExt, util::SubscriberInitExt};
use vincula_domain::bank::TaxId;
use vincula_testing::Lines;

use super::metrics::{scraped, value};
use crate::{administrator::Administrator, session::Client, telemetry::FunnelStep, tests::TestApp};

/// Where the browsers are, and which they are.
const ADDRESS: [u8; 4] = [198, 51, 100, 77];
const USER_AGENT: &str = "Mozilla/5.0 (Android 15; Mobile; rv:132.0) Gecko/132.0 Firefox/132.0";

/// At the end of every link's token.
const TOKEN_SUFFIX: &str = ".privado";

/// Who is typed into the bank form.
const TYPED_NAME: &str = "Beatriz Nogueira Sampaio";
const TYPED_CPF: &str = "529.982.247-25";

/// The texts that are personal data of a client: names, and documents in every spelling.
fn personal_data(client: &Client) -> impl Iterator<Item = String> {
    let names = [&client.name, &client.admin_name].map(|name| name.to_string());
    let documents = [&client.cpfcnpj, &client.admin_cpfcnpj];
    names
        .into_iter()
        .chain(documents.into_iter().flat_map(spellings))
        .filter(|text| !text.is_empty())
}

fn spellings(document: &TaxId) -> [String; 4] {
    [
        document.as_str().to_owned(),
        document.bare(),
        document.as_cpf_field(),
        document.recognisable(),
    ]
}

/// The texts that are personal data of the administrator who is typed into the bank form.
fn typed_data() -> impl Iterator<Item = String> {
    let typed = Administrator::new(TYPED_NAME, TYPED_CPF);
    let stored = typed.checked().expect("the form is valid");
    [typed, stored].into_iter().flat_map(|administrator| {
        let fields: BTreeMap<String, String> =
            serde_json::from_value(json!(administrator)).unwrap();
        fields.into_values().filter(|text| !text.is_empty())
    })
}

/// Runs every journey: links of every kind, every call, every rejection. Returns what must be in
/// no log: the cookies, connect tokens and personal data seen.
pub(super) async fn every_journey(app: &TestApp<()>) -> Vec<String> {
    let mut server = app.another_browser();
    server.address = Some(ADDRESS);
    server
        .headers
        .insert("user-agent", USER_AGENT.parse().unwrap());
    let mut secrets: Vec<String> = Vec::new();
    let mut remember = |visitor: &TestApp<()>| {
        secrets.extend(visitor.cookies_seen.iter().cloned());
        if let Some(session) = visitor.session() {
            secrets.extend(personal_data(&session.client));
        }
    };

    for token in [
        "demo-novo.privado",
        "demo-pessoa.privado",
        "demo-contas.privado",
    ] {
        let mut visitor = server.visit(token).await;
        assert_eq!(
            visitor.state.codec.name(),
            "vincula",
            "engines keep no other one over plain HTTP"
        );
        let connect_token = link_an_account(&mut visitor).await;
        remember(&visitor);
        visitor.cookies_seen = vec![connect_token];
        let error =
            json!({ "message": format!("{TYPED_NAME} {TYPED_CPF} {token}"), "itemId": null });
        visitor.done("report_connect_error", error).await;
        remember(&visitor);
    }
    for token in ["demo-atualizar.privado", "demo-sem-alteracao.privado"] {
        let mut visitor = server.visit(token).await;
        finish_connect(&mut visitor, json!({})).await;
        remember(&visitor);
    }
    let broken = json!({ "island": "bank-form", "reason": format!("no value {TYPED_CPF} at 12ABC34501DE35") });
    let reported = server
        .another_browser()
        .post_json("/api/report_island", &json!({ "input": broken }))
        .await;
    assert_eq!(reported.status, 200);
    let mut visitor = server.visit("demo-cancelar.privado").await;
    visitor.act("list_accounts", json!({})).await;
    visitor.get("/integration/accounts").await;
    visitor.done("cancel_integrations", json!({})).await;
    visitor.get("/cancel/success").await;
    remember(&visitor);
    for token in [
        "demo-expirado",
        "demo-inexistente",
        "demo-sem-resposta",
        "demo-malformado",
    ] {
        let mut visitor = server.another_browser();
        let answer = visitor.open_link(&format!("{token}.privado")).await;
        assert_ne!(answer.status, 200, "{token}");
        visitor
            .post_form(&format!("/?token={token}.privado"), "")
            .await;
    }
    for (token, action) in [
        ("demo-erro-500.privado", "accept_consent"),
        ("demo-item-inexistente.privado", "open_connect"),
        ("demo-cancelar.privado", "nothing"),
    ] {
        let mut visitor = server.visit(token).await;
        let seen = visitor.act(action, json!({ "name": TYPED_NAME })).await;
        assert_ne!(seen.status, 200, "{token}");
        visitor
            .get(&format!("/{TYPED_CPF}?cpf={TYPED_CPF}").replace(' ', "+"))
            .await;
        remember(&visitor);
    }
    app.drain().await;
    assert!(secrets.len() > 20, "cookies and connect tokens were seen");
    secrets
}

/// From the consent to the success screen and back to the accounts.
async fn link_an_account(visitor: &mut TestApp<()>) -> String {
    visitor.consent().await;
    visitor.act("list_accounts", json!({})).await;
    visitor.get("/integration/accounts").await;
    visitor.done("list_banks", json!({})).await;
    visitor.get("/integration/select-bank").await;
    let form = json!({ "bank": "260", "name": TYPED_NAME, "cpf": TYPED_CPF });
    visitor.done("save_bank_form", form).await;
    finish_connect(visitor, json!({ "bank": "260" })).await
}

async fn finish_connect(visitor: &mut TestApp<()>, more: Value) -> String {
    let start = visitor.done("open_connect", json!({})).await;
    let token = start["connectToken"].as_str().unwrap().to_owned();
    let finish =
        json!({ "connectToken": token, "updateItem": start["updateItem"], "bank": more["bank"] });
    let finished = visitor.post_json("/sandbox/connect/items", &finish).await;
    let item = finished.json()["item"]["id"].clone();
    assert!(item.is_string(), "{item}");
    let seen = visitor
        .act("finish_connect", json!({ "itemId": item }))
        .await;
    if seen.status == 200 {
        visitor.get("/integration/success").await;
        visitor.done("confirm_success", json!({})).await;
        visitor.act("list_accounts", json!({})).await;
        visitor.get("/integration/accounts").await;
    }
    token
}

#[tokio::test]
async fn counts_every_journey_without_personal_data_in_metrics_or_log() {
    let lines = Lines::default();
    let writer = lines.clone();
    let layer = fmt::layer()
        .with_ansi(false)
        .with_writer(move || writer.clone());
    // For the whole process, because concurrent tests must not log such data either.
    tracing_subscriber::registry()
        .with(layer)
        .try_init()
        .unwrap();
    let app = TestApp::on_sandbox().await;
    let secrets = every_journey(&app).await;
    let (log, text) = (lines.take(), scraped(&app).await);

    for step in FunnelStep::iter().map(<&str>::from) {
        let reached = value(
            &text,
            &format!("vincula_journey_steps_total{{step=\"{step}\"}}"),
        );
        assert!(reached >= Some(1.0), "{step}: {reached:?}");
    }
    for line in [
        r#"vincula_requests_total{route="/api/validate_token",status="200"}"#,
        r#"vincula_requests_total{route="/api/validate_token",status="410"}"#,
        r#"vincula_requests_total{route="/",status="303"}"#,
        r#"vincula_requests_total{route="/integration/accounts",status="200"}"#,
        r#"vincula_requests_total{route="/api/{action}",status="404"}"#,
        r#"vincula_requests_total{route="other",status="404"}"#,
        r#"vincula_request_duration_seconds_count{route="/api/open_connect"}"#,
        r#"vincula_upstream_calls_total{endpoint="validate-token",outcome="ok"}"#,
        r#"vincula_upstream_calls_total{endpoint="validate-token",outcome="token_expired"}"#,
        r#"vincula_upstream_calls_total{endpoint="validate-token",outcome="token_not_found"}"#,
        r#"vincula_upstream_calls_total{endpoint="validate-token",outcome="unexpected_response"}"#,
        r#"vincula_upstream_calls_total{endpoint="validate-token",outcome="connection_reset"}"#,
        r#"vincula_upstream_calls_total{endpoint="connect-token",outcome="item_not_found"}"#,
        r#"vincula_upstream_calls_total{endpoint="update-link-account",outcome="unchanged"}"#,
        r#"vincula_upstream_calls_total{endpoint="authorize-customer",outcome="unexpected_response"}"#,
        r#"vincula_upstream_call_duration_seconds_count{endpoint="log"}"#,
    ] {
        assert!(value(&text, line) >= Some(1.0), "{line} is not in {text}");
    }
    for evidence in [
        "/api/accept_consent",
        "/integration/success",
        "upstream call failed",
        "island failed",
    ] {
        assert!(
            log.contains(evidence),
            "the log has been captured: {evidence}"
        );
    }
    let cookie = format!("{}=", app.state.codec.name());
    let values = secrets
        .into_iter()
        .chain(typed_data())
        .chain([TOKEN_SUFFIX, USER_AGENT, &cookie].map(str::to_owned))
        .chain([Ipv4Addr::from(ADDRESS).to_string()]);
    let found = |value: String| {
        log.lines()
            .chain(text.lines())
            .find(|line| line.contains(&value))
            .map(str::to_owned)
    };
    let leaks: Vec<_> = values.filter_map(found).collect();
    assert!(leaks.is_empty(), "{leaks:#?}");
}
