//! Calls are independent: none waits for another. Their number is limited.

use std::{sync::Arc, time::Duration};

use serde_json::json;
use tokio::{sync::Notify, time::timeout};
use vincula_domain::token::LinkToken;
use vincula_testing::{Act, ScriptedApi, log_of_this_thread};

use super::{make_call, upstream};
use crate::{
    Call, CallError, Caller, LogEntry, LogStatus, LogType, NoResponseCause, Upstream,
    UpstreamConfig,
};

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

/// Even if its client has left. Log calls for which no page waits need no permit.
#[tokio::test]
async fn calls_above_the_limit_are_not_made() {
    let (lines, _guard) = log_of_this_thread();
    let server = ScriptedApi::start().await;
    let upstream = Upstream::new(&UpstreamConfig {
        base: server.base().parse().unwrap(),
        timeout: FOR_EVER,
        max_calls: 1,
    })
    .unwrap();
    let caller = Caller::default();
    let is_over = Arc::new(Notify::new());
    server.on("success", Act::status(200).after(&is_over));
    let other = upstream.clone();
    let detached = upstream
        .spawn_detached(async move { make_call(Call::Success, &other, &Caller::default()).await });
    server.received_all(&["POST /success"]).await;

    let limited = upstream.with_timeout(PATIENCE);
    for call in Call::ALL {
        let error = make_call(*call, &limited, &caller).await.unwrap_err();
        assert_eq!(error, CallError::NoResponse(NoResponseCause::AtCapacity));
        let log = lines.take();
        assert!(log.contains("WARN") && log.contains("at_capacity"), "{log}");
    }
    let entry = LogEntry::new(LogType::WidgetError, LogStatus::Error, json!({}));
    upstream.spawn_log(caller.clone(), entry).await.unwrap();
    assert_eq!(server.lines(), ["POST /success", "POST /log"]);

    server.recover("success");
    is_over.notify_one();
    detached.await.unwrap().unwrap();
    make_call(Call::Success, &upstream, &caller).await.unwrap();
}
