//! Calls that outlive their request: those that change something, and log calls for which no page
//! waits.

use std::{future::Future, time::Duration};

use tokio::task::JoinHandle;
use tracing::Instrument;

use super::{Caller, LogEntry, Upstream};

/// Longest time of a log call for which no page waits.
const LOG_TIMEOUT: Duration = Duration::from_secs(10);

impl Upstream {
    /// Runs a call to its end even if its request is dropped, within the span of that request.
    pub fn spawn_detached<T: Send + 'static>(
        &self,
        call: impl Future<Output = T> + Send + 'static,
    ) -> JoinHandle<T> {
        self.tasks.spawn(call.in_current_span())
    }

    /// Sends a log call in the background: it never delays or fails the action. It takes no permit,
    /// so that hanging log calls leave room for calls that pages wait for.
    pub fn spawn_log(&self, caller: Caller, entry: LogEntry) -> JoinHandle<()> {
        let upstream = Self {
            permits: None,
            ..self.with_timeout(LOG_TIMEOUT)
        };
        self.spawn_detached(async move {
            // The call itself logs a failure.
            let _ = upstream.log(&caller, &entry).await;
        })
    }

    /// Waits for these calls to end.
    pub async fn drain(&self) {
        self.tasks.close();
        self.tasks.wait().await;
    }
}

#[cfg(test)]
mod tests {
    use tokio::{sync::oneshot, time::timeout};

    use super::*;
    use crate::tests::upstream;

    #[tokio::test(start_paused = true)]
    async fn draining_waits_for_running_calls() {
        let upstream = upstream("http://127.0.0.1:9", Duration::from_mins(30));
        let (done, waiting) = oneshot::channel::<()>();
        let call = upstream.spawn_detached(async { waiting.await.is_ok() });
        let drained = timeout(Duration::from_mins(1), upstream.drain());
        assert!(drained.await.is_err());
        done.send(()).unwrap();
        upstream.drain().await;
        assert!(call.await.unwrap());
    }
}
