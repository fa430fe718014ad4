//! Deduplicates calls that change something: the same one is sent once, even if requested concurrently or again soon.
//!
//! A double click, a reload and a second tab all send the cookie from before the call, which does not record it yet,
//! so the process remembers the call. Replicas share no memory: two that get the same request at the same moment both
//! send the call.

use std::{
    collections::HashMap,
    future::Future,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::{sync::watch, time::Instant};

use super::{Answer, CallError, NoReplyCause, Upstream};

/// How long a successful call is remembered: by then the browser has a session cookie that records it.
const REMEMBERED: Duration = Duration::from_secs(600);

/// Maximum calls that are remembered, of 100 bytes each.
const MOST: usize = 10_000;

type Outcome = Result<Answer<()>, CallError>;

/// The calls by their deduplication key; clones share them.
#[derive(Debug, Clone, Default)]
pub(super) struct Once(Arc<Mutex<HashMap<u128, Order>>>);

#[derive(Debug)]
struct Order {
    outcome: watch::Receiver<Option<Outcome>>,
    since: Instant,
}

impl Order {
    fn is_under_way(&self) -> bool {
        self.outcome.borrow().is_none() && self.outcome.has_changed().is_ok()
    }

    fn went_well(&self) -> bool {
        self.since.elapsed() < REMEMBERED && matches!(*self.outcome.borrow(), Some(Ok(_)))
    }
}

impl Upstream {
    /// Runs a call, or returns the outcome of the one with the same key that is in flight or succeeded in the last
    /// 10 minutes. The call runs to its end even if every caller is dropped. After a failure it may be made again.
    ///
    /// # Errors
    /// Those of the call.
    pub async fn once(&self, key: u128, order: impl Future<Output = Outcome> + Send + 'static) -> Outcome {
        let mut outcome = {
            let mut orders = self.orders.0.lock().unwrap_or_else(PoisonError::into_inner);
            match orders.get(&key) {
                // No XSRF token: the remembered one may be older than the caller's.
                Some(same) if same.went_well() => return Ok(Answer { data: (), xsrf: None }),
                Some(same) if same.is_under_way() => same.outcome.clone(),
                _ => {
                    if orders.len() >= MOST {
                        orders.retain(|_, order| order.is_under_way() || order.went_well());
                    }
                    if orders.len() >= MOST {
                        orders.retain(|_, order| order.is_under_way());
                    }
                    let (sender, outcome) = watch::channel(None);
                    orders.insert(key, Order { outcome: outcome.clone(), since: Instant::now() });
                    self.spawn_detached(async move { sender.send_replace(Some(order.await)) });
                    outcome
                }
            }
        };
        let outcome = outcome.wait_for(Option::is_some).await.ok().and_then(|outcome| outcome.clone());
        // There is none if the process ends before the call.
        outcome.unwrap_or(Err(CallError::NoReply(NoReplyCause::Reset)))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

    use tokio::{
        join,
        time::{advance, sleep},
    };

    use super::*;
    use crate::tests::upstream;

    /// A call that takes a second.
    fn order(made: &Arc<AtomicU32>, goes_well: bool) -> impl Future<Output = Outcome> + Send + use<> {
        let made = Arc::clone(made);
        async move {
            made.fetch_add(1, Relaxed);
            sleep(Duration::from_secs(1)).await;
            if goes_well { Ok(Answer { data: (), xsrf: None }) } else { Err(CallError::NoReply(NoReplyCause::Reset)) }
        }
    }

    fn new() -> (Upstream, Arc<AtomicU32>) {
        (upstream("http://127.0.0.1:9", Duration::from_secs(1)), Arc::default())
    }

    #[tokio::test(start_paused = true)]
    async fn concurrent_and_recent_calls_are_sent_once() {
        let (upstream, made) = new();
        let (a, b, c) = join!(
            upstream.once(1, order(&made, true)),
            upstream.once(1, order(&made, true)),
            upstream.once(2, order(&made, true))
        );
        assert!(a.is_ok() && b.is_ok() && c.is_ok());
        assert_eq!(made.load(Relaxed), 2);
        assert!(upstream.once(1, order(&made, true)).await.is_ok());
        assert_eq!(made.load(Relaxed), 2, "remembered");
        advance(REMEMBERED).await;
        assert!(upstream.once(1, order(&made, true)).await.is_ok());
        assert_eq!(made.load(Relaxed), 3, "not for ever");
    }

    #[tokio::test(start_paused = true)]
    async fn a_failure_is_shared_and_then_forgotten() {
        let (upstream, made) = new();
        let (a, b) = join!(upstream.once(1, order(&made, false)), upstream.once(1, order(&made, false)));
        assert!(a.is_err() && b.is_err());
        assert_eq!(made.load(Relaxed), 1);
        assert!(upstream.once(1, order(&made, true)).await.is_ok());
        assert_eq!(made.load(Relaxed), 2);
    }

    #[tokio::test(start_paused = true)]
    async fn a_dropped_caller_cancels_nothing() {
        let (upstream, made) = new();
        let first = tokio::time::timeout(Duration::from_millis(500), upstream.once(1, order(&made, true)));
        let (first, second) = join!(first, upstream.once(1, order(&made, true)));
        assert!(first.is_err() && second.is_ok());
        assert_eq!(made.load(Relaxed), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn memory_is_bounded() {
        let (upstream, made) = new();
        for key in 0..u128::try_from(MOST).unwrap() + 1 {
            upstream.once(key, async { Ok(Answer { data: (), xsrf: None }) }).await.unwrap();
        }
        assert!(upstream.orders.0.lock().unwrap().len() <= MOST);
        assert!(upstream.once(u128::MAX, order(&made, true)).await.is_ok());
    }
}
