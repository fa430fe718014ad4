//! The contract: methods, paths, headers, request and response bodies of the nine calls, as in the
//! examples of `docs/widget-api.openapi.yaml`.

use std::time::Duration;

use secrecy::ExposeSecret;
use serde_json::{Value, json};
use vincula_domain::{bank::TaxId, token::LinkToken};
use vincula_testing::{Act, ScriptedApi, example};

use super::{ITEM, TOKEN, caller, link_token, make_call, upstream};
use crate::{
    Account, Bank, Call, CallError, Caller, ConnectTokenRequest, Id, Unexpected, Upstream,
    Validation, WidgetType,
};

/// Timeout of calls that the server answers at once: long enough for a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// The example of a call's request. A list has no body.
pub(super) fn request_of(call: Call) -> Option<&'static Value> {
    (!call.is_list()).then(|| example(&format!("{}.request", call.path())))
}

/// The example of a call's response.
pub(super) fn response_of(call: Call) -> String {
    example(&format!("{}.response", call.path())).to_string()
}

/// A server that sends the same response to every request.
pub(super) async fn answering(status: u16, body: &str) -> (ScriptedApi, Upstream) {
    let server = ScriptedApi::answering(Act::text(status, "text/plain", body)).await;
    let upstream = upstream(&server.origin(), PATIENCE);
    (server, upstream)
}

/// Method and path of the only request that the server received.
fn only_line(server: &ScriptedApi) -> String {
    let [line] = &server.lines()[..] else {
        panic!("one call, one request: {:?}", server.lines())
    };
    line.clone()
}

#[tokio::test]
async fn sends_example_of_each_call() {
    for (call, line) in [
        (Call::ValidateToken, "POST /validate-token"),
        (Call::AuthorizeCustomer, "POST /authorize-customer"),
        (Call::ListAccounts, "GET /list-accounts"),
        (Call::CancelIntegrations, "POST /cancel-integrations"),
        (Call::ListBanks, "GET /list-banks"),
        (Call::Success, "POST /success"),
        (Call::ConnectToken, "POST /connect-token"),
        (Call::Log, "POST /log"),
        (Call::UpdateLinkAccount, "PUT /update-link-account"),
    ] {
        let (server, upstream) = answering(200, &response_of(call)).await;
        make_call(call, &upstream, &caller()).await.unwrap();
        make_call(call, &upstream, &Caller::default())
            .await
            .unwrap();

        let [request, without_tokens] = &server.calls()[..] else {
            panic!("two requests")
        };
        for name in ["authorization", "cookie", "x-xsrf-token"] {
            assert_eq!(without_tokens.header(name), None, "{call:?}");
        }
        assert_eq!(request.line, line, "{call:?}");
        assert_eq!(
            request.header("accept"),
            Some("application/json"),
            "{call:?}"
        );
        assert_eq!(
            request.header("authorization"),
            Some(&*format!("Bearer {TOKEN}")),
            "{call:?}"
        );
        assert_eq!(
            request.header("cookie"),
            Some("XSRF-TOKEN=x%3D%3D"),
            "{call:?}"
        );
        assert_eq!(request.header("x-xsrf-token"), Some("x=="), "{call:?}");
        assert_eq!(
            request.header("user-agent"),
            Some(concat!("vincula/", env!("CARGO_PKG_VERSION"))),
            "{call:?}"
        );
        assert_eq!(request.header("accept-encoding"), None, "{call:?}");
        match request_of(call) {
            Some(expected) => {
                assert_eq!(
                    request.header("content-type"),
                    Some("application/json"),
                    "{call:?}"
                );
                assert_eq!(&request.body, expected, "{call:?}");
            }
            None => assert!(request.bytes.is_empty(), "{call:?}"),
        }
    }
}

#[tokio::test]
async fn skips_byte_order_mark() {
    let expired = json!({"meta": {"status": 401, "message": "Expired token"}}).to_string();
    for &call in Call::ALL {
        let marked = |body: &str| format!("\u{feff}{body}");
        let (_server, good) = answering(200, &marked(&response_of(call))).await;
        assert_eq!(make_call(call, &good, &caller()).await, Ok(()), "{call:?}");
        for status in [200, 401] {
            let (_server, refusing) = answering(status, &marked(&expired)).await;
            let error = make_call(call, &refusing, &caller()).await.unwrap_err();
            assert_eq!(error.name(), "token_expired", "{call:?} HTTP {status}");
        }
        let (_server, portal) = answering(200, &marked("<html>")).await;
        let error = make_call(call, &portal, &caller()).await.unwrap_err();
        assert_eq!(error.name(), "unexpected_response", "{call:?}");
    }
}

#[tokio::test]
async fn calls_keep_path_of_base_address() {
    for (base, at) in [
        ("", "/success"),
        ("/", "/success"),
        ("/api/v1", "/api/v1/success"),
        ("/api/v1/", "/api/v1/success"),
        ("/a%20b", "/a%20b/success"),
    ] {
        let server = ScriptedApi::answering(Act::status(204)).await;
        upstream(&format!("{}{base}", server.origin()), PATIENCE)
            .success(&caller(), &link_token())
            .await
            .unwrap();
        assert_eq!(only_line(&server), format!("POST {at}"), "{base:?}");
    }
}

