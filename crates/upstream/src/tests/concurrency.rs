//! Calls are independent: none waits for another.

use std::time::Duration;

use serde_json::json;
use tokio::time::timeout;
use vincula_domain::token::LinkToken;
use wiremock::{
    Mock, MockServer, ResponseTemplate,
    matchers::{header, path},
};

use super::upstream;
use crate::Caller;

const PATIENCE: Duration = Duration::from_secs(20);
const FOR_EVER: Duration = Duration::from_secs(3_600);

fn bearer(token: &str) -> Caller {
    Caller {
        token: LinkToken::parse(token),
        ..Caller::default()
    }
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
async fn hanging_call_does_not_delay_others() {
    for call in ["/list-accounts", "/list-banks"] {
        let server = MockServer::start().await;
        let hangs = banks("1").set_delay(FOR_EVER);
        Mock::given(path(call))
            .and(of("slow"))
            .respond_with(hangs)
            .up_to_n_times(1)
            .mount(&server)
            .await;
        Mock::given(path(call))
            .respond_with(banks("1"))
            .mount(&server)
            .await;
        let upstream = upstream(&server.uri(), FOR_EVER);
        let list = async |token: &str| match call {
            "/list-banks" => upstream.list_banks(&bearer(token)).await.is_ok(),
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
