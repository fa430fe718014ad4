//! Calls are independent: none waits for another.

use std::time::Duration;

use tokio::time::timeout;
use vincula_domain::token::LinkToken;
use vincula_testing::{Act, ScriptedApi};

use super::upstream;
use crate::Caller;

const PATIENCE: Duration = Duration::from_secs(20);
const FOR_EVER: Duration = Duration::from_hours(1);

fn bearer(token: &str) -> Caller {
    Caller {
        token: LinkToken::parse(token),
        ..Caller::default()
    }
}

/// A hanging call delays neither the same link in another tab nor another client of the firm.
#[tokio::test]
async fn hanging_call_does_not_delay_others() {
    for call in ["list-accounts", "list-banks"] {
        let server = ScriptedApi::start().await;
        server.on_for("slow", call, Act::Hang);
        let upstream = upstream(&server.base(), FOR_EVER);
        let list = async |token: &str| match call {
            "list-banks" => upstream.list_banks(&bearer(token)).await.is_ok(),
            _ => upstream.list_accounts(&bearer(token)).await.is_ok(),
        };
        let others = async {
            server.received_all(&[&format!("GET /{call}")]).await;
            server.recover_for("slow", call);
            (list("slow").await, list("other").await)
        };
        tokio::select! {
            _ = list("slow") => panic!("{call}: it hangs"),
            served = timeout(PATIENCE, others) => assert_eq!(served, Ok((true, true)), "{call}"),
        }
    }
}
