//! Connect: its token, its settings, its log calls and its errors.

mod items;
mod linkings;

use serde_json::{Value, json};
use vincula_testing::Received;

use crate::tests::{Act, ITEM, LINK_ID, TOKEN, TestApp, bank_form, navigate, no_response, update};

const UUID: &str = "0b9f9a52-3c1d-4d7e-9a6a-2f1c8f0f5e11";

/// The one log call of this type.
#[track_caller]
pub fn log_of(calls: &[Received], kind: &str) -> Received {
    let logs: Vec<_> = calls
        .iter()
        .filter(|call| call.line == "POST /log" && call.body["type"] == kind)
        .collect();
    assert_eq!(logs.len(), 1, "{kind} among {calls:?}");
    logs[0].clone()
}

/// Checks the fields of a log call, and that it contains no secret.
#[track_caller]
pub fn assert_is_clean(log: &Received, status: &str) {
    assert_eq!(log.body["status"], status);
    let mut fields: Vec<_> = log
        .body
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    fields.sort_unstable();
    assert_eq!(fields, ["data_log", "status", "type"]);
    assert_eq!(
        log.header("authorization"),
        Some(&*format!("Bearer {TOKEN}"))
    );
    let data = log.data_log().to_string();
    for secret in [
        TOKEN,
        "connect-token-of-pluggy",
        "111.444.777-35",
        "11144477735",
        "529.982.247-25",
        "12.ABC.345/01DE-35",
    ] {
        assert!(!data.contains(secret), "{secret} in {data}");
    }
}

#[tokio::test]
async fn requests_connect_token_between_two_log_calls() {
    let mut app = TestApp::chosen(json!({})).await;
    app.upstream.forget();
    let start = app.done("open_connect", json!({})).await;
    assert_eq!(
        start,
        json!({
            "connectToken": "connect-token-of-pluggy", "updateItem": null, "includeSandbox": true,
            "url": "https://connect.pluggy.ai/", "cpf": "11144477735", "cnpj": "12ABC34501DE35",
            "selectedConnectorId": null,
        })
    );
    let calls = app
        .upstream
        .received_all(&["POST /log", "POST /log", "POST /connect-token"])
        .await;
    assert_eq!(calls.len(), 3);
    assert!(
        calls
            .iter()
            .all(|call| call.header("idempotency-key").is_none()),
        "{calls:?}"
    );
    let at = |found: &dyn Fn(&Received) -> bool| calls.iter().position(found).unwrap();
    let token = at(&|call| call.line == "POST /connect-token");
    assert!(
        token < at(&|call| call.body["type"] == "pluggy-getConnectToken-response"),
        "{calls:?}"
    );
    let asked = app.upstream.only("POST /connect-token");
    assert_eq!(asked.body, json!({ "link_id": null, "client_uuid": UUID }));
    let request = log_of(&calls, "pluggy-getConnectToken-request");
    assert_is_clean(&request, "SUCCESS");
    assert_eq!(
        request.data_log(),
        json!({ "link_id": null, "client_uuid": UUID })
    );
    assert_is_clean(
        &log_of(&calls, "pluggy-getConnectToken-response"),
        "SUCCESS",
    );
}

#[tokio::test]
async fn update_opens_connect_with_its_link() {
    for link_id in [json!(LINK_ID), json!(815), json!("0042"), Value::Null] {
        let mut app =
            TestApp::entered(json!({ "widget_type": "update", "link_id": link_id })).await;
        app.upstream.forget();
        let start = app.done("open_connect", json!({})).await;
        let as_text = link_id
            .as_i64()
            .map_or(link_id.clone(), |number| number.to_string().into());
        assert_eq!(start["updateItem"], as_text);
        let asked = app.upstream.only("POST /connect-token");
        assert_eq!(
            asked.body,
            json!({ "link_id": link_id, "client_uuid": UUID }),
            "goes back with its type"
        );
    }
}

