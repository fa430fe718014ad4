//! Room for large answers: what is read of the widget API at the same time has a most, however many calls there are.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// An answer up to here needs no room of its own: two hundred accounts. Of an answer that does not say how long it is, the
/// HTTP library may have as much again by then, and a buffer that doubles.
pub const SMALL_BYTES: usize = 32 * 1024;

/// Larger answers that are read at the same time; others wait, and their senders with them.
pub const LARGE_ANSWERS: usize = 16;

/// Clones share it.
#[derive(Debug, Clone)]
pub struct Room(Arc<Semaphore>);

impl Default for Room {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(LARGE_ANSWERS)))
    }
}

impl Room {
    /// Takes a permit for an answer that is known to be so large, unless it has one.
    pub async fn take(&self, permit: &mut Option<OwnedSemaphorePermit>, bytes: usize) {
        if bytes > SMALL_BYTES && permit.is_none() {
            *permit = Arc::clone(&self.0).acquire_owned().await.ok();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn so_many_large_answers_are_read_at_once_and_any_number_of_small_ones() {
        let (room, mut permits) = (Room::default(), Vec::new());
        for _ in 0..LARGE_ANSWERS {
            let mut permit = None;
            room.take(&mut permit, SMALL_BYTES + 1).await;
            room.take(&mut permit, 2 * SMALL_BYTES).await;
            permits.push(permit);
        }
        let (mut small, mut large) = (None, None);
        room.take(&mut small, SMALL_BYTES).await;
        assert!(small.is_none());
        {
            let mut waiting = looked_at(room.take(&mut large, SMALL_BYTES + 1));
            assert!(waiting.is_waiting());
            permits.pop();
            assert!(!waiting.is_waiting());
        }
        assert!(large.is_some());
    }

    /// A future that is looked at by hand.
    struct Looked<F>(std::pin::Pin<Box<F>>);

    fn looked_at<F: Future>(future: F) -> Looked<F> {
        Looked(Box::pin(future))
    }

    impl<F: Future> Looked<F> {
        fn is_waiting(&mut self) -> bool {
            let mut context = std::task::Context::from_waker(std::task::Waker::noop());
            self.0.as_mut().poll(&mut context).is_pending()
        }
    }
}
