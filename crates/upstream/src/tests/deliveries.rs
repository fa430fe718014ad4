//! Successes of Connect while the log hangs: how many there are, and how a stop ends them.

use std::time::Duration;

use tokio::{task::yield_now, time::timeout};
use vincula_testing::unanswered;

use super::{caller, upstream};
use crate::{ItemId, LogEntry, MAX_DELIVERY_ATTEMPTS, Upstream};

const TIMEOUT: Duration = Duration::from_secs(1_800);

fn deliver(upstream: &Upstream, items: usize) {
    for key in 0..items {
        upstream.deliver_success(
            caller(),
            &ItemId::parse(&format!("item-{key}")).unwrap(),
            key as u128,
            (),
        );
    }
}

#[test]
fn keys_are_uuids() {
    let key = |bits| {
        LogEntry::success(&ItemId::parse("item").unwrap(), bits)
            .idempotency_key
            .unwrap()
            .to_string()
    };
    assert_eq!(key(0), "00000000-0000-8000-8000-000000000000");
    assert_eq!(key(u128::MAX), "ffffffff-ffff-8fff-bfff-ffffffffffff");
}

#[tokio::test]
async fn waiting_deliveries_hold_no_socket() {
    let (base, asked) = unanswered().await;
    let upstream = upstream(&base, TIMEOUT);
    deliver(&upstream, 4 * MAX_DELIVERY_ATTEMPTS);
    while asked.len() < MAX_DELIVERY_ATTEMPTS {
        yield_now().await;
    }
    // An attempt has its place before it has a socket, and none is left.
    assert_eq!(upstream.background.attempts.available_permits(), 0);
    assert_eq!(upstream.running_tasks(), 4 * MAX_DELIVERY_ATTEMPTS);
    assert_eq!(
        timeout(Duration::from_secs(10), upstream.give_up_deliveries()).await,
        Ok(0),
        "no shutdown has begun"
    );
    assert_eq!(
        (asked.len(), upstream.running_tasks()),
        (MAX_DELIVERY_ATTEMPTS, 0)
    );
}

#[tokio::test(start_paused = true)]
async fn shutdown_retries_hanging_deliveries() {
    let (base, asked) = unanswered().await;
    let upstream = upstream(&base, TIMEOUT);
    deliver(&upstream, 3);
    while asked.len() < 3 {
        yield_now().await;
    }
    assert!(
        timeout(Duration::from_secs(25), upstream.drain())
            .await
            .is_err()
    );
    assert!(asked.len() >= 3 * 4, "{}", asked.len());
    assert_eq!(upstream.give_up_deliveries().await, 3);
}
