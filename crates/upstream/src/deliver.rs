//! Delivers the success of Connect to the widget API: the one log call that must arrive, because no
//! other call carries the id of a new item.
//!
//! A delivery runs in the background and exists only in memory. It repeats the call while there is
//! no response, or the upstream fails or is busy. All attempts have the same idempotency key, so
//! that the upstream can distinguish them from another success. A delivery is given up if the
//! upstream refuses the call, after [`MAX_RETRY_TIME`], or when the process ends. Except for
//! `kill -9`, each loss is logged as an error, and counted in a metric with an alert.

use std::{sync::atomic::Ordering::Relaxed, time::Duration};

use tokio::{
    task::JoinHandle,
    time::{Instant, sleep, timeout},
};
use tracing::Instrument;

use super::{
    CallError, CallOutput, Caller, ItemId, LogEntry, Upstream, metrics::Delivery, send::TIMED_OUT,
};

/// A delivery makes its last attempt after this time. An upstream that restarts or moves is back by
/// then.
const MAX_RETRY_TIME: Duration = Duration::from_secs(15 * 60);

/// Timeout of one attempt. It is short, because the next attempt sends the same message.
const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(30);

/// Exponential backoff: the pause doubles from the first to the longest, less a random jitter of up
/// to a half. If the upstream asks for a longer pause in `Retry-After`, that pause is kept.
const FIRST_BACKOFF: Duration = Duration::from_millis(500);
const MAX_BACKOFF: Duration = Duration::from_secs(60);

/// The longest pause while the process shuts down.
const SHUTDOWN_BACKOFF: Duration = Duration::from_secs(1);

/// Timeout of one attempt while the process shuts down, so that hanging attempts make room for
/// others.
const SHUTDOWN_ATTEMPT_TIMEOUT: Duration = Duration::from_secs(5);

/// Maximum concurrent attempts, each of which has a socket. Other deliveries wait without one.
pub const MAX_DELIVERY_ATTEMPTS: usize = 64;

/// A pending delivery. Dropping it abandons the delivery, including at shutdown.
struct Pending {
    upstream: Upstream,
    item: String,
    /// Why the delivery has not succeeded; `None` once it has.
    cause: Option<String>,
}

impl Upstream {
    /// Starts to report, in the background, that Connect returned an item. `key` must be the same
    /// for the same success in every process. `place` is dropped when the delivery ends; with it,
    /// the caller limits the number of deliveries.
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
        // The delivery ends within its request's span, so that the log line of a lost item has its id.
        self.background.deliveries.spawn(delivery.in_current_span())
    }

    /// Ends all deliveries. Each that has not succeeded logs its item. Returns how many were given
    /// up since the shutdown began.
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
        let timeout_at_shutdown = async {
            background.stopping.cancelled().await;
            sleep(SHUTDOWN_ATTEMPT_TIMEOUT).await;
        };
        tokio::select! {
            // In a box, so that a waiting delivery takes little memory.
            outcome = Box::pin(self.upstream.log(caller, entry)) => outcome,
            () = sleep(ATTEMPT_TIMEOUT) => Err(TIMED_OUT),
            () = timeout_at_shutdown => Err(TIMED_OUT),
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
            "success of Connect not delivered: report this item to the widget API by hand"
        );
    }
}