/// Connect gets the administrator's CPF, and for a company its CNPJ without punctuation.
#[tokio::test]
async fn prefills_connect_with_valid_documents() {
    for (mut changes, cpf, cnpj) in [
        (
            json!({ "client_cpfcnpj": "529.982.247-25" }),
            json!("52998224725"),
            Value::Null,
        ),
        (json!({}), json!("52998224725"), json!("12ABC34501DE35")),
        (
            json!({ "client_cpfcnpj": "12ABC34501DE35" }),
            json!("52998224725"),
            json!("12ABC34501DE35"),
        ),
        (
            json!({ "widget_account_admin_cpfcnpj": "" }),
            Value::Null,
            json!("12ABC34501DE35"),
        ),
        (
            json!({ "widget_account_admin_cpfcnpj": "111.444.777-00" }),
            Value::Null,
            json!("12ABC34501DE35"),
        ),
        (
            json!({ "client_cpfcnpj": "00000000000191" }),
            json!("52998224725"),
            json!("00000000000191"),
        ),
    ] {
        changes["widget_type"] = "update".into();
        let mut app = TestApp::entered(changes.clone()).await;
        let start = app.done("open_connect", json!({})).await;
        assert_eq!((&start["cpf"], &start["cnpj"]), (&cpf, &cnpj), "{changes}");
    }
}

/// Since July 2026 a CNPJ may have letters: the client's document stays unchanged in every flow.
/// Connect gets it in capitals, without punctuation.
#[tokio::test]
async fn cnpj_with_letters_works_in_every_flow() {
    for document in ["12.ABC.345/01DE-35", "12abc34501de35"] {
        let with = |mut changes: Value| {
            changes["client_cpfcnpj"] = document.into();
            changes
        };
        let mut app = TestApp::entered(with(json!({}))).await;
        assert!(
            app.get("/integration/widget")
                .await
                .text
                .to_uppercase()
                .contains("CNPJ 12.ABC.345/01DE-35")
        );
        app.consent().await;
        let form = &app.get("/integration/select-bank").await.context()["bankForm"];
        assert_eq!(form["cpf"], "529.982.247-25", "{form}");
        app.done("save_bank_form", bank_form()).await;
        assert_eq!(
            app.done("open_connect", json!({})).await["cnpj"],
            "12ABC34501DE35"
        );
        app.finish().await;
        assert_eq!(
            app.get("/integration/success").await.page(),
            Some("success")
        );
        app.done("confirm_success", json!({})).await;
        app.upstream.forget();
        app.cancel().await;
        assert_eq!(
            app.upstream.only("POST /cancel-integrations").body,
            json!({ "cpfcnpj": document })
        );

        let mut app = TestApp::entered(with(update())).await;
        assert_eq!(
            app.done("open_connect", json!({})).await["cnpj"],
            "12ABC34501DE35"
        );
        app.finish().await;
        assert_eq!(
            app.get("/integration/success").await.page(),
            Some("success")
        );

        let mut app = TestApp::entered(with(json!({ "widget_type": "cancel" }))).await;
        app.upstream.forget();
        app.cancel().await;
        assert_eq!(
            app.upstream.only("POST /cancel-integrations").body,
            json!({ "cpfcnpj": document })
        );
    }
}

#[tokio::test]
async fn passes_connect_settings_to_browser() {
    let connector = ["--bank-codes", "connector"];
    let renewal =
        json!({ "widget_type": "update", "link_id": LINK_ID, "client_cpfcnpj": "529.982.247-25" });
    for (app, options, name, value) in [
        (
            TestApp::chosen(json!({})).await,
            &["--pluggy-include-sandbox", "false"][..],
            "includeSandbox",
            json!(false),
        ),
        // The bank is preselected if the bank list's codes are connector ids, but not for an
        // update.
        (
            TestApp::chosen(json!({})).await,
            &connector,
            "selectedConnectorId",
            json!(260),
        ),
        (
            TestApp::entered(renewal).await,
            &connector,
            "selectedConnectorId",
            Value::Null,
        ),
    ] {
        let start = app.restarted(options).done("open_connect", json!({})).await;
        assert_eq!(start[name], value, "{options:?}");
    }
    let mut app = TestApp::chosen(json!({})).await;
    assert_eq!(
        app.get("/integration/select-bank").await.context()["bankForm"]["bankIsAskedAgain"],
        true
    );
    let mut app = app.restarted(&[
        "--bank-codes",
        "connector",
        "--pluggy-connect-url",
        "https://connect.example.com/x",
    ]);
    let form = app.get("/integration/select-bank").await;
    assert_eq!(form.context()["bankForm"]["bankIsAskedAgain"], false);
    assert_eq!(
        app.done("open_connect", json!({})).await["url"],
        "https://connect.example.com/x"
    );
    let page = app.get("/integration/widget").await;
    let policy = page.header_of("content-security-policy").unwrap();
    assert!(
        policy.ends_with("; frame-src https://connect.example.com"),
        "{policy}"
    );
}

