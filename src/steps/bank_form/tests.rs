//! `/integration/select-bank`: bank, name and CPF.

use serde_json::{Value, json};

use crate::session::Visit;
use crate::tests::{Act, OTHER_CPF, TestApp, bank_form, navigate};

fn form(bank: &str, name: &str, cpf: &str) -> Value {
    json!({ "bank": bank, "name": name, "cpf": cpf })
}

fn bank_of(visit: &Visit) -> Option<String> {
    visit.bank().map(|bank| bank.code.as_str().to_owned())
}

#[tokio::test]
async fn saves_valid_form_and_leads_to_connect() {
    let mut app = TestApp::consented(json!({})).await;
    app.upstream.forget();
    let next = app
        .done(
            "save_bank_form",
            form(" 260 ", "  Bia Lima ", "111.444.777-35"),
        )
        .await;
    assert_eq!(next, json!({ "to": "/integration/widget" }));
    let session = app.snapshot();
    assert_eq!(bank_of(&session.visit).as_deref(), Some("260"));
    assert_eq!(session.client["admin_name"], "Bia Lima");
    assert_eq!(
        session.client["admin_cpfcnpj"], "11144477735",
        "reduced to digits"
    );
    assert_eq!(
        app.upstream.lines(),
        [""; 0],
        "nothing goes to the upstream"
    );
    assert_eq!(app.get("/integration/widget").await.page(), Some("connect"));
    let context = app.get("/integration/select-bank").await.context();
    let saved = json!({
        "bank": "260", "name": "Bia Lima", "cpf": "111.444.777-35", "fixed": [],
        "bankIsAskedAgain": true, "bankName": "",
    });
    assert_eq!(context["bankForm"], saved, "pre-fills the form on load");
}

#[tokio::test]
async fn rejects_invalid_form_with_errors_by_field() {
    let ok = ("260", "Bia Lima", OTHER_CPF);
    let required = |field: &str| json!({ "field": field, "code": "required" });
    let invalid = |field: &str| json!({ "field": field, "code": "invalid" });
    let too_long = |field: &str| json!({ "field": field, "code": "too_long" });
    let mut app = TestApp::consented(json!({ "widget_account_admin_name": "" })).await;
    let before = app.snapshot();
    for (form, fields) in [
        (
            form("", "", ""),
            json!([required("bank"), required("name"), required("cpf")]),
        ),
        (
            form(" ", " \t", " . - "),
            json!([required("bank"), required("name"), required("cpf")]),
        ),
        (form("", ok.1, ok.2), json!([required("bank")])),
        (form(ok.0, "", ok.2), json!([required("name")])),
        (form(ok.0, ok.1, ""), json!([required("cpf")])),
        (form(ok.0, ok.1, "111.444.777-34"), json!([invalid("cpf")])),
        (
            form(ok.0, ok.1, "12.ABC.345/01DE-35"),
            json!([invalid("cpf")]),
        ),
        (
            form("2 60", "a\u{0}b", "x"),
            json!([invalid("bank"), invalid("name"), invalid("cpf")]),
        ),
        (
            form(&"1".repeat(65), &"a".repeat(121), ok.2),
            json!([invalid("bank"), too_long("name")]),
        ),
    ] {
        let answer = app.act("save_bank_form", form.clone()).await;
        answer.assert_failure(422, &json!({ "invalid": { "fields": fields } }));
        assert_eq!(app.snapshot(), before, "{form}");
    }
    for (bank, name) in [(ok.0, "Á"), ("001", "Caio Dias")] {
        app.done("save_bank_form", form(bank, name, " 111 444 777 35 "))
            .await;
        let saved = app.snapshot();
        assert_eq!(
            (
                bank_of(&saved.visit).as_deref(),
                &saved.client["admin_name"]
            ),
            (Some(bank), &json!(name))
        );
        assert_eq!(saved.client["admin_cpfcnpj"], "11144477735");
    }
}

/// The server ignores posted values of read-only fields.
#[tokio::test]
async fn ignores_posted_values_of_read_only_fields() {
    let client = "Padaria Estrela do Sul Ltda";
    let own_cpf = "529.982.247-25";
    for (changes, name, cpf) in [
        (json!({ "client_cpfcnpj": own_cpf }), client, "52998224725"),
        (
            json!({ "client_cpfcnpj": own_cpf, "widget_account_admin_name": "Ana" }),
            client,
            "52998224725",
        ),
        (
            json!({ "widget_account_admin_name": client }),
            client,
            "11144477735",
        ),
        (
            json!({ "widget_account_admin_name": "padaria estrela do sul ltda" }),
            "Bia Lima",
            "11144477735",
        ),
        (json!({}), "Bia Lima", "11144477735"),
        (
            json!({ "client_name": "", "widget_account_admin_name": "" }),
            "Bia Lima",
            "11144477735",
        ),
        (
            json!({ "client_cpfcnpj": "", "widget_account_admin_cpfcnpj": "" }),
            "Bia Lima",
            "11144477735",
        ),
    ] {
        let mut app = TestApp::consented(changes.clone()).await;
        app.done("save_bank_form", bank_form()).await;
        let client = app.snapshot().client;
        assert_eq!(
            (&client["admin_name"], &client["admin_cpfcnpj"]),
            (&json!(name), &json!(cpf)),
            "{changes}"
        );
    }
}

