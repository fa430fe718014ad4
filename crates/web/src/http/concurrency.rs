//! A limit on concurrent requests, in total and for each key.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Arc, Mutex, PoisonError},
};

/// A limited number of permits in total; each [`ConcurrencyLimit::take`] brings the limits of its keys.
pub struct ConcurrencyLimit<K: Eq + Hash>(Arc<Inside<K>>);

struct Inside<K> {
    in_all: usize,
    taken: Mutex<Taken<K>>,
}

struct Taken<K> {
    in_all: usize,
    by_key: HashMap<K, usize>,
}

/// A permit, held until every clone of it is dropped.
pub struct Permit<K: Eq + Hash>(Arc<Held<K>>);

struct Held<K: Eq + Hash> {
    inside: Arc<Inside<K>>,
    keys: Vec<K>,
}

impl<K: Eq + Hash> Clone for ConcurrencyLimit<K> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<K: Eq + Hash> Clone for Permit<K> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<K: Eq + Hash + Clone> ConcurrencyLimit<K> {
    pub fn new(in_all: usize) -> Self {
        Self(Arc::new(Inside { in_all, taken: Mutex::new(Taken { in_all: 0, by_key: HashMap::new() }) }))
    }

    /// Takes a permit, unless the total or one of the keys has reached its limit. Each key comes with its limit.
    pub fn take(&self, keys: &[(K, usize)]) -> Option<Permit<K>> {
        let mut taken = self.0.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let full = |(key, most): &(K, usize)| taken.by_key.get(key).is_some_and(|has| has >= most);
        if taken.in_all >= self.0.in_all || keys.iter().any(full) {
            return None;
        }
        taken.in_all += 1;
        for (key, _) in keys {
            *taken.by_key.entry(key.clone()).or_default() += 1;
        }
        let keys = keys.iter().map(|(key, _)| key.clone()).collect();
        Some(Permit(Arc::new(Held { inside: Arc::clone(&self.0), keys })))
    }
}

#[cfg(test)]
impl<K: Eq + Hash> ConcurrencyLimit<K> {
    /// How many permits are taken.
    pub fn taken(&self) -> usize {
        self.0.taken.lock().unwrap_or_else(PoisonError::into_inner).in_all
    }
}

impl<K: Eq + Hash> Drop for Held<K> {
    fn drop(&mut self) {
        let mut taken = self.inside.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken.in_all -= 1;
        for key in &self.keys {
            let left = taken.by_key.get_mut(key).map(|has| {
                *has -= 1;
                *has
            });
            if left == Some(0) {
                taken.by_key.remove(key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_client_cannot_take_every_permit() {
        let permits = ConcurrencyLimit::new(3);
        let held: Vec<_> = (0..2).map(|_| permits.take(&[("noisy", 2)]).unwrap()).collect();
        assert!(permits.take(&[("noisy", 2)]).is_none());
        let other = permits.take(&[("other", 2)]).unwrap();
        assert!(permits.take(&[("third", 2)]).is_none(), "full");
        drop(other);
        assert!(permits.take(&[("third", 2)]).is_some());
        drop(held);
        assert!(permits.0.taken.lock().unwrap().by_key.is_empty(), "dropped permits leave no keys");
    }

    #[test]
    fn a_permit_is_free_when_its_last_clone_is_dropped() {
        let permits: ConcurrencyLimit<()> = ConcurrencyLimit::new(1);
        let permit = permits.take(&[]).unwrap();
        let clone = permit.clone();
        drop(permit);
        assert!(permits.take(&[]).is_none());
        drop(clone);
        assert!(permits.take(&[]).is_some());
    }

    #[test]
    fn a_refusal_takes_nothing() {
        let permits = ConcurrencyLimit::new(9);
        let _one = permits.take(&[("address", 1)]).unwrap();
        assert!(permits.take(&[("token", 1), ("address", 1)]).is_none());
        assert!(permits.take(&[("token", 1)]).is_some());
    }
}