#[tokio::test]
async fn opens_connect_only_in_right_stage() {
    for (mut app, may) in [
        (TestApp::entered(json!({})).await, false),
        (TestApp::consented(json!({})).await, false),
        (TestApp::chosen(json!({})).await, true),
        (TestApp::linked(json!({})).await, false),
        (
            TestApp::entered(json!({ "widget_type": "cancel" })).await,
            false,
        ),
        (TestApp::entered(update()).await, true),
        (TestApp::consented(update()).await, true),
    ] {
        app.upstream.forget();
        let before = app.snapshot();
        let answer = app.act("open_connect", json!({})).await;
        if may {
            assert_eq!(answer.status, 200, "{before:?}");
            assert!(app.snapshot().visit.is_open(), "{before:?}");
        } else {
            answer.assert_failure(422, &navigate("/integration/widget"));
            assert_eq!(app.upstream.lines(), [""; 0], "{before:?}");
            assert_eq!(app.snapshot(), before);
        }
    }
}

/// A connect-token failure is logged as ERROR, with the provider and the message of the reply,
/// without personal data.
#[tokio::test]
async fn logs_failed_connect_token_as_error() {
    let refused = Act::error(
        422,
        &format!("Ana (529.982.247-25) with {TOKEN} is blocked"),
    );
    for (act, status, failure, logged) in [
        (refused, 422, navigate("/error/token-invalid"), json!(422)),
        (Act::Reset, 500, no_response(), Value::Null),
    ] {
        let mut app = TestApp::chosen(json!({})).await;
        app.upstream.forget();
        app.upstream.on("connect-token", act);
        let answer = app.act("open_connect", json!({})).await;
        answer.assert_failure(status, &failure);
        answer.assert_lacks(&[TOKEN]);
        let calls = app.upstream.received_all(&["POST /log"; 2]).await;
        assert_is_clean(&log_of(&calls, "pluggy-getConnectToken-request"), "SUCCESS");
        let response = log_of(&calls, "pluggy-getConnectToken-response");
        assert_is_clean(&response, "ERROR");
        let data = response.data_log();
        assert_eq!(
            (&data["provider"], &data["status"]),
            (&json!("pluggy"), &logged)
        );
        let message = data["message"].as_str().unwrap_or_default();
        assert!(
            logged.is_null() || message.starts_with("Ana (") && message.ends_with("is blocked"),
            "{message}"
        );
    }
}

/// A widget error is only logged.
#[tokio::test]
async fn error_of_connect_is_only_logged() {
    let mut app = TestApp::chosen(json!({})).await;
    let before = app.snapshot();
    let message = format!("LOGIN_ERROR of 111.444.777-35 with {TOKEN}");
    for (item, logged) in [
        (json!(ITEM), json!({ "id": ITEM })),
        (Value::Null, Value::Null),
        (json!("../x"), Value::Null),
    ] {
        app.upstream.forget();
        let done = app
            .done(
                "report_connect_error",
                json!({ "message": message, "itemId": item }),
            )
            .await;
        assert_eq!(done, json!({}));
        let calls = app.upstream.received_all(&["POST /log"]).await;
        let log = log_of(&calls, "pluggy-widget-error");
        assert_is_clean(&log, "ERROR");
        assert_eq!(log.data_log()["item"], logged, "{item}");
        assert!(
            log.data_log()["message"]
                .as_str()
                .unwrap()
                .starts_with("LOGIN_ERROR of ")
        );
        assert_eq!(app.snapshot(), before);
    }
}

/// Redaction comes first, because a cut-off document or token could not be recognised.
#[tokio::test]
async fn redacts_message_of_connect_before_cutting_it() {
    let mut app = TestApp::chosen(json!({})).await;
    for secret in ["529.982.247-25", TOKEN] {
        for kept in [1, secret.len() / 2, secret.len() - 1] {
            app.upstream.forget();
            let message = format!("{} {secret} failed", "é".repeat(499 - kept));
            app.done(
                "report_connect_error",
                json!({ "message": message, "itemId": null }),
            )
            .await;
            let calls = app.upstream.received_all(&["POST /log"]).await;
            let data = calls[0].data_log();
            let message = data["message"].as_str().unwrap();
            assert!(message.chars().count() <= 500, "{message}");
            let logged = message.replace('é', "");
            assert!(
                "[redacted] failed".starts_with(logged.trim_start()),
                "{kept} of {secret}: {logged}"
            );
        }
    }
}
