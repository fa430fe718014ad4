//! Delivers the success of Connect: the one log call that must arrive, because it alone carries the id of a new item.
//!
//! The client retries it in the background while there is no response or the upstream is out of order or busy. All retries
//! carry the same idempotency key, so that the upstream can tell them from another success. It is lost only if the
//! upstream rejects it, after [`MAX_RETRY_TIME`], or when the process ends. Except for `kill -9`, each loss is logged
//! as an error and counted in a metric with an alert.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::Duration,
};

use tokio::{
    sync::Semaphore,
    task::JoinHandle,
    time::{Instant, sleep},
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::{
    Answer, CallError, Caller, ItemId, LogEntry, LogStatus, LogType, NoReplyCause, Unexpected, Upstream,
    metrics::{Delivery, Metrics},
    trace::{Trace, in_current},
};

/// How long a delivery is retried: an upstream that restarts or moves is back by then.
const MAX_RETRY_TIME: Duration = Duration::from_secs(15 * 60);

/// Timeout of one attempt; short, since a retry sends the same message.
const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(30);

/// Exponential backoff: the wait doubles from the first to the longest, less a random jitter of up to a half.
const FIRST_BACKOFF: Duration = Duration::from_millis(500);
const MAX_BACKOFF: Duration = Duration::from_secs(60);

/// The longest wait while the process shuts down.
const SHUTDOWN_BACKOFF: Duration = Duration::from_secs(1);

/// Timeout of one attempt while the process shuts down, so that each delivery gets another one.
const SHUTDOWN_ATTEMPT_TIMEOUT: Duration = Duration::from_secs(5);

/// Maximum concurrent attempts, each of which has a socket. Other deliveries wait without one.
pub const MAX_DELIVERY_ATTEMPTS: usize = 64;

/// The deliveries of the process; clones share them.
#[derive(Debug, Clone)]
pub(super) struct Deliveries {
    tasks: TaskTracker,
    attempts: Arc<Semaphore>,
    stopping: CancellationToken,
    /// Cancelled at the end of the shutdown.
    given_up: CancellationToken,
    /// Items that were given up since the shutdown began.
    lost: Arc<AtomicUsize>,
}

impl Deliveries {
    pub fn new(stopping: CancellationToken) -> Self {
        Self {
            tasks: TaskTracker::new(),
            attempts: Arc::new(Semaphore::new(MAX_DELIVERY_ATTEMPTS)),
            stopping,
            given_up: CancellationToken::new(),
            lost: Arc::default(),
        }
    }

    /// Waits until none is left.
    pub async fn drain(&self) {
        self.tasks.close();
        self.tasks.wait().await;
    }

    pub fn running(&self) -> usize {
        self.tasks.len()
    }

    /// Completes when an attempt has taken too long.
    async fn patience(&self) {
        let after_the_stop = async {
            self.stopping.cancelled().await;
            sleep(SHUTDOWN_ATTEMPT_TIMEOUT).await;
        };
        tokio::select! {
            () = sleep(ATTEMPT_TIMEOUT) => {}
            () = after_the_stop => {}
        }
    }

    /// Waits, but not for long if the process is shutting down.
    async fn pause(&self, wait: Duration) {
        if self.stopping.is_cancelled() {
            return sleep(wait.min(SHUTDOWN_BACKOFF)).await;
        }
        tokio::select! {
            () = sleep(wait) => {}
            () = self.stopping.cancelled() => {}
        }
    }
}

impl Upstream {
    /// Reports in the background that Connect returned an item. `key` must be the same for the same success, in every
    /// process. `place` is dropped when the delivery ends: the caller limits by it how many there are.
    pub fn deliver_success(
        &self,
        caller: Caller,
        item: &ItemId,
        key: u128,
        place: impl Send + 'static,
    ) -> JoinHandle<()> {
        let (upstream, entry, key) = (self.clone(), success_of(item), as_uuid(key));
        let deliveries = self.background.deliveries.clone();
        let mut pending = Pending::new(&self.metrics, &deliveries, item);
        let tasks = deliveries.tasks.clone();
        tasks.spawn(in_current(async move {
            let _place = place;
            tokio::select! {
                () = deliveries.given_up.cancelled() => {}
                () = upstream.deliver(&caller, &entry, &key, &mut pending) => {}
            }
        }))
    }

    async fn deliver(&self, caller: &Caller, entry: &LogEntry, key: &str, pending: &mut Pending) {
        let deliveries = &self.background.deliveries;
        let (begun, mut wait) = (Instant::now(), FIRST_BACKOFF);
        loop {
            let outcome = {
                let _attempt = deliveries.attempts.acquire().await;
                // In a box, so that a delivery that waits is small.
                let call = Box::pin(self.log_with_key(caller, entry, Some(key)));
                tokio::select! {
                    outcome = call => outcome,
                    () = deliveries.patience() => Err(CallError::NoReply(NoReplyCause::TimedOut)),
                }
            };
            let Err(error) = outcome else { return pending.delivered() };
            pending.cause = error.to_string();
            if !error.is_retryable() || begun.elapsed() >= MAX_RETRY_TIME {
                return;
            }
            let (item, request_id) = (&pending.item, &pending.request_id);
            tracing::warn!(item, request_id, %error, "success of Connect not delivered yet");
            self.metrics.delivery(Delivery::Repeated);
            let asked = error.reply().and_then(|reply| reply.retry_after).map_or(Duration::ZERO, Duration::from_secs);
            deliveries.pause(asked.max(wait.mul_f64(rand::random_range(0.5..=1.0)))).await;
            wait = (wait * 2).min(MAX_BACKOFF);
        }
    }

    /// Ends all deliveries: each that has not arrived logs its item. Returns how many were given up since the shutdown
    /// began.
    pub async fn give_up_deliveries(&self) -> usize {
        let deliveries = &self.background.deliveries;
        deliveries.given_up.cancel();
        deliveries.drain().await;
        deliveries.lost.load(Relaxed)
    }

    /// One attempt of [`Upstream::deliver_success`], whose outcome the caller sees.
    ///
    /// # Errors
    /// See [`CallError`].
    pub async fn report_success(&self, caller: &Caller, item: &ItemId, key: u128) -> Result<Answer<()>, CallError> {
        self.log_with_key(caller, &success_of(item), Some(&as_uuid(key))).await
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
    deliveries: Deliveries,
    item: String,
    request_id: Option<String>,
    cause: String,
    done: bool,
}

impl Pending {
    fn new(metrics: &Metrics, deliveries: &Deliveries, item: &ItemId) -> Self {
        let request_id = Trace::current_request_id();
        let (item, cause) = (item.as_str().to_owned(), "the process ended".to_owned());
        Self { metrics: metrics.clone(), deliveries: deliveries.clone(), item, request_id, cause, done: false }
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
            if self.deliveries.stopping.is_cancelled() {
                self.deliveries.lost.fetch_add(1, Relaxed);
            }
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
