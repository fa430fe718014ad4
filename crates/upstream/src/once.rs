//! Orders that are carried out once, however often somebody asks for the same at the same time or shortly afterwards.
//!
//! A double click, a reload, a second tab: they all come with the cookie from before the order, which cannot tell. So the
//! process remembers. Another process does not: what two replicas are asked for within the same moment is sent twice.

use std::{
    collections::HashMap,
    future::Future,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::{sync::watch, time::Instant};

use super::{Answer, CallError, NoReplyCause, Upstream};

/// How long an order that went well is remembered: by then the browser has the cookie that says so.
const REMEMBERED: Duration = Duration::from_secs(600);

/// Most orders that are remembered, of 100 bytes each.
const MOST: usize = 10_000;

type Outcome = Result<Answer<()>, CallError>;

/// The orders by what makes them the same; clones share them.
#[derive(Debug, Clone, Default)]
pub(super) struct Once(Arc<Mutex<HashMap<u128, Order>>>);

#[derive(Debug)]
struct Order {
    outcome: watch::Receiver<Option<Outcome>>,
    since: Instant,
}

impl Order {
    fn is_under_way(&self) -> bool {
        self.outcome.borrow().is_none() && self.outcome.has_changed().is_ok()
    }

    fn went_well(&self) -> bool {
        self.since.elapsed() < REMEMBERED && matches!(*self.outcome.borrow(), Some(Ok(_)))
    }
}

impl Upstream {
    /// Carries out an order, or gives the outcome of the same one: the one under way, or one that went well within the
    /// last minutes. It runs to its end even if everybody leaves. One that fails may be asked for again.
    ///
    /// # Errors
    /// Those of the order.
    pub async fn once(&self, key: u128, order: impl Future<Output = Outcome> + Send + 'static) -> Outcome {
        let mut outcome = {
            let mut orders = self.orders.0.lock().unwrap_or_else(PoisonError::into_inner);
            match orders.get(&key) {
                // An XSRF token of then may be older than the caller's.
                Some(same) if same.went_well() => return Ok(Answer { data: (), xsrf: None }),
                Some(same) if same.is_under_way() => same.outcome.clone(),
                _ => {
                    if orders.len() >= MOST {
                        orders.retain(|_, order| order.is_under_way() || order.went_well());
                    }
                    if orders.len() >= MOST {
                        orders.retain(|_, order| order.is_under_way());
                    }
                    let (tell, outcome) = watch::channel(None);
                    orders.insert(key, Order { outcome: outcome.clone(), since: Instant::now() });
                    self.spawn_detached(async move { tell.send_replace(Some(order.await)) });
                    outcome
                }
            }
        };
        let told = outcome.wait_for(Option::is_some).await.ok().and_then(|told| told.clone());
        // Without an outcome where the process ends meanwhile.
        told.unwrap_or(Err(CallError::NoReply(NoReplyCause::Reset)))
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

    /// An order that takes a second.
    fn order(made: &Arc<AtomicU32>, goes_well: bool) -> impl Future<Output = Outcome> + Send + use<> {
        let made = Arc::clone(made);
        async move {
            made.fetch_add(1, Relaxed);
            sleep(Duration::from_secs(1)).await;
            if goes_well { Ok(Answer { data: (), xsrf: None }) } else { Err(CallError::NoReply(NoReplyCause::Reset)) }
        }
    }

    fn new() -> (Upstream, Arc<AtomicU32>) {
        (upstream("http://127.0.0.1:9", Duration::from_secs(1)), Arc::default())
    }

    #[tokio::test(start_paused = true)]
    async fn what_many_ask_for_is_done_once() {
        let (upstream, made) = new();
        let (a, b, c) = join!(
            upstream.once(1, order(&made, true)),
            upstream.once(1, order(&made, true)),
            upstream.once(2, order(&made, true))
        );
        assert!(a.is_ok() && b.is_ok() && c.is_ok());
        assert_eq!(made.load(Relaxed), 2);
        assert!(upstream.once(1, order(&made, true)).await.is_ok());
        assert_eq!(made.load(Relaxed), 2, "remembered");
        advance(REMEMBERED).await;
        assert!(upstream.once(1, order(&made, true)).await.is_ok());
        assert_eq!(made.load(Relaxed), 3, "not for ever");
    }

    #[tokio::test(start_paused = true)]
    async fn a_failure_is_shared_and_then_forgotten() {
        let (upstream, made) = new();
        let (a, b) = join!(upstream.once(1, order(&made, false)), upstream.once(1, order(&made, false)));
        assert!(a.is_err() && b.is_err());
        assert_eq!(made.load(Relaxed), 1);
        assert!(upstream.once(1, order(&made, true)).await.is_ok());
        assert_eq!(made.load(Relaxed), 2);
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_leaves_takes_nothing_along() {
        let (upstream, made) = new();
        let first = tokio::time::timeout(Duration::from_millis(500), upstream.once(1, order(&made, true)));
        let (first, second) = join!(first, upstream.once(1, order(&made, true)));
        assert!(first.is_err() && second.is_ok());
        assert_eq!(made.load(Relaxed), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn memory_has_an_end() {
        let (upstream, made) = new();
        for key in 0..u128::try_from(MOST).unwrap() + 1 {
            upstream.once(key, async { Ok(Answer { data: (), xsrf: None }) }).await.unwrap();
        }
        assert!(upstream.orders.0.lock().unwrap().len() <= MOST);
        assert!(upstream.once(u128::MAX, order(&made, true)).await.is_ok());
    }
}
