//! The contract: methods, paths, headers, request and response bodies of the nine calls, as in the samples.

use std::{collections::HashSet, fs, time::Duration};

use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, COOKIE};
use secrecy::ExposeSecret;
use serde_json::{Value, json};
use vincula_domain::{
    bank::TaxId,
    problem::Problem,
    token::XsrfToken,
    wire::{Account, BankOption, WidgetType},
};
use wiremock::{
    Mock, MockServer, Request, ResponseTemplate,
    matchers::{any, method, path},
};

use super::{ITEM, TOKEN, caller, link_token, make, upstream};
use crate::{
    Call, CallError, Caller, ConnectTokenRequest, Id, LogEntry, LogStatus, LogType, Reply, Unexpected, Upstream,
    envelope::ErrorEnvelope, failure::classify,
};

/// Timeout of calls that the server answers at once: long enough for a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// The text of a sample.
macro_rules! sample {
    ($name:literal) => {
        include_str!(concat!("../samples/", $name, ".json"))
    };
}

/// Request and response body of each call. Tests compare bodies as JSON values, so key order does not matter.
pub(super) fn samples(call: Call) -> (Option<&'static str>, &'static str) {
    match call {
        Call::ValidateToken => (Some(sample!("validate-token.request")), sample!("validate-token.answer")),
        Call::AuthorizeCustomer => (Some(sample!("authorize-customer.request")), sample!("authorize-customer.answer")),
        Call::ListAccounts => (None, sample!("list-accounts.answer")),
        Call::CancelIntegrations => {
            (Some(sample!("cancel-integrations.request")), sample!("cancel-integrations.answer"))
        }
        Call::ListBanks => (None, sample!("list-banks.answer")),
        Call::Success => (Some(sample!("success.request")), sample!("success.answer")),
        Call::ConnectToken => (Some(sample!("connect-token.request")), sample!("connect-token.answer")),
        Call::Log => (Some(sample!("log.request")), sample!("log.answer")),
        Call::UpdateLinkAccount => {
            (Some(sample!("update-link-account.request")), sample!("update-link-account.answer"))
        }
    }
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn header(request: &Request, name: impl AsRef<str>) -> Option<&str> {
    request.headers.get(name.as_ref()).map(|value| value.to_str().unwrap())
}

/// A server that sends the same response to every request.
pub(super) async fn answering(status: u16, body: &str) -> (MockServer, Upstream) {
    let server = MockServer::start().await;
    Mock::given(any()).respond_with(ResponseTemplate::new(status).set_body_string(body)).mount(&server).await;
    let upstream = upstream(&server.uri(), PATIENCE);
    (server, upstream)
}

/// The only request that the server received.
async fn only_request(server: &MockServer) -> Request {
    let requests = server.received_requests().await.unwrap();
    assert_eq!(requests.len(), 1, "one call, one request");
    requests.into_iter().next().unwrap()
}

#[tokio::test]
async fn each_call_sends_its_sample() {
    for (call, verb, at) in [
        (Call::ValidateToken, "POST", "/validate-token"),
        (Call::AuthorizeCustomer, "POST", "/authorize-customer"),
        (Call::ListAccounts, "GET", "/list-accounts"),
        (Call::CancelIntegrations, "POST", "/cancel-integrations"),
        (Call::ListBanks, "GET", "/list-banks"),
        (Call::Success, "POST", "/success"),
        (Call::ConnectToken, "POST", "/connect-token"),
        (Call::Log, "POST", "/log"),
        (Call::UpdateLinkAccount, "PUT", "/update-link-account"),
    ] {
        let (sent, answer) = samples(call);
        let (server, upstream) = answering(200, answer).await;
        make(call, &upstream, &caller()).await.unwrap();

        let request = only_request(&server).await;
        assert_eq!((request.method.as_str(), request.url.path(), request.url.query()), (verb, at, None), "{call:?}");
        assert_eq!(header(&request, ACCEPT), Some("application/json"), "{call:?}");
        assert_eq!(header(&request, AUTHORIZATION), Some(&*format!("Bearer {TOKEN}")), "{call:?}");
        assert_eq!(header(&request, COOKIE), Some("XSRF-TOKEN=x%3D%3D"), "{call:?}");
        assert_eq!(header(&request, "x-xsrf-token"), Some("x=="), "{call:?}");
        assert_eq!(header(&request, "user-agent"), Some(concat!("vincula/", env!("CARGO_PKG_VERSION"))), "{call:?}");
        assert_eq!(header(&request, "accept-encoding"), None, "{call:?}");
        match sent {
            Some(sample) => {
                assert_eq!(header(&request, CONTENT_TYPE), Some("application/json"), "{call:?}");
                assert_eq!(request.body_json::<Value>().unwrap(), parsed(sample), "{call:?}");
            }
            None => assert!(request.body.is_empty(), "{call:?}"),
        }
    }
}

#[tokio::test]
async fn a_caller_without_tokens_sends_none() {
    for call in Call::ALL {
        let (server, upstream) = answering(200, samples(call).1).await;
        make(call, &upstream, &Caller::default()).await.unwrap();
        let request = only_request(&server).await;
        for name in ["authorization", "cookie", "x-xsrf-token"] {
            assert_eq!(header(&request, name), None, "{call:?}");
        }
    }
}

#[tokio::test]
async fn the_base_address_may_have_a_path() {
    for (base, at) in [
        ("", "/success"),
        ("/", "/success"),
        ("/api/v1", "/api/v1/success"),
        ("/api/v1/", "/api/v1/success"),
        ("/a%20b", "/a%20b/success"),
    ] {
        let server = MockServer::start().await;
        Mock::given(any()).respond_with(ResponseTemplate::new(204)).mount(&server).await;
        upstream(&format!("{}{base}", server.uri()), PATIENCE).success(&caller(), &link_token()).await.unwrap();
        assert_eq!(only_request(&server).await.url.path(), at, "{base:?}");
    }
}

#[tokio::test]
async fn answers_are_read_into_types() {
    let (_server, upstream) = answering(200, sample!("validate-token.answer")).await;
    let data = upstream.validate_token(&caller(), &link_token(), false).await.unwrap().data;
    assert_eq!(data.client_name, "Padaria Estrela do Sul Ltda");
    assert_eq!(data.client_cpfcnpj, TaxId::new("12.ABC.345/01DE-35"));
    assert_eq!(data.customer_id, Id::Number(4711.into()));
    assert_eq!(data.customer_name, "Contábil Horizonte");
    assert_eq!(data.widget_account_admin_name, "Ana Souza");
    assert_eq!(data.widget_account_admin_cpfcnpj, TaxId::new("529.982.247-25"));
    assert_eq!(data.widget_type, WidgetType::Update);
    assert_eq!(data.widget_account_bank, "260");
    assert_eq!(data.link_id, Id::parse(ITEM));
    assert_eq!(data.client_uuid, Id::parse("0b9f9a52-3c1d-4d7e-9a6a-2f1c8f0f5e11"));

    let (_server, upstream) = answering(200, sample!("list-accounts.answer")).await;
    let accounts = upstream.list_accounts(&caller()).await.unwrap().data.accounts;
    let first = Account {
        brand: "Banco do Brasil".into(),
        bank: "Banco do Brasil".into(),
        agency: "0001".into(),
        number: "012345-6".into(),
        name: "Padaria Estrela do Sul".into(),
    };
    assert_eq!((accounts.len(), &accounts[0]), (2, &first));

    let (_server, upstream) = answering(200, sample!("list-banks.answer")).await;
    let banks = upstream.list_banks(&caller()).await.unwrap().data;
    assert_eq!((banks.len(), &banks[0]), (2, &BankOption { code: "001".into(), name: "Banco do Brasil".into() }));

    let (_server, upstream) = answering(201, sample!("connect-token.answer")).await;
    let token = upstream.connect_token(&caller(), &ConnectTokenRequest::default()).await.unwrap().data;
    assert_eq!(token.expose_secret(), "eyJhbGciOiJSUzI1NiJ9.sample.connect-token");
}

#[tokio::test]
async fn accounts_may_be_numbers_or_nothing() {
    let body = r#"{"data":[{"bank":1,"agency":"0001","number":123,"name":null,"id":9},{}],"meta":{}}"#;
    let (_server, upstream) = answering(200, body).await;
    let accounts = upstream.list_accounts(&caller()).await.unwrap().data.accounts;
    let texts: Vec<[&str; 4]> = accounts.iter().map(|a| [&*a.bank, &*a.agency, &*a.number, &*a.name]).collect();
    assert_eq!(texts, [["1", "0001", "123", ""], ["", "", "", ""]]);
}

#[tokio::test]
async fn a_return_from_the_bank_says_so() {
    let (server, upstream) = answering(200, sample!("validate-token.answer")).await;
    upstream.validate_token(&caller(), &link_token(), true).await.unwrap();
    let sent: Value = only_request(&server).await.body_json().unwrap();
    assert_eq!(sent, parsed(sample!("validate-token-of-success.request")));
}

#[tokio::test]
async fn a_new_link_asks_with_null() {
    let (server, upstream) = answering(200, sample!("connect-token.answer")).await;
    upstream.connect_token(&caller(), &ConnectTokenRequest::default()).await.unwrap();
    let sent: Value = only_request(&server).await.body_json().unwrap();
    assert_eq!(sent, parsed(sample!("connect-token-new.request")));
}

#[tokio::test]
async fn log_entries_are_json_text() {
    for (kind, status, named) in [
        (LogType::ConnectTokenRequest, LogStatus::Success, ("pluggy-getConnectToken-request", "SUCCESS")),
        (LogType::ConnectTokenResponse, LogStatus::Error, ("pluggy-getConnectToken-response", "ERROR")),
        (LogType::WidgetSuccess, LogStatus::Success, ("pluggy-widget-success", "SUCCESS")),
        (LogType::WidgetError, LogStatus::Error, ("pluggy-widget-error", "ERROR")),
    ] {
        let (server, upstream) = answering(200, "").await;
        let data = json!({"item": ITEM, "message": "\"quoted\""});
        upstream.log(&caller(), &LogEntry { kind, status, data: data.clone(), idempotency_key: None }).await.unwrap();
        let sent: Value = only_request(&server).await.body_json().unwrap();
        assert_eq!((sent["type"].as_str(), sent["status"].as_str()), (Some(named.0), Some(named.1)));
        let logged = parsed(sent["data_log"].as_str().expect("JSON text"));
        assert_eq!(logged, data);
    }
}

#[tokio::test]
async fn an_xsrf_cookie_comes_back_with_the_answer() {
    for call in Call::ALL {
        let server = MockServer::start().await;
        let answer = ResponseTemplate::new(200)
            .set_body_string(samples(call).1)
            .append_header("set-cookie", "laravel_session=1; HttpOnly")
            .append_header("set-cookie", "XSRF-TOKEN=fresh%3D; Path=/; Secure");
        Mock::given(any()).respond_with(answer).mount(&server).await;
        let xsrf = make(call, &upstream(&server.uri(), PATIENCE), &caller()).await.unwrap();
        assert_eq!(xsrf.as_ref().map(XsrfToken::expose), Some("fresh%3D"), "{call:?}");
    }
}

/// The samples of errors: their text, and their status.
fn error_samples() -> Vec<(String, u16)> {
    let folder = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/src/samples")).unwrap();
    let files =
        folder.map(|file| file.unwrap()).filter(|file| file.file_name().to_str().unwrap().starts_with("error."));
    let bodies = files.map(|file| fs::read_to_string(file.path()).unwrap());
    bodies.map(|body| (body.clone(), parsed(&body)["meta"]["status"].as_u64().unwrap().try_into().unwrap())).collect()
}

/// What each error means is the table of `failure.rs`; here it has come over HTTP.
#[tokio::test]
async fn each_problem_has_a_sample() {
    let mut met = HashSet::new();
    for call in Call::ALL {
        for (body, http_status) in error_samples() {
            let (_server, upstream) = answering(http_status, &body).await;
            let Err(CallError::Reply(Reply { http_status: status, meta_status, problem, .. })) =
                make(call, &upstream, &caller()).await
            else {
                panic!("{call:?} {body}");
            };
            let expected = classify(call, http_status, &ErrorEnvelope::read(body.as_bytes()));
            assert_eq!((status, meta_status, problem), (http_status, Some(http_status), expected), "{call:?} {body}");
            met.insert(problem);
        }
    }
    for problem in Problem::ALL {
        assert_eq!(met.contains(&problem), problem.refusal().is_some(), "{problem:?}");
    }
}

#[tokio::test]
async fn messages_are_kept_short_and_clean() {
    let told = async |message: String| {
        let (_server, upstream) = answering(422, &json!({"meta": {"message": message}}).to_string()).await;
        match upstream.connect_token(&caller(), &ConnectTokenRequest::default()).await {
            Err(CallError::Reply(reply)) => reply.message.unwrap(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(told("Customer 529.982.247-25 is blocked".into()).await, "Customer [redacted] is blocked");
    assert_eq!(told(format!("no {TOKEN}")).await, "no [redacted]");
    assert_eq!(told("é".repeat(5_000)).await, "é".repeat(300));
}

#[tokio::test]
async fn redirects_are_not_followed() {
    for call in Call::ALL {
        for status in [301, 302, 303, 307, 308] {
            let server = MockServer::start().await;
            let moved = ResponseTemplate::new(status).insert_header("location", format!("{}/trap", server.uri()));
            Mock::given(path("/trap")).respond_with(ResponseTemplate::new(200)).expect(0).mount(&server).await;
            Mock::given(method(call.method().as_str())).respond_with(moved).expect(1).mount(&server).await;
            let error = make(call, &upstream(&server.uri(), PATIENCE), &caller()).await.unwrap_err();
            assert!(
                matches!(&error, CallError::Reply(r) if r.http_status == status && r.problem == Problem::TokenInvalid),
                "{error:?}"
            );
        }
    }
}

/// 2xx bodies of the wrong shape: calls without data accept an empty body and any JSON, the other four do not.
#[tokio::test]
async fn a_2xx_of_another_shape_is_unexpected() {
    use Unexpected::{NotJson, OtherShape};
    for (status, body, what) in [
        (200, "", NotJson),
        (204, "", NotJson),
        (200, "OK", NotJson),
        (200, "<!doctype html><title>Bem-vindo</title>", NotJson),
        (200, r#"{"data":"#, NotJson),
        (200, "null", OtherShape),
        (200, r#"{"meta":{"status":200,"message":"OK"}}"#, OtherShape),
        (200, r#"{"data":true,"meta":{"status":200}}"#, OtherShape),
        (200, r#"{"data":[7],"meta":{"status":200}}"#, OtherShape),
        (200, r#"[{"data":{"customer_id":7}}]"#, OtherShape),
    ] {
        for call in Call::ALL {
            let (_server, upstream) = answering(status, body).await;
            let got = make(call, &upstream, &caller()).await.map(drop);
            let used = samples(call).1.contains("\"data\": [")
                || samples(call).1.contains("\"data\": {")
                || call == Call::ConnectToken;
            let is_json = what == OtherShape || body.is_empty();
            let expected = if !used && is_json { Ok(()) } else { Err(CallError::Unexpected(what)) };
            assert_eq!(got, expected, "{call:?} {status} {body}");
        }
    }
}

/// `meta` decides, also with a 2xx status. But a call that returns data has not failed if it received them.
#[tokio::test]
async fn a_good_status_does_not_hide_a_failure() {
    for call in Call::ALL {
        for (body, _) in error_samples() {
            let (_server, upstream) = answering(200, &body).await;
            let error = make(call, &upstream, &caller()).await.unwrap_err();
            let problem = classify(call, 200, &ErrorEnvelope::read(body.as_bytes()));
            assert_eq!(
                error.reply().map(|reply| (reply.http_status, reply.problem)),
                Some((200, problem)),
                "{call:?} {body}"
            );
        }
        let mut good = parsed(samples(call).1);
        good["meta"]["status"] = 500.into();
        let (_server, upstream) = answering(200, &good.to_string()).await;
        let outcome = make(call, &upstream, &caller()).await.map(drop);
        assert_eq!(outcome.is_ok(), !good["data"].is_null(), "{call:?}");
    }
}

/// A token that the truncation cuts in two is not kept either.
#[tokio::test]
async fn a_message_that_is_cut_off_shows_no_half_of_a_token() {
    let token = "t".repeat(1_900);
    let caller = Caller { token: vincula_domain::token::LinkToken::parse(&token), xsrf: None };
    let body = json!({ "meta": { "message": format!("no {}", format!("{token} ").repeat(3)) } }).to_string();
    let (_server, upstream) = answering(422, &body).await;
    let error = upstream.connect_token(&caller, &ConnectTokenRequest::default()).await.unwrap_err();
    let message = error.reply().and_then(|reply| reply.message.clone()).unwrap();
    assert!(!message.contains("tt"), "{message}");
}
