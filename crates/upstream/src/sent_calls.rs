//! The calls that must not be sent twice.
//!
//! Replicas do not share them: two that get the same request at the same moment both send the call.

use std::{future::Future, sync::Arc, time::Duration};

use moka::{future::Cache, policy::EvictionPolicy};

use super::{CallError, CallOutput, NoResponseCause, Upstream, XsrfChange};

/// How long a successful call is cached: by then the browser has a session cookie that records it.
const SENT_CALL_TTL: Duration = Duration::from_secs(600);

/// Maximum cached calls, of some 200 bytes each.
const MAX_SENT_CALLS: u64 = 10_000;

/// The outputs of successful calls by their deduplication key.
pub(super) type SentCalls = Cache<u128, CallOutput<()>>;

pub(super) fn new() -> SentCalls {
    let calls = Cache::builder()
        .max_capacity(MAX_SENT_CALLS)
        .eviction_policy(EvictionPolicy::lru());
    calls.time_to_live(SENT_CALL_TTL).build()
}

impl Upstream {
    /// Runs a call, or returns the outcome of the one with the same key that is in flight or
    /// succeeded in the last 10 minutes. The call runs to its end even if every caller is dropped.
    /// After a failure it may be made again.
    ///
    /// A double click, a reload and a second tab all send the cookie from before the call, which
    /// does not record it yet.
    pub async fn call_once(
        &self,
        key: u128,
        call: impl Future<Output = Result<CallOutput<()>, CallError>> + Send + 'static,
    ) -> Result<CallOutput<()>, CallError> {
        if self.sent_calls.contains_key(&key) {
            // Without its XSRF token, which may be older than the caller's.
            return Ok(CallOutput {
                data: (),
                xsrf: XsrfChange::None,
            });
        }
        let sent_calls = self.sent_calls.clone();
        let task = self.spawn_detached(async move { sent_calls.try_get_with(key, call).await });
        // There is no outcome if the process ends before the call.
        let outcome = task
            .await
            .map_err(|_| CallError::NoResponse(NoResponseCause::Reset))?;
        outcome.map_err(Arc::unwrap_or_clone)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

    use tokio::{
        join,
        time::{sleep, timeout},
    };

    use super::*;
    use crate::tests::upstream;

    type Outcome = Result<CallOutput<()>, CallError>;

    /// A call that takes a second.
    fn call(sent: &Arc<AtomicU32>, succeeds: bool) -> impl Future<Output = Outcome> + Send + use<> {
        let sent = Arc::clone(sent);
        async move {
            sent.fetch_add(1, Relaxed);
            sleep(Duration::from_secs(1)).await;
            if succeeds {
                Ok(CallOutput {
                    data: (),
                    xsrf: XsrfChange::None,
                })
            } else {
                Err(CallError::NoResponse(NoResponseCause::Reset))
            }
        }
    }

    fn new() -> (Upstream, Arc<AtomicU32>) {
        (
            upstream("http://127.0.0.1:9", Duration::from_secs(1)),
            Arc::default(),
        )
    }

    #[tokio::test(start_paused = true)]
    async fn concurrent_and_recent_calls_are_sent_once_and_again_after_a_failure() {
        let (upstream, sent) = new();
        let (a, b) = join!(
            upstream.call_once(1, call(&sent, false)),
            upstream.call_once(1, call(&sent, false))
        );
        assert!(a.is_err() && b.is_err());
        assert_eq!(sent.swap(0, Relaxed), 1);
        let (a, b, c) = join!(
            upstream.call_once(1, call(&sent, true)),
            upstream.call_once(1, call(&sent, true)),
            upstream.call_once(2, call(&sent, true))
        );
        assert!(a.is_ok() && b.is_ok() && c.is_ok());
        assert_eq!(sent.load(Relaxed), 2);
        assert!(upstream.call_once(1, call(&sent, true)).await.is_ok());
        assert_eq!(sent.load(Relaxed), 2, "cached");
        let left = timeout(
            Duration::from_millis(500),
            upstream.call_once(3, call(&sent, true)),
        );
        assert!(left.await.is_err());
        assert!(upstream.call_once(3, call(&sent, true)).await.is_ok());
        assert_eq!(
            sent.load(Relaxed),
            3,
            "a caller that leaves cancels nothing"
        );
    }

    #[tokio::test]
    async fn memory_is_bounded() {
        let (upstream, _) = new();
        for key in 0..2 * MAX_SENT_CALLS {
            upstream
                .call_once(key.into(), async {
                    Ok(CallOutput {
                        data: (),
                        xsrf: XsrfChange::None,
                    })
                })
                .await
                .unwrap();
        }
        upstream.sent_calls.run_pending_tasks().await;
        assert!((1..=MAX_SENT_CALLS).contains(&upstream.sent_calls.entry_count()));
    }
}
