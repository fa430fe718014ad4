//! Calls that several share: polls at the same time, and the bank list.

use std::time::Duration;

use serde_json::json;
use wiremock::{
    Mock, MockServer, ResponseTemplate,
    matchers::{header, path},
};

use super::{TOKEN, caller, upstream};
use crate::{
    session::token::LinkToken,
    upstream::{CallError, Caller, Upstream},
};

const PATIENCE: Duration = Duration::from_secs(20);
const SLOWLY: Duration = Duration::from_millis(300);

fn bearer(token: &str) -> Caller {
    Caller { token: LinkToken::parse(token), xsrf: None }
}

/// An upstream that answers slowly, so that calls meet.
async fn slow(answer: ResponseTemplate) -> (MockServer, Upstream) {
    let server = MockServer::start().await;
    Mock::given(path("/list-accounts")).respond_with(answer.clone().set_delay(SLOWLY)).mount(&server).await;
    Mock::given(path("/list-banks")).respond_with(answer.set_delay(SLOWLY)).mount(&server).await;
    let upstream = upstream(&server.uri(), PATIENCE);
    (server, upstream)
}

async fn calls(server: &MockServer) -> usize {
    server.received_requests().await.unwrap().len()
}

#[tokio::test]
async fn polls_of_one_token_at_the_same_time_share_a_call() {
    let rows = json!({ "data": [{ "bank": "B", "agency": "1", "number": "2", "name": "N" }] });
    let (server, upstream) = slow(ResponseTemplate::new(200).set_body_json(rows)).await;
    let (mine, others) = (caller(), bearer("another-token"));
    let (a, b, c) =
        tokio::join!(upstream.list_accounts(&mine), upstream.list_accounts(&mine), upstream.list_accounts(&others));
    assert_eq!(a.unwrap().data, b.unwrap().data);
    assert_eq!(c.unwrap().data.len(), 1);
    assert_eq!(calls(&server).await, 2, "one for each token");
    upstream.list_accounts(&mine).await.unwrap();
    assert_eq!(calls(&server).await, 3, "a poll is live: nothing is kept");
}

#[tokio::test]
async fn polls_that_share_a_call_share_its_failure() {
    let (server, upstream) = slow(ResponseTemplate::new(401)).await;
    let mine = caller();
    let (a, b) = tokio::join!(upstream.list_accounts(&mine), upstream.list_accounts(&mine));
    assert!(a.is_err());
    assert_eq!(a.unwrap_err(), b.unwrap_err());
    assert_eq!(calls(&server).await, 1);
}

#[tokio::test]
async fn many_who_need_the_bank_list_at_once_make_one_call_and_later_ones_none() {
    let banks = json!({ "data": [{ "code": "1", "name": "BB" }] });
    let (server, upstream) = slow(ResponseTemplate::new(200).set_body_json(banks)).await;
    let (a, b) = (bearer("a"), bearer("b"));
    let (first, second) = tokio::join!(upstream.banks_of("7", &a), upstream.banks_of("7", &b));
    assert_eq!(first.unwrap().data, second.unwrap().data);
    assert_eq!(upstream.banks_of("7", &b).await.unwrap().data.len(), 1);
    assert_eq!(calls(&server).await, 1);
    upstream.banks_of("8", &b).await.unwrap();
    assert_eq!(calls(&server).await, 2, "another firm's list may be another");
}

/// A refusal may be about the token of whoever happened to ask first.
#[tokio::test]
async fn a_refused_first_load_is_nobody_elses_refusal() {
    let server = MockServer::start().await;
    let banks = json!({ "data": [{ "code": "1", "name": "BB" }] });
    Mock::given(path("/list-banks"))
        .and(header("authorization", format!("Bearer {TOKEN}")))
        .respond_with(ResponseTemplate::new(200).set_body_json(banks))
        .mount(&server)
        .await;
    Mock::given(path("/list-banks")).respond_with(ResponseTemplate::new(401).set_delay(SLOWLY)).mount(&server).await;
    let upstream = upstream(&server.uri(), PATIENCE);
    let (expired, mine) = (bearer("expired"), caller());
    let (refused, listed) = tokio::join!(upstream.banks_of("7", &expired), upstream.banks_of("7", &mine));
    assert!(matches!(refused, Err(CallError::Reply(_))), "{refused:?}");
    assert_eq!(listed.unwrap().data.len(), 1);
}
