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
const REMEMBERED_FOR: Duration = Duration::from_secs(600);

/// Maximum calls that are remembered, of 100 bytes each.
const MAX_REMEMBERED: usize = 10_000;

type Outcome = Result<Answer<()>, CallError>;

/// The calls by their deduplication key; clones share them.
#[derive(Debug, Clone, Default)]
pub(super) struct Deduplicator(Arc<Mutex<HashMap<u128, KnownCall>>>);

#[derive(Debug)]
struct KnownCall {
    outcome: watch::Receiver<Option<Outcome>>,
    since: Instant,
}

impl KnownCall {
    fn is_in_flight(&self) -> bool {
        self.outcome.borrow().is_none() && self.outcome.has_changed().is_ok()
    }

    fn has_succeeded(&self) -> bool {
        self.since.elapsed() < REMEMBERED_FOR && matches!(*self.outcome.borrow(), Some(Ok(_)))
    }
}

impl Upstream {
    /// Runs a call, or returns the outcome of the one with the same key that is in flight or succeeded in the last
    /// 10 minutes. The call runs to its end even if every caller is dropped. After a failure it may be made again.
    ///
    /// # Errors
    /// Those of the call.
    pub async fn call_once(&self, key: u128, call: impl Future<Output = Outcome> + Send + 'static) -> Outcome {
        let mut outcome = {
            let mut calls = self.deduplicator.0.lock().unwrap_or_else(PoisonError::into_inner);
            match calls.get(&key) {
                // No XSRF token: the remembered one may be older than the caller's.
                Some(same) if same.has_succeeded() => return Ok(Answer { data: (), xsrf: None }),
                Some(same) if same.is_in_flight() => same.outcome.clone(),
                _ => {
                    if calls.len() >= MAX_REMEMBERED {
                        calls.retain(|_, call| call.is_in_flight() || call.has_succeeded());
                    }
                    if calls.len() >= MAX_REMEMBERED {
                        calls.retain(|_, call| call.is_in_flight());
                    }
                    let (sender, outcome) = watch::channel(None);
                    calls.insert(key, KnownCall { outcome: outcome.clone(), since: Instant::now() });
                    self.spawn_detached(async move { sender.send_replace(Some(call.await)) });
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
    fn call(sent: &Arc<AtomicU32>, succeeds: bool) -> impl Future<Output = Outcome> + Send + use<> {
        let sent = Arc::clone(sent);
        async move {
            sent.fetch_add(1, Relaxed);
            sleep(Duration::from_secs(1)).await;
            if succeeds { Ok(Answer { data: (), xsrf: None }) } else { Err(CallError::NoReply(NoReplyCause::Reset)) }
        }
    }

    fn new() -> (Upstream, Arc<AtomicU32>) {
        (upstream("http://127.0.0.1:9", Duration::from_secs(1)), Arc::default())
    }

    #[tokio::test(start_paused = true)]
    async fn concurrent_and_recent_calls_are_sent_once() {
        let (upstream, sent) = new();
        let (a, b, c) = join!(
            upstream.call_once(1, call(&sent, true)),
            upstream.call_once(1, call(&sent, true)),
            upstream.call_once(2, call(&sent, true))
        );
        assert!(a.is_ok() && b.is_ok() && c.is_ok());
        assert_eq!(sent.load(Relaxed), 2);
        assert!(upstream.call_once(1, call(&sent, true)).await.is_ok());
        assert_eq!(sent.load(Relaxed), 2, "remembered");
        advance(REMEMBERED_FOR).await;
        assert!(upstream.call_once(1, call(&sent, true)).await.is_ok());
        assert_eq!(sent.load(Relaxed), 3, "not for ever");
    }

    #[tokio::test(start_paused = true)]
    async fn a_failure_is_shared_and_then_forgotten() {
        let (upstream, sent) = new();
        let (a, b) = join!(upstream.call_once(1, call(&sent, false)), upstream.call_once(1, call(&sent, false)));
        assert!(a.is_err() && b.is_err());
        assert_eq!(sent.load(Relaxed), 1);
        assert!(upstream.call_once(1, call(&sent, true)).await.is_ok());
        assert_eq!(sent.load(Relaxed), 2);
    }

    #[tokio::test(start_paused = true)]
    async fn a_dropped_caller_cancels_nothing() {
        let (upstream, sent) = new();
        let first = tokio::time::timeout(Duration::from_millis(500), upstream.call_once(1, call(&sent, true)));
        let (first, second) = join!(first, upstream.call_once(1, call(&sent, true)));
        assert!(first.is_err() && second.is_ok());
        assert_eq!(sent.load(Relaxed), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn memory_is_bounded() {
        let (upstream, sent) = new();
        for key in 0..u128::try_from(MAX_REMEMBERED).unwrap() + 1 {
            upstream.call_once(key, async { Ok(Answer { data: (), xsrf: None }) }).await.unwrap();
        }
        assert!(upstream.deduplicator.0.lock().unwrap().len() <= MAX_REMEMBERED);
        assert!(upstream.call_once(u128::MAX, call(&sent, true)).await.is_ok());
    }
}
