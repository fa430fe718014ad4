//! Delivers the success of Connect: the one log call that must arrive, because it alone carries the id of a new item.
//!
//! The client retries it in the background while there is no response or the upstream is out of order or busy. All retries
//! carry the same idempotency key, so that the upstream can tell them from another success. It is lost only if the
//! upstream rejects it, after [`MAX_RETRY_TIME`], or when the process ends. Except for `kill -9`, each loss is logged
//! as an error and counted in a metric with an alert.

use std::time::Duration;

use tokio::{
    task::JoinHandle,
    time::{Instant, sleep, timeout},
};
use vincula_telemetry::{Delivery, Metrics, Trace};

use super::{Answer, CallError, Caller, ItemId, LogEntry, LogStatus, LogType, NoReplyCause, Unexpected, Upstream};

/// How long a delivery is retried: an upstream that restarts or moves is back by then.
const MAX_RETRY_TIME: Duration = Duration::from_secs(15 * 60);

/// Timeout of one attempt; short, since a retry sends the same message.
const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(30);

/// Exponential backoff: the wait doubles from the first to the longest, less a random jitter of up to a half.
const FIRST_BACKOFF: Duration = Duration::from_millis(500);
const MAX_BACKOFF: Duration = Duration::from_secs(60);

/// The longest wait while the process shuts down.
const SHUTDOWN_BACKOFF: Duration = Duration::from_secs(1);

impl Upstream {
    /// Reports in the background that Connect returned an item. `key` must be the same for the same success, in every
    /// process.
    pub fn deliver_success(&self, caller: Caller, item: &ItemId, key: u128) -> JoinHandle<()> {
        let (upstream, entry, key) = (self.clone(), success_of(item), as_uuid(key));
        let mut pending = Pending::new(&self.metrics, item);
        self.spawn_detached(async move {
            let (begun, mut wait) = (Instant::now(), FIRST_BACKOFF);
            loop {
                let call = upstream.log_with_key(&caller, &entry, Some(&key));
                let outcome =
                    timeout(ATTEMPT_TIMEOUT, call).await.unwrap_or(Err(CallError::NoReply(NoReplyCause::TimedOut)));
                let Err(error) = outcome else { return pending.delivered() };
                pending.cause = error.to_string();
                if !error.is_retryable() || begun.elapsed() >= MAX_RETRY_TIME {
                    return;
                }
                tracing::warn!(%error, "success of Connect not delivered yet");
                upstream.metrics.delivery(Delivery::Repeated);
                let asked =
                    error.reply().and_then(|reply| reply.retry_after).map_or(Duration::ZERO, Duration::from_secs);
                upstream.pause(asked.max(wait.mul_f64(rand::random_range(0.5..=1.0)))).await;
                wait = (wait * 2).min(MAX_BACKOFF);
            }
        })
    }

    /// One attempt of [`Upstream::deliver_success`], whose outcome the caller sees.
    ///
    /// # Errors
    /// See [`CallError`].
    pub async fn report_success(&self, caller: &Caller, item: &ItemId, key: u128) -> Result<Answer<()>, CallError> {
        self.log_with_key(caller, &success_of(item), Some(&as_uuid(key))).await
    }

    /// Waits, but not for long if the process is shutting down.
    async fn pause(&self, wait: Duration) {
        let stopping = &self.background.stopping;
        if !stopping.is_cancelled() {
            tokio::select! {
                () = sleep(wait) => {}
                () = stopping.cancelled() => {}
            }
        } else {
            sleep(wait.min(SHUTDOWN_BACKOFF)).await;
        }
    }
}

impl CallError {
    /// Whether a retry may succeed: there was no response, a proxy's page instead of JSON, or the upstream reports that
    /// it is out of order or busy.
    fn is_retryable(&self) -> bool {
        match self {
            Self::NoReply(_) | Self::Unexpected(Unexpected::NotJson) => true,
            Self::Reply(reply) if reply.http_status < 300 => reply.meta_status.is_some_and(is_temporary),
            Self::Reply(reply) => is_temporary(reply.http_status),
            Self::Unexpected(_) => false,
        }
    }
}

/// Statuses of an upstream that is out of order or busy: 408 Request Timeout, 425 Too Early, 429 Too Many Requests, and 5xx.
fn is_temporary(status: u16) -> bool {
    matches!(status, 408 | 425 | 429 | 500..)
}

/// A success that is not delivered yet. Dropping it gives it up, also at the end of the process.
struct Pending {
    metrics: Metrics,
    item: String,
    request_id: Option<String>,
    cause: String,
    done: bool,
}

impl Pending {
    fn new(metrics: &Metrics, item: &ItemId) -> Self {
        let request_id = Trace::current().map(|trace| trace.request_id().to_owned());
        let (item, cause) = (item.as_str().to_owned(), "the process ended".to_owned());
        Self { metrics: metrics.clone(), item, request_id, cause, done: false }
    }

    fn delivered(&mut self) {
        self.done = true;
        self.metrics.delivery(Delivery::Delivered);
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        if !self.done {
            self.metrics.delivery(Delivery::GivenUp);
            let (item, cause, request_id) = (&self.item, &self.cause, &self.request_id);
            tracing::error!(
                item,
                cause,
                request_id,
                "success of Connect not delivered: name this item upstream by hand"
            );
        }
    }
}

fn success_of(item: &ItemId) -> LogEntry {
    let data = serde_json::json!({ "item": { "id": item.as_str() } });
    LogEntry { kind: LogType::WidgetSuccess, status: LogStatus::Success, data }
}

/// The usual form of an idempotency key: a UUID of version 8 (RFC 9562), the one for custom bits.
fn as_uuid(bits: u128) -> String {
    uuid::Builder::from_custom_bytes(bits.to_be_bytes()).into_uuid().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_uuids() {
        assert_eq!(as_uuid(0), "00000000-0000-8000-8000-000000000000");
        assert_eq!(as_uuid(u128::MAX), "ffffffff-ffff-8fff-bfff-ffffffffffff");
    }
}