#[tokio::test]
async fn reads_example_responses() {
    let (_server, upstream) = answering(200, &response_of(Call::ValidateToken)).await;
    let data = upstream
        .validate_token(&caller(), &link_token(), Validation::Full)
        .await
        .unwrap()
        .data;
    assert_eq!(*data.client_name, "Padaria Estrela do Sul Ltda");
    assert_eq!(data.client_cpfcnpj, TaxId::new("12.ABC.345/01DE-35"));
    assert_eq!(data.customer_id, Some(Id::Number(4711.into())));
    assert_eq!(data.customer_name, "Contábil Horizonte");
    assert_eq!(*data.widget_account_admin_name, "Ana Souza");
    assert_eq!(
        data.widget_account_admin_cpfcnpj,
        TaxId::new("529.982.247-25")
    );
    assert_eq!(data.widget_type, WidgetType::Update);
    assert_eq!(data.widget_account_bank, "260");
    assert_eq!(data.link_id, Id::parse(ITEM));
    assert_eq!(
        data.client_uuid,
        Id::parse("0b9f9a52-3c1d-4d7e-9a6a-2f1c8f0f5e11")
    );

    let (_server, upstream) = answering(200, &response_of(Call::ListAccounts)).await;
    let accounts = upstream.list_accounts(&caller()).await.unwrap().data;
    let first = Account {
        bank: "Banco do Brasil".into(),
        agency: "0001".into(),
        number: "012345-6".into(),
        name: "Padaria Estrela do Sul".into(),
    };
    assert_eq!((accounts.len(), &accounts[0]), (2, &first));

    let (_server, upstream) = answering(200, &response_of(Call::ListBanks)).await;
    let banks = upstream.list_banks(&caller()).await.unwrap().data;
    assert_eq!(
        (banks.len(), &banks[0]),
        (
            2,
            &Bank {
                code: "001".into(),
                name: "Banco do Brasil".into()
            }
        )
    );

    let (_server, upstream) = answering(201, &response_of(Call::ConnectToken)).await;
    let token = upstream
        .connect_token(&caller(), &ConnectTokenRequest::default())
        .await
        .unwrap()
        .data;
    assert_eq!(
        token.expose_secret(),
        "eyJhbGciOiJSUzI1NiJ9.sample.connect-token"
    );
}

#[tokio::test]
async fn sends_return_flag_and_null_link_id() {
    let (server, upstream) = answering(200, "").await;
    let _ = upstream
        .validate_token(&caller(), &link_token(), Validation::AfterReturn)
        .await;
    let _ = upstream
        .connect_token(&caller(), &ConnectTokenRequest::default())
        .await;
    let sent: Vec<Value> = server.calls().into_iter().map(|call| call.body).collect();
    let expected = [
        "validate-token-of-success.request",
        "connect-token-new.request",
    ];
    assert_eq!(sent, expected.map(|name| example(name).clone()));
}

/// A message is redacted before it is cut: of a token that is cut in two, nothing is left.
#[tokio::test]
async fn redacts_and_truncates_error_messages() {
    let token = "t".repeat(1_900);
    let caller = Caller {
        token: LinkToken::parse(&token),
        ..Caller::default()
    };
    for (message, kept) in [
        (
            "Customer 529.982.247-25 is blocked".to_owned(),
            "Customer [redacted] is blocked".to_owned(),
        ),
        (
            format!("no {}", format!("{token} ").repeat(3)),
            format!("no {}", "[redacted] ".repeat(3)),
        ),
        ("é".repeat(5_000), "é".repeat(300)),
    ] {
        let (_server, upstream) =
            answering(422, &json!({"meta": {"message": message}}).to_string()).await;
        let error = upstream
            .connect_token(&caller, &ConnectTokenRequest::default())
            .await
            .unwrap_err();
        assert_eq!(
            error.failed_response().unwrap().message.as_deref(),
            Some(&*kept)
        );
    }
}

#[tokio::test]
async fn reads_only_bodies_that_are_not_compressed() {
    for (encoding, expected) in [
        ("identity", None),
        ("br", Some(CallError::Unexpected(Unexpected::Compressed))),
    ] {
        let act = Act::data(&json!([])).with("content-encoding", encoding);
        let server = ScriptedApi::answering(act).await;
        let upstream = upstream(&server.origin(), PATIENCE);
        let listed = upstream.list_banks(&caller()).await;
        assert_eq!(listed.err(), expected, "{encoding}");
    }
}

#[tokio::test]
async fn does_not_follow_redirects() {
    for (call, status) in Call::ALL
        .iter()
        .copied()
        .zip([301, 302, 303, 307, 308].into_iter().cycle())
    {
        let server = ScriptedApi::answering(Act::status(status).with("location", "/trap")).await;
        let error = make_call(call, &upstream(&server.origin(), PATIENCE), &caller())
            .await
            .unwrap_err();
        let expected = CallError::Unexpected(Unexpected::NoEnvelope(status));
        assert_eq!(error, expected, "{call:?}");
        let line = format!("{} /{}", call.method(), call.path());
        assert_eq!(only_line(&server), line);
    }
}
