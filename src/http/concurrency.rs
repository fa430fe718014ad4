//! A limit on what goes on at the same time, in total and for each key.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Arc, Mutex, PoisonError},
};

/// A limited number of permits in total; each [`ConcurrencyLimit::take`] brings the limit of its key.
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
    key: Option<K>,
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

    /// Takes a permit, unless the total or the key has reached its limit. A key comes with its limit.
    pub fn take(&self, key: Option<(K, usize)>) -> Option<Permit<K>> {
        let mut taken = self.0.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if taken.in_all >= self.0.in_all {
            return None;
        }
        let key = match key {
            Some((key, most)) => {
                let of_key = taken.by_key.entry(key.clone()).or_default();
                if *of_key >= most {
                    return None;
                }
                *of_key += 1;
                Some(key)
            }
            None => None,
        };
        taken.in_all += 1;
        Some(Permit(Arc::new(Held { inside: Arc::clone(&self.0), key })))
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
        let Some(key) = &self.key else { return };
        let left = taken.by_key.get_mut(key).map(|has| {
            *has -= 1;
            *has
        });
        if left == Some(0) {
            taken.by_key.remove(key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_client_cannot_take_every_permit() {
        let permits = ConcurrencyLimit::new(3);
        let held: Vec<_> = (0..2).map(|_| permits.take(Some(("noisy", 2))).unwrap()).collect();
        assert!(permits.take(Some(("noisy", 2))).is_none());
        let other = permits.take(Some(("other", 2))).unwrap();
        assert!(permits.take(Some(("third", 2))).is_none(), "full");
        drop(other);
        assert!(permits.take(Some(("third", 2))).is_some());
        drop(held);
        assert!(permits.0.taken.lock().unwrap().by_key.is_empty(), "dropped permits leave no keys");
    }

    #[test]
    fn a_permit_is_free_when_its_last_clone_is_dropped() {
        let permits: ConcurrencyLimit<()> = ConcurrencyLimit::new(1);
        let permit = permits.take(None).unwrap();
        let clone = permit.clone();
        drop(permit);
        assert!(permits.take(None).is_none());
        drop(clone);
        assert!(permits.take(None).is_some());
    }

    #[test]
    fn a_refusal_takes_nothing() {
        let permits = ConcurrencyLimit::new(2);
        let _one = permits.take(Some(("address", 1))).unwrap();
        assert!(permits.take(Some(("address", 1))).is_none());
        assert!(permits.take(Some(("another", 1))).is_some());
    }
}
