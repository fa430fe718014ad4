//! Calls of different clients are independent, except that those of one firm share a cached bank list.

use std::time::Duration;

use serde_json::json;
use tokio::time::{sleep, timeout};
use vincula_domain::token::LinkToken;
use wiremock::{
    Mock, MockServer, ResponseTemplate,
    matchers::{header, path},
};

use super::upstream;
use crate::{Caller, Upstream, UpstreamConfig};

const PATIENCE: Duration = Duration::from_secs(20);
const FOR_EVER: Duration = Duration::from_secs(3_600);

fn bearer(token: &str) -> Caller {
    Caller { token: LinkToken::parse(token), xsrf: None }
}

fn of(token: &str) -> impl wiremock::Match + 'static {
    header("authorization", format!("Bearer {token}"))
}

fn banks(code: &str) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_json(json!({ "data": [{ "code": code, "name": "BB" }] }))
}

async fn calls(server: &MockServer) -> usize {
    server.received_requests().await.unwrap().len()
}

/// A hanging call delays neither the same link in another tab nor another client of the firm.
#[tokio::test]
async fn a_call_that_hangs_holds_up_nobody_else() {
    for call in ["/list-accounts", "/list-banks"] {
        let server = MockServer::start().await;
        let hangs = banks("1").set_delay(FOR_EVER);
        Mock::given(path(call)).and(of("slow")).respond_with(hangs).up_to_n_times(1).mount(&server).await;
        Mock::given(path(call)).respond_with(banks("1")).mount(&server).await;
        let upstream = upstream(&server.uri(), FOR_EVER);
        let list = async |token: &str| match call {
            "/list-banks" => upstream.cached_banks("7", &bearer(token)).await.is_ok(),
            _ => upstream.list_accounts(&bearer(token)).await.is_ok(),
        };
        let others = async {
            while calls(&server).await == 0 {
                tokio::task::yield_now().await;
            }
            (list("slow").await, list("other").await)
        };
        tokio::select! {
            _ = list("slow") => panic!("{call}: it hangs"),
            served = timeout(PATIENCE, others) => assert_eq!(served, Ok((true, true)), "{call}"),
        }
    }
}

/// An error may concern only the token that the first caller sent, and is not kept.
#[tokio::test]
async fn a_firms_bank_list_is_asked_for_once_in_a_while() {
    let server = MockServer::start().await;
    Mock::given(path("/list-banks")).and(of("expired")).respond_with(ResponseTemplate::new(401)).mount(&server).await;
    Mock::given(path("/list-banks")).respond_with(banks("1")).mount(&server).await;
    let upstream = upstream(&server.uri(), PATIENCE);
    assert!(upstream.cached_banks("7", &bearer("expired")).await.is_err());
    for token in ["a", "b", "a"] {
        assert_eq!(upstream.cached_banks("7", &bearer(token)).await.unwrap().data.len(), 1);
    }
    assert_eq!(calls(&server).await, 2);
    upstream.cached_banks("8", &bearer("b")).await.unwrap();
    assert_eq!(calls(&server).await, 3, "another firm's list may be another");
}

#[tokio::test]
async fn a_list_expires_and_zero_turns_the_cache_off() {
    for (ttl, calls_made) in [(Duration::ZERO, 2), (Duration::from_millis(1), 2), (FOR_EVER, 1)] {
        let server = MockServer::start().await;
        Mock::given(path("/list-banks")).respond_with(banks("1")).mount(&server).await;
        let (base, timeout) = (server.uri().parse().unwrap(), PATIENCE);
        let config = UpstreamConfig { base, timeout, connect_timeout: timeout, bank_list_ttl: ttl };
        let upstream = Upstream::new(&config).unwrap();
        for _ in 0..2 {
            upstream.cached_banks("7", &bearer("mine")).await.unwrap();
            sleep(Duration::from_millis(10)).await;
        }
        assert_eq!(calls(&server).await, calls_made, "{ttl:?}");
    }
}
