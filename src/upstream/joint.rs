//! One call for all who make the same one at the same time.

use std::{
    collections::HashMap,
    future::Future,
    hash::Hash,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::OnceCell;

/// The calls under way, by what makes them the same; clones share them.
#[derive(Debug)]
pub(super) struct Joint<K, T> {
    under_way: UnderWay<K, T>,
}

type UnderWay<K, T> = Arc<Mutex<HashMap<K, Arc<OnceCell<T>>>>>;

/// One of those who wait for a call; the last to leave forgets it.
struct Ticket<K: Eq + Hash, T> {
    under_way: UnderWay<K, T>,
    key: K,
    answer: Arc<OnceCell<T>>,
}

impl<K: Clone + Eq + Hash, T: Clone> Joint<K, T> {
    /// Makes the call, or waits for the answer of the same call that is under way. Where whoever made it leaves, one of
    /// those who wait makes theirs.
    pub async fn join(&self, key: &K, call: impl Future<Output = T>) -> T {
        let ticket = self.ticket(key);
        ticket.answer.get_or_init(|| call).await.clone()
    }

    fn ticket(&self, key: &K) -> Ticket<K, T> {
        let mut under_way = lock(&self.under_way);
        // An answer that is there already belongs to those who have waited for it.
        let answer = match under_way.get(key).filter(|call| !call.initialized()) {
            Some(call) => Arc::clone(call),
            None => {
                let call = Arc::new(OnceCell::new());
                under_way.insert(key.clone(), Arc::clone(&call));
                call
            }
        };
        Ticket { under_way: Arc::clone(&self.under_way), key: key.clone(), answer }
    }
}

impl<K: Eq + Hash, T> Drop for Ticket<K, T> {
    fn drop(&mut self) {
        let mut under_way = lock(&self.under_way);
        let mine = under_way.get(&self.key).is_some_and(|call| Arc::ptr_eq(call, &self.answer));
        // The table's own and this one.
        if mine && Arc::strong_count(&self.answer) == 2 {
            under_way.remove(&self.key);
        }
    }
}

impl<K, T> Default for Joint<K, T> {
    fn default() -> Self {
        Self { under_way: Arc::default() }
    }
}

impl<K, T> Clone for Joint<K, T> {
    fn clone(&self) -> Self {
        Self { under_way: Arc::clone(&self.under_way) }
    }
}

/// Nothing panics while it holds the table.
fn lock<K, T>(under_way: &UnderWay<K, T>) -> MutexGuard<'_, HashMap<K, Arc<OnceCell<T>>>> {
    under_way.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::{
        sync::atomic::{AtomicU32, Ordering},
        time::Duration,
    };

    use tokio::time::sleep;

    use super::*;

    /// Counts the calls made; each answers its number after a second.
    async fn call(made: &AtomicU32) -> u32 {
        let number = made.fetch_add(1, Ordering::Relaxed) + 1;
        sleep(Duration::from_secs(1)).await;
        number
    }

    #[tokio::test(start_paused = true)]
    async fn those_who_ask_at_the_same_time_share_a_call_and_nobody_else() {
        let (joint, made) = (Joint::default(), AtomicU32::new(0));
        let late = async {
            sleep(Duration::from_millis(900)).await;
            joint.join(&"a", call(&made)).await
        };
        let answers = tokio::join!(
            joint.join(&"a", call(&made)),
            joint.join(&"a", call(&made)),
            late,
            joint.join(&"b", call(&made)),
        );
        assert_eq!(answers, (1, 1, 1, 2));
        assert_eq!(joint.join(&"a", call(&made)).await, 3, "an answer that has come is nobody else's");
        assert!(lock(&joint.under_way).is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn where_the_first_leaves_another_asks() {
        let (joint, made) = (Joint::default(), AtomicU32::new(0));
        let first = tokio::time::timeout(Duration::from_millis(500), joint.join(&"a", call(&made)));
        let (first, second) = tokio::join!(first, joint.join(&"a", call(&made)));
        assert!(first.is_err());
        assert_eq!(second, 2);
        let alone = tokio::time::timeout(Duration::from_millis(500), joint.join(&"a", call(&made)));
        assert!(alone.await.is_err());
        assert!(lock(&joint.under_way).is_empty(), "nothing stays of calls that everybody has left");
    }
}
