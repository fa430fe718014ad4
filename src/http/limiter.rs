//! A number of permits for each key and in total: the places for pending deliveries.

use std::{
    collections::{HashMap, hash_map::Entry},
    hash::Hash,
    sync::{Arc, Mutex, PoisonError},
};

/// Pending deliveries of Connect's items, in total: two a second for a quarter of an hour, which is
/// how long a delivery is retried.
pub const DELIVERIES: usize = 2_048;

/// Pending deliveries of one link. No client connects more accounts in a quarter of an hour.
pub const DELIVERIES_PER_LINK: usize = 16;

/// The places for pending deliveries, by session id.
pub type Deliveries = ConcurrencyLimit<String>;

/// A number of permits, of which each key may have some.
#[derive(Clone)]
pub struct ConcurrencyLimit<K: Hash + Eq> {
    total: usize,
    per_key: usize,
    taken: Arc<Mutex<HashMap<K, usize>>>,
}

/// A permit, held until every clone of it is dropped.
pub type Permit<K> = Arc<Held<K>>;

/// See [`Permit`].
pub struct Held<K: Hash + Eq + Clone> {
    key: K,
    taken: Arc<Mutex<HashMap<K, usize>>>,
}

impl<K: Hash + Eq + Clone> ConcurrencyLimit<K> {
    pub fn new(total: usize, per_key: usize) -> Self {
        Self {
            total,
            per_key,
            taken: Arc::default(),
        }
    }

    /// Takes a permit, unless the key or all keys together have reached their limit.
    pub fn try_acquire(&self, key: K) -> Option<Permit<K>> {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let by_key = taken.get(&key).copied().unwrap_or_default();
        if by_key >= self.per_key || taken.values().sum::<usize>() >= self.total {
            return None;
        }
        taken.insert(key.clone(), by_key + 1);
        Some(Arc::new(Held {
            key,
            taken: Arc::clone(&self.taken),
        }))
    }
}

impl<K: Hash + Eq + Clone> Drop for Held<K> {
    fn drop(&mut self) {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if let Entry::Occupied(mut by_key) = taken.entry(self.key.clone()) {
            *by_key.get_mut() -= 1;
            if *by_key.get() == 0 {
                by_key.remove();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_key_cannot_take_every_permit() {
        let permits = ConcurrencyLimit::new(3, 2);
        let held: Vec<_> = (0..2)
            .map(|_| permits.try_acquire("noisy").unwrap())
            .collect();
        assert!(permits.try_acquire("noisy").is_none());
        let other = permits.try_acquire("other").unwrap();
        assert!(permits.try_acquire("third").is_none(), "full");
        drop(other);
        assert!(permits.try_acquire("third").is_some());
        drop(held);
        assert!(
            permits.taken.lock().unwrap().is_empty(),
            "dropped permits leave no keys"
        );
    }

    #[test]
    fn permit_is_released_with_its_last_clone() {
        let permits = ConcurrencyLimit::new(1, 1);
        let permit = permits.try_acquire(()).unwrap();
        let clone = permit.clone();
        drop(permit);
        assert!(permits.try_acquire(()).is_none());
        drop(clone);
        assert!(permits.try_acquire(()).is_some());
    }
}
