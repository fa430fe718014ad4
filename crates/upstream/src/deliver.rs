//! Delivers the success of Connect: the one log call that must arrive, because it alone carries the
//! id of a new item.
//!
//! The client retries it in the background while there is no response or the upstream fails or is
//! busy. All retries carry the same idempotency key, so that the upstream can distinguish them from
//! another success. It is lost only if the upstream rejects it, after [`MAX_RETRY_TIME`], or when
//! the process ends. Except for `kill -9`, each loss is logged as an error and counted in a
//! metric with an alert.

use std::{sync::atomic::Ordering::Relaxed, time::Duration};

use tokio::{
    task::JoinHandle,
    time::{Instant, sleep, timeout},
};
use tracing::{Instrument, info_span};

use super::{
    CallError, CallOutput, Caller, ItemId, LogEntry, Reason, Unexpected, Upstream,
    metrics::Delivery, send::TIMED_OUT,
};

/// How long a delivery is retried: an upstream that restarts or moves is back by then.
const MAX_RETRY_TIME: Duration = Duration::from_secs(15 * 60);

/// Timeout of one attempt; short, since a retry sends the same message.
const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(30);

/// Exponential backoff: the wait doubles from the first to the longest, less a random jitter of up
/// to a half.
const FIRST_BACKOFF: Duration = Duration::from_millis(500);
const MAX_BACKOFF: Duration = Duration::from_secs(60);

/// The longest wait while the process shuts down.
const SHUTDOWN_BACKOFF: Duration = Duration::from_secs(1);

/// Timeout of one attempt while the process shuts down, so that each delivery gets another one.
const SHUTDOWN_ATTEMPT_TIMEOUT: Duration = Duration::from_secs(5);

/// Maximum concurrent attempts, each of which has a socket. Other deliveries wait without one.
pub const MAX_DELIVERY_ATTEMPTS: usize = 64;

/// A pending delivery. Dropping it abandons the delivery, including at shutdown.
struct Pending {
    upstream: Upstream,
    item: String,
    /// Why it has not arrived; `None` once it has.
    cause: Option<String>,
}

impl Upstream {
    /// Reports in the background that Connect returned an item. `key` must be the same for the same
    /// success in every process. `place` is dropped when the delivery ends. The caller limits the
    /// number of deliveries with it.
    pub fn deliver_success(
        &self,
        caller: Caller,
        item: &ItemId,
        key: u128,
        place: impl Send + 'static,
    ) -> JoinHandle<()> {
        let entry = LogEntry::success(item, key);
        let mut pending = Pending {
            upstream: self.clone(),
            item: item.as_str().to_owned(),
            cause: Some("the process ended".to_owned()),
        };
        let given_up = self.background.given_up.clone();
        let delivery = async move {
            let _place = place;
            given_up
                .run_until_cancelled(pending.deliver(&caller, &entry))
                .await;
        };
        // Ends within its span, so that the line of a lost item has the ids of its request.
        self.background
            .deliveries
            .spawn(delivery.instrument(info_span!("delivery")))
    }

    /// Ends all deliveries: each that has not arrived logs its item. Returns how many were given up
    /// since the shutdown began.
    pub async fn give_up_deliveries(&self) -> usize {
        let background = &self.background;
        background.given_up.cancel();
        background.deliveries.close();
        background.deliveries.wait().await;
        background.lost.load(Relaxed)
    }
}

impl Pending {
    async fn deliver(&mut self, caller: &Caller, entry: &LogEntry) {
        let begun = Instant::now();
        let mut wait = FIRST_BACKOFF;
        loop {
            let Err(error) = self.attempt(caller, entry).await else {
                self.cause = None;
                return self.upstream.metrics.delivery(Delivery::Delivered);
            };
            self.cause = Some(error.to_string());
            if !error.is_retryable() || begun.elapsed() >= MAX_RETRY_TIME {
                return;
            }
            tracing::warn!(item = self.item, %error, "success of Connect not delivered yet");
            self.upstream.metrics.delivery(Delivery::Repeated);
            let retry_after = error
                .failed_response()
                .and_then(|response| response.retry_after)
                .map_or(Duration::ZERO, Duration::from_secs);
            let backoff = wait.mul_f64(rand::random_range(0.5..=1.0));
            self.pause(retry_after.max(backoff)).await;
            wait = (wait * 2).min(MAX_BACKOFF);
        }
    }

    async fn attempt(
        &self,
        caller: &Caller,
        entry: &LogEntry,
    ) -> Result<CallOutput<()>, CallError> {
        let background = &self.upstream.background;
        let _attempt = background.attempts.acquire().await;
        let too_long_after_the_stop = async {
            background.stopping.cancelled().await;
            sleep(SHUTDOWN_ATTEMPT_TIMEOUT).await;
        };
        tokio::select! {
            // In a box, so that a delivery that waits is small.
            outcome = Box::pin(self.upstream.log(caller, entry)) => outcome,
            () = sleep(ATTEMPT_TIMEOUT) => Err(TIMED_OUT),
            () = too_long_after_the_stop => Err(TIMED_OUT),
        }
    }

    /// Waits, but not for long if the process is shutting down.
    async fn pause(&self, wait: Duration) {
        let stopping = &self.upstream.background.stopping;
        if stopping.is_cancelled() {
            sleep(wait.min(SHUTDOWN_BACKOFF)).await;
        } else {
            let _ = timeout(wait, stopping.cancelled()).await;
        }
    }
}

impl CallError {
    /// Whether a retry may succeed: there was no response, a proxy's page, or the upstream reports
    /// that it has failed or is busy.
    fn is_retryable(&self) -> bool {
        match self {
            Self::NoResponse(_) | Self::Unexpected(Unexpected::HtmlPage) => true,
            Self::Failed(response) if response.http_status < 300 => {
                response.meta_status.is_some_and(is_temporary)
            }
            Self::Failed(response) => is_temporary(response.http_status),
            Self::Unexpected(_) => false,
        }
    }

    /// Whether the upstream has rejected the request for good. It has not if it failed or is busy.
    pub fn is_final(&self) -> bool {
        match self.failed_response() {
            Some(response) if response.reason == Reason::Refused => {
                !is_temporary(response.status())
            }
            Some(response) => response.reason != Reason::Outage,
            None => false,
        }
    }
}

/// Statuses of an upstream that has failed or is busy: 408 Request Timeout, 425 Too Early, 429 Too
/// Many Requests, and 5xx.
fn is_temporary(status: u16) -> bool {
    matches!(status, 408 | 425 | 429 | 500..)
}

impl Drop for Pending {
    fn drop(&mut self) {
        let Some(cause) = &self.cause else { return };
        self.upstream.metrics.delivery(Delivery::GivenUp);
        if self.upstream.background.stopping.is_cancelled() {
            self.upstream.background.lost.fetch_add(1, Relaxed);
        }
        tracing::error!(
            item = self.item,
            cause,
            "success of Connect not delivered: name this item upstream by hand"
        );
    }
}
