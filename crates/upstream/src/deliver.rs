//! The one message that must arrive: the success of Connect, which alone carries the id of a new item.
//!
//! It is repeated while nobody answers or the upstream says that it is out of order. Each repetition has the same key,
//! so that the upstream can tell it from another success. The person never waits for it. It is lost only with the process
//! (`kill -9`) or after [`PATIENCE`], and the latter says so at the level of errors, in a metric and in an alert.

use std::time::Duration;

use tokio::{
    task::JoinHandle,
    time::{Instant, sleep, timeout},
};
use vincula_telemetry::{Delivery, Metrics, Trace};

use super::{CallError, Caller, ItemId, LogEntry, LogStatus, LogType, NoReplyCause, Unexpected, Upstream};

/// How long a delivery goes on: an upstream that restarts or is moved is back by then.
const PATIENCE: Duration = Duration::from_secs(15 * 60);

/// How long one call may take: the next one is the same message.
const ONE_CALL: Duration = Duration::from_secs(30);

/// The first wait; each next one is twice as long, up to the longest, and all are shortened by chance by up to a half.
const FIRST_WAIT: Duration = Duration::from_millis(500);
const LONGEST_WAIT: Duration = Duration::from_secs(60);

/// The longest wait of a process that is about to stop.
const LAST_WAIT: Duration = Duration::from_secs(1);

impl Upstream {
    /// Tells the upstream in the background that Connect gave an item. `key` is the same for the same success, in every
    /// process.
    pub fn deliver_success(&self, caller: Caller, item: &ItemId, key: u128) -> JoinHandle<()> {
        let data = serde_json::json!({ "item": { "id": item.as_str() } });
        let entry = LogEntry { kind: LogType::WidgetSuccess, status: LogStatus::Success, data };
        let (upstream, key) = (self.clone(), as_uuid(key));
        let mut pending = Pending::new(&self.metrics, item);
        self.spawn_detached(async move {
            let (begun, mut wait) = (Instant::now(), FIRST_WAIT);
            loop {
                let call = upstream.log_with_key(&caller, &entry, Some(&key));
                let outcome = timeout(ONE_CALL, call).await.unwrap_or(Err(CallError::NoReply(NoReplyCause::TimedOut)));
                let Err(error) = outcome else { return pending.delivered() };
                pending.cause = error.to_string();
                if !error.may_pass() || begun.elapsed() >= PATIENCE {
                    return;
                }
                tracing::warn!(%error, "success of Connect not delivered yet");
                upstream.metrics.delivery(Delivery::Repeated);
                upstream.pause(wait.mul_f64(rand::random_range(0.5..=1.0))).await;
                wait = (wait * 2).min(LONGEST_WAIT);
            }
        })
    }

    /// Waits; not for long where the process is about to stop.
    async fn pause(&self, wait: Duration) {
        let stopping = &self.background.stopping;
        if !stopping.is_cancelled() {
            tokio::select! {
                () = sleep(wait) => {}
                () = stopping.cancelled() => {}
            }
        } else {
            sleep(wait.min(LAST_WAIT)).await;
        }
    }
}

impl CallError {
    /// Whether the same call may go well a little later: nobody answered, a page of something else has, or the upstream
    /// says that it is out of order.
    fn may_pass(&self) -> bool {
        match self {
            Self::NoReply(_) | Self::Unexpected(Unexpected::NotJson) => true,
            Self::Reply(reply) if reply.http_status < 300 => reply.meta_status.is_some_and(|status| status >= 500),
            Self::Reply(reply) => reply.http_status >= 500,
            Self::Unexpected(_) => false,
        }
    }
}

/// A success that has not been delivered: given up where it is dropped, be it at the end of the process.
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

/// In the form that keys of repetitions commonly have: a UUID of version 8 (RFC 9562), whose bits are its maker's own.
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
