//! Background tasks: calls that outlive their request, which are those that change something and
//! log calls.

use std::{
    future::Future,
    sync::{Arc, atomic::AtomicUsize},
};

use tokio::{sync::Semaphore, task::JoinHandle};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tracing::Instrument;

use super::{Caller, LogEntry, Upstream, deliver::MAX_DELIVERY_ATTEMPTS};

/// Maximum concurrent log calls: if the upstream's log hangs, further ones are dropped instead of
/// queued.
pub const MAX_LOGS: usize = 192;

/// The background tasks and their limits; clones share them.
#[derive(Debug, Clone)]
pub(super) struct Background {
    calls: TaskTracker,
    logs: Arc<Semaphore>,
    pub(super) deliveries: TaskTracker,
    pub(super) attempts: Arc<Semaphore>,
    /// Cancelled when the process begins to shut down.
    pub(super) stopping: CancellationToken,
    /// Cancelled at the end of the shutdown: ends the deliveries.
    pub(super) given_up: CancellationToken,
    /// Items that were given up since the shutdown began.
    pub(super) lost: Arc<AtomicUsize>,
}

impl Default for Background {
    fn default() -> Self {
        Self {
            calls: TaskTracker::new(),
            logs: Arc::new(Semaphore::new(MAX_LOGS)),
            deliveries: TaskTracker::new(),
            attempts: Arc::new(Semaphore::new(MAX_DELIVERY_ATTEMPTS)),
            stopping: CancellationToken::new(),
            given_up: CancellationToken::new(),
            lost: Arc::default(),
        }
    }
}

impl Upstream {
    /// Runs a call to its end even if its request is dropped, within the span of that request.
    pub fn spawn_detached<T: Send + 'static>(
        &self,
        call: impl Future<Output = T> + Send + 'static,
    ) -> JoinHandle<T> {
        self.background.calls.spawn(call.in_current_span())
    }

    /// Sends a log call in the background: it never delays or fails the action.
    pub fn spawn_log(&self, caller: Caller, entry: LogEntry) -> JoinHandle<()> {
        let upstream = self.clone();
        let permit = Arc::clone(&self.background.logs).try_acquire_owned();
        self.spawn_detached(async move {
            let Ok(_permit) = permit else {
                tracing::warn!(kind = ?entry.kind, "log call given up: too many are under way");
                return;
            };
            // The call itself logs a failure.
            let _ = upstream.log(&caller, &entry).await;
        })
    }

    /// Shortens the backoff of pending deliveries, because the process is about to shut down.
    pub fn begin_shutdown(&self) {
        self.background.stopping.cancel();
    }

    /// Completes once the process has begun to shut down.
    pub async fn shutting_down(&self) {
        self.background.stopping.cancelled().await;
    }

    /// Waits for all background tasks to end, and shortens their backoff.
    pub async fn drain(&self) {
        self.begin_shutdown();
        let Background {
            calls, deliveries, ..
        } = &self.background;
        calls.close();
        calls.wait().await;
        // Afterwards, because a call that ends may begin a delivery.
        deliveries.close();
        deliveries.wait().await;
    }

    #[cfg(test)]
    pub(super) fn running_tasks(&self) -> usize {
        self.background.calls.len() + self.background.deliveries.len()
    }
}

#[cfg(test)]
mod tests {
    use std::{future::pending, time::Duration};

    use serde_json::json;
    use tokio::{sync::oneshot, time::timeout};

    use super::*;
    use crate::{LogStatus, LogType, tests::upstream};

    const NOWHERE: &str = "http://127.0.0.1:9";

    #[tokio::test(start_paused = true)]
    async fn draining_waits_for_running_tasks() {
        let upstream = upstream(NOWHERE, Duration::from_secs(1_800));
        let (done, waiting) = oneshot::channel::<()>();
        let call = upstream.spawn_detached(async { waiting.await.is_ok() });
        assert!(
            timeout(Duration::from_secs(60), upstream.drain())
                .await
                .is_err()
        );
        done.send(()).unwrap();
        upstream.drain().await;
        assert!(call.await.unwrap());
        assert_eq!(upstream.running_tasks(), 0);
    }

    #[tokio::test(start_paused = true)]
    async fn log_calls_above_the_limit_are_dropped() {
        let upstream = upstream(NOWHERE, Duration::from_secs(1_800));
        let all = u32::try_from(MAX_LOGS).unwrap();
        let _hanging = Arc::clone(&upstream.background.logs)
            .try_acquire_many_owned(all)
            .unwrap();
        let call = upstream.spawn_detached(pending::<()>());
        let entry = LogEntry {
            kind: LogType::WidgetError,
            status: LogStatus::Success,
            data: json!({}),
            idempotency_key: None,
        };
        upstream.spawn_log(Caller::default(), entry).await.unwrap();
        assert_eq!(upstream.running_tasks(), 1, "only the call");
        call.abort();
    }
}