/// The form gets its values from the context.
#[tokio::test]
async fn context_has_values_and_fixed_fields() {
    let client = "Padaria Estrela do Sul Ltda";
    for (changes, fixed, cpf) in [
        (
            json!({ "widget_account_admin_cpfcnpj": "11144477735" }),
            json!([]),
            "111.444.777-35",
        ),
        (
            json!({ "widget_account_admin_name": client }),
            json!(["name"]),
            "529.982.247-25",
        ),
        (
            json!({ "client_cpfcnpj": "529.982.247-25", "client_name": "" }),
            json!(["cpf"]),
            "529.982.247-25",
        ),
        (
            json!({ "client_cpfcnpj": "529.982.247-25" }),
            json!(["name", "cpf"]),
            "529.982.247-25",
        ),
        (
            json!({ "widget_account_admin_cpfcnpj": "12.ABC.345/01DE-35" }),
            json!([]),
            "",
        ),
    ] {
        let page = TestApp::consented(changes)
            .await
            .get("/integration/select-bank")
            .await;
        let form = &page.context()["bankForm"];
        assert_eq!(form["cpf"], cpf);
        assert_eq!(form["fixed"], fixed);
    }
    // An invalid CPF (a leading zero is missing) must not make the form impossible to send.
    let mut short = TestApp::consented(json!({ "client_cpfcnpj": "1234" })).await;
    assert_eq!(
        short.get("/integration/select-bank").await.context()["bankForm"]["fixed"],
        json!(["name"])
    );
    short.done("save_bank_form", bank_form()).await;
    assert_eq!(short.snapshot().client["admin_cpfcnpj"], "11144477735");
}

/// The form preselects the bank of the session data, unless the client has chosen one.
#[tokio::test]
async fn prefills_bank_from_session_data() {
    let mut app = TestApp::consented(json!({ "widget_account_bank": 1 })).await;
    assert_eq!(
        app.get("/integration/select-bank").await.context()["bankForm"]["bank"],
        "1"
    );
    app.done("save_bank_form", bank_form()).await;
    assert_eq!(
        app.get("/integration/select-bank").await.context()["bankForm"]["bank"],
        "260"
    );
    let mut app = TestApp::consented(json!({ "widget_account_bank": "não é um código" })).await;
    assert_eq!(
        app.get("/integration/select-bank").await.context()["bankForm"]["bank"],
        ""
    );
}

/// The name distinguishes two banks with one code, so the form gets it back.
#[tokio::test]
async fn form_gets_code_and_name_of_chosen_bank() {
    let mut app = TestApp::consented(json!({})).await;
    let mut chosen = bank_form();
    chosen["bankName"] = json!("Cooperativa de Crédito de Livre Admissão de Água Mansa");
    app.done("save_bank_form", chosen.clone()).await;
    let expected = json!([chosen["bank"], chosen["bankName"]]);
    let saved = |form: &Value| json!([form["bank"], form["bankName"]]);
    let form = app.get("/integration/select-bank").await.context()["bankForm"].clone();
    assert_eq!(saved(&form), expected);
    app.done("open_connect", json!({})).await;
    app.get("/integration/accounts").await;
    let form = app.get("/integration/select-bank").await.context()["bankForm"].clone();
    assert_eq!(saved(&form), expected, "after Connect was left");
}

#[tokio::test]
async fn returns_bank_list_with_brands_in_upstream_order() {
    let mut app = TestApp::consented(json!({})).await;
    app.upstream.forget();
    let banks = json!([
        { "code": "001", "name": "Banco do Brasil", "brand": "Banco do Brasil" },
        { "code": "260", "name": "Nu Pagamentos", "brand": "Nubank" },
    ]);
    assert_eq!(
        app.done("list_banks", json!({})).await,
        json!({ "banks": banks })
    );
    let call = app.upstream.only("GET /list-banks");
    assert_eq!(
        (call.header("authorization").is_some(), &call.body),
        (true, &Value::Null)
    );
}

/// The list may depend on the token, and the call shows whether the token is still valid.
#[tokio::test]
async fn requests_bank_list_with_token_of_each_client() {
    let mut app = TestApp::consented(json!({})).await;
    app.done("list_banks", json!({})).await;
    app.validate("?token=another").await;
    let customer_id = app.session().unwrap().client.firm_id();
    assert_eq!(customer_id, "4711", "a client of the same firm");
    app.upstream.forget();
    app.done("list_banks", json!({})).await;
    let call = app.upstream.only("GET /list-banks");
    assert_eq!(call.header("authorization"), Some("Bearer another"));
    app.upstream
        .on("list-banks", Act::error(401, "Expired token"));
    app.act("list_banks", json!({}))
        .await
        .assert_failure(410, &navigate("/error/token-expired"));
}

/// The owner of a small company types the company's name. Only the client can correct this text.
#[tokio::test]
async fn fields_typed_by_client_stay_editable() {
    let company = "Padaria Estrela do Sul Ltda";
    let unknown = json!({ "widget_account_admin_name": "", "widget_account_admin_cpfcnpj": "" });
    let mut app = TestApp::consented(unknown).await;
    app.done("save_bank_form", form("260", company, "529.982.247-25"))
        .await;
    app.enter().await;
    let shown = app.get("/integration/select-bank").await.context()["bankForm"].clone();
    assert_eq!(
        (&shown["name"], &shown["fixed"]),
        (&json!(company), &json!([]))
    );
    app.done("save_bank_form", form("260", "Bia Lima", "111.444.777-35"))
        .await;
    assert_eq!(app.snapshot().client["admin_name"], "Bia Lima");
}

/// Without a document, the client is not treated as an individual, and the firm's administrator is
/// kept.
#[tokio::test]
async fn client_without_document_is_not_individual() {
    let mut app = TestApp::consented(
        json!({ "client_cpfcnpj": "", "widget_account_admin_name": "Bia Lima" }),
    )
    .await;
    let shown = app.get("/integration/select-bank").await.context()["bankForm"].clone();
    assert_eq!(
        (&shown["name"], &shown["fixed"]),
        (&json!("Bia Lima"), &json!([]))
    );
}
