//! Rate limits for each key, in bounded memory.

use std::{
    hash::Hash,
    num::NonZeroU32,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use governor::{
    Quota, RateLimiter,
    clock::{Clock, DefaultClock},
    middleware::NoOpMiddleware,
    state::keyed::HashMapStateStore,
};

/// Most keys that are remembered, about 5 MB.
pub const MAX_REMEMBERED: usize = 50_000;

/// After this many calls, idle keys are removed.
const SWEEP_EVERY: u32 = 4_096;

/// A burst, and a rate per second in the long run.
#[derive(Debug, Clone, Copy)]
pub struct Allowance {
    pub at_once: NonZeroU32,
    pub per_second: NonZeroU32,
}

impl Allowance {
    pub const fn new(at_once: u32, per_second: u32) -> Self {
        match (NonZeroU32::new(at_once), NonZeroU32::new(per_second)) {
            (Some(at_once), Some(per_second)) => Self { at_once, per_second },
            _ => panic!("an allowance must be positive"),
        }
    }

    fn quota(self) -> Quota {
        Quota::per_second(self.per_second).allow_burst(self.at_once)
    }
}

type Limiter<K, C> = RateLimiter<K, HashMapStateStore<K>, C, NoOpMiddleware<<C as Clock>::Instant>>;

/// A rate limiter with one allowance for each key.
pub struct Rate<K: Hash + Eq + Clone, C: Clock + Clone = DefaultClock> {
    allowance: Allowance,
    clock: C,
    limiter: Mutex<Limiter<K, C>>,
    asked: AtomicU32,
}

impl<K: Hash + Eq + Clone> Rate<K> {
    pub fn new(allowance: Allowance) -> Self {
        Self::with_clock(allowance, DefaultClock::default())
    }
}

impl<K: Hash + Eq + Clone, C: Clock + Clone> Rate<K, C> {
    fn with_clock(allowance: Allowance, clock: C) -> Self {
        let limiter = RateLimiter::hashmap_with_clock(allowance.quota(), clock.clone());
        Self { allowance, clock, limiter: Mutex::new(limiter), asked: AtomicU32::new(0) }
    }

    /// Takes one from a key's allowance.
    ///
    /// # Errors
    /// The time to wait until the next.
    pub fn take(&self, key: &K) -> Result<(), Duration> {
        let mut limiter = self.limiter.lock().unwrap_or_else(PoisonError::into_inner);
        if self.asked.fetch_add(1, Ordering::Relaxed) % SWEEP_EVERY == SWEEP_EVERY - 1 || limiter.len() > MAX_REMEMBERED
        {
            limiter.retain_recent();
        }
        // Nobody with that many addresses needs a reset to get more, so removing all keys costs nothing.
        if limiter.len() > MAX_REMEMBERED {
            *limiter = RateLimiter::hashmap_with_clock(self.allowance.quota(), self.clock.clone());
        }
        limiter.check_key(key).map_err(|not_until| not_until.wait_time_from(self.clock.now()))
    }
}

#[cfg(test)]
mod tests {
    use governor::clock::FakeRelativeClock;

    use super::*;

    fn rate(at_once: u32, per_second: u32) -> (Rate<u32, FakeRelativeClock>, FakeRelativeClock) {
        let clock = FakeRelativeClock::default();
        (Rate::with_clock(Allowance::new(at_once, per_second), clock.clone()), clock)
    }

    #[test]
    fn each_has_an_allowance_of_its_own_that_comes_back() {
        let (rate, clock) = rate(3, 2);
        for _ in 0..3 {
            assert_eq!(rate.take(&1), Ok(()));
        }
        assert_eq!(rate.take(&1), Err(Duration::from_millis(500)));
        assert_eq!(rate.take(&2), Ok(()), "another is not harmed");
        clock.advance(Duration::from_millis(500));
        assert_eq!(rate.take(&1), Ok(()));
        assert!(rate.take(&1).is_err());
    }

    #[test]
    fn those_who_are_quiet_are_forgotten() {
        let (rate, clock) = rate(1, 1);
        for key in 1..SWEEP_EVERY {
            rate.take(&key).unwrap();
        }
        clock.advance(Duration::from_secs(60));
        rate.take(&0).unwrap();
        assert!(rate.limiter.lock().unwrap().len() < 3);
    }

    #[test]
    fn a_crowd_does_not_fill_the_memory() {
        let (rate, _clock) = rate(1, 1);
        for key in 0..u32::try_from(MAX_REMEMBERED).unwrap() + 10 {
            rate.take(&key).unwrap();
        }
        assert!(rate.limiter.lock().unwrap().len() <= MAX_REMEMBERED);
    }
}
