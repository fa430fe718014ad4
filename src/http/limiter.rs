//! The building blocks of [`super::limits`]: a rate for each key, and a number of permits for each
//! key and in total.

use std::{
    collections::{HashMap, hash_map::Entry},
    hash::Hash,
    num::NonZeroU32,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use governor::{
    Quota, RateLimiter, clock::Clock, middleware::NoOpMiddleware, state::keyed::HashMapStateStore,
};

/// Above this number of keys, about 5 MB, a rate limit removes the keys whose quota is full again.
/// After a single request, a quota is full within a second, so even an attacker with many addresses
/// cannot make the limit keep many more keys.
pub const MAX_KEYS: usize = 50_000;

/// A burst, and a rate per second in the long run.
pub const fn quota(burst: u32, per_second: u32) -> Quota {
    match (NonZeroU32::new(burst), NonZeroU32::new(per_second)) {
        (Some(burst), Some(per_second)) => Quota::per_second(per_second).allow_burst(burst),
        _ => panic!("a quota must be positive"),
    }
}

/// Tokio's clock, which tests can pause.
#[derive(Clone)]
struct TokioClock;

impl Clock for TokioClock {
    type Instant = Instant;

    fn now(&self) -> Instant {
        tokio::time::Instant::now().into_std()
    }
}

/// A quota for each key.
pub struct RateLimit<K: Hash + Eq + Clone>(
    RateLimiter<K, HashMapStateStore<K>, TokioClock, NoOpMiddleware<Instant>>,
);

impl<K: Hash + Eq + Clone> RateLimit<K> {
    pub fn new(quota: Quota) -> Self {
        let keys = HashMapStateStore::default();
        Self(RateLimiter::new(quota, keys, TokioClock))
    }

    /// Takes one request from a key's quota. If the quota is used up, returns the time until the
    /// next request is allowed.
    pub fn check(&self, key: &K) -> Result<(), Duration> {
        if self.0.len() > MAX_KEYS {
            self.0.retain_recent();
        }
        self.0
            .check_key(key)
            .map_err(|not_until| not_until.wait_time_from(self.0.clock().now()))
    }
}

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
    use tokio::time::advance;

    use super::*;

    impl<K: Hash + Eq> ConcurrencyLimit<K> {
        /// How many permits are taken.
        pub fn taken(&self) -> usize {
            self.taken.lock().unwrap().values().sum()
        }
    }

    #[tokio::test(start_paused = true)]
    async fn each_key_has_its_own_quota_that_refills() {
        let rate = RateLimit::new(quota(3, 1));
        for _ in 0..3 {
            assert_eq!(rate.check(&1), Ok(()));
        }
        assert_eq!(rate.check(&1), Err(Duration::from_secs(1)));
        assert_eq!(rate.check(&2), Ok(()), "another is not harmed");
        advance(Duration::from_millis(999)).await;
        assert_eq!(rate.check(&1), Err(Duration::from_millis(1)));
        advance(Duration::from_millis(1)).await;
        assert_eq!(rate.check(&1), Ok(()));
        assert_eq!(rate.check(&1), Err(Duration::from_secs(1)));
    }

    #[tokio::test(start_paused = true)]
    async fn forgets_keys_with_a_full_quota() {
        let rate = RateLimit::new(quota(1, 1));
        let crowd = u32::try_from(MAX_KEYS).unwrap() + 1;
        for key in 0..crowd {
            rate.check(&key).unwrap();
        }
        rate.check(&crowd).unwrap();
        assert_eq!(rate.0.len(), MAX_KEYS + 2, "a used quota is remembered");
        advance(Duration::from_secs(3)).await;
        rate.check(&crowd).unwrap();
        assert_eq!(
            rate.0.len(),
            1,
            "those whose quota is full again are forgotten"
        );
    }

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
