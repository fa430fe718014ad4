//! Background tasks: calls that outlive their request, which are those that change something and log calls (design D9).

use std::{future::Future, sync::Arc};

use tokio::{sync::Semaphore, task::JoinHandle};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use vincula_telemetry::trace::in_current;

use super::{Caller, LogEntry, Upstream};

/// Maximum concurrent log calls: if the upstream's log hangs, further ones are dropped instead of queued.
pub const MAX_LOGS: usize = 256;

/// The running background tasks; clones share them.
#[derive(Debug, Clone)]
pub(super) struct Background {
    under_way: TaskTracker,
    /// Cancelled when the process begins to shut down.
    pub(super) stopping: CancellationToken,
    logs: Arc<Semaphore>,
}

impl Default for Background {
    fn default() -> Self {
        let (under_way, stopping) = (TaskTracker::new(), CancellationToken::new());
        Self { under_way, stopping, logs: Arc::new(Semaphore::new(MAX_LOGS)) }
    }
}

impl Upstream {
    /// Runs a call to its end even if its request is dropped, within the trace of that request.
    pub fn spawn_detached<T: Send + 'static>(&self, call: impl Future<Output = T> + Send + 'static) -> JoinHandle<T> {
        self.background.under_way.spawn(in_current(call))
    }

    /// Sends a log call in the background: it never delays or fails the action.
    pub fn spawn_log(&self, caller: Caller, entry: LogEntry) -> JoinHandle<()> {
        let (upstream, permit) = (self.clone(), Arc::clone(&self.background.logs).try_acquire_owned());
        self.spawn_detached(async move {
            let kind = entry.kind;
            let Ok(_permit) = permit else {
                tracing::warn!(?kind, "log call given up: too many are under way");
                return;
            };
            if let Err(error) = upstream.log(&caller, &entry).await {
                tracing::warn!(%error, ?kind, "log call failed");
            }
        })
    }

    /// Shortens the backoff of pending deliveries, because the process is about to shut down.
    pub fn hurry(&self) {
        self.background.stopping.cancel();
    }

    /// Waits for all background tasks to end, and shortens their backoff.
    pub async fn finish(&self) {
        self.hurry();
        self.background.under_way.close();
        self.background.under_way.wait().await;
    }

    /// The number of running background tasks.
    pub fn under_way(&self) -> usize {
        self.background.under_way.len()
    }
}

#[cfg(test)]
mod tests {
    use std::{future::pending, time::Duration};

    use serde_json::json;
    use tokio::{sync::oneshot, time::timeout};

    use super::*;
    use crate::{LogStatus, LogType, UpstreamConfig};

    fn upstream(base: &str) -> Upstream {
        let timeout = Duration::from_secs(1_800);
        Upstream::new(&UpstreamConfig {
            base: base.parse().unwrap(),
            timeout,
            connect_timeout: timeout,
            bank_list_life: Duration::from_secs(60),
        })
        .unwrap()
    }

    #[tokio::test(start_paused = true)]
    async fn finishing_waits_for_what_is_under_way() {
        let upstream = upstream("http://127.0.0.1:9");
        let (done, waiting) = oneshot::channel::<()>();
        let order = upstream.spawn_detached(async { waiting.await.is_ok() });
        assert!(timeout(Duration::from_secs(60), upstream.finish()).await.is_err());
        done.send(()).unwrap();
        upstream.finish().await;
        assert!(order.await.unwrap());
        assert_eq!(upstream.under_way(), 0);
    }

    #[tokio::test(start_paused = true)]
    async fn a_hanging_log_is_given_up_and_not_piled_up() {
        let upstream = upstream("http://127.0.0.1:9");
        let all = u32::try_from(MAX_LOGS).unwrap();
        let _hanging = Arc::clone(&upstream.background.logs).try_acquire_many_owned(all).unwrap();
        let order = upstream.spawn_detached(pending::<()>());
        let entry = LogEntry { kind: LogType::WidgetError, status: LogStatus::Success, data: json!({}) };
        upstream.spawn_log(Caller::default(), entry).await.unwrap();
        assert_eq!(upstream.under_way(), 1, "the order only");
        order.abort();
    }
}
