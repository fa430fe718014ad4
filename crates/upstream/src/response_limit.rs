//! Limits the large responses that are read at the same time, so that their memory is bounded however many calls there
//! are.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Largest response that needs no permit, in bytes: two hundred accounts. If a response declares no length, the HTTP
/// library may hold as much again by then, in addition to a buffer that doubles.
pub const SMALL_BYTES: usize = 32 * 1024;

/// Maximum larger responses that are read at the same time. Others wait unread, which also holds up their sender.
pub const MAX_LARGE_RESPONSES: usize = 16;

/// The permits for large responses; clones share them.
#[derive(Debug, Clone)]
pub struct ResponseLimit(Arc<Semaphore>);

impl Default for ResponseLimit {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(MAX_LARGE_RESPONSES)))
    }
}

impl ResponseLimit {
    /// Acquires a permit for a response of at least this size, if it is large and has none yet.
    pub async fn acquire(&self, permit: &mut Option<OwnedSemaphorePermit>, bytes: usize) {
        if bytes > SMALL_BYTES && permit.is_none() {
            *permit = Arc::clone(&self.0).acquire_owned().await.ok();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn large_responses_are_limited_and_small_ones_are_not() {
        let (limit, mut permits) = (ResponseLimit::default(), Vec::new());
        for _ in 0..MAX_LARGE_RESPONSES {
            let mut permit = None;
            limit.acquire(&mut permit, SMALL_BYTES + 1).await;
            limit.acquire(&mut permit, 2 * SMALL_BYTES).await;
            permits.push(permit);
        }
        let (mut small, mut large) = (None, None);
        limit.acquire(&mut small, SMALL_BYTES).await;
        assert!(small.is_none());
        {
            let mut waiting = polled(limit.acquire(&mut large, SMALL_BYTES + 1));
            assert!(waiting.is_waiting());
            permits.pop();
            assert!(!waiting.is_waiting());
        }
        assert!(large.is_some());
    }

    /// A future that the test polls manually.
    struct Polled<F>(std::pin::Pin<Box<F>>);

    fn polled<F: Future>(future: F) -> Polled<F> {
        Polled(Box::pin(future))
    }

    impl<F: Future> Polled<F> {
        fn is_waiting(&mut self) -> bool {
            let mut context = std::task::Context::from_waker(std::task::Waker::noop());
            self.0.as_mut().poll(&mut context).is_pending()
        }
    }
}
