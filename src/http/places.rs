//! How many may be inside at the same time: in all, and each of many.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Arc, Mutex, PoisonError},
};

/// So many places in all, and for each key so many as the request for one says.
pub struct Places<K: Eq + Hash>(Arc<Inside<K>>);

struct Inside<K> {
    in_all: usize,
    taken: Mutex<Taken<K>>,
}

struct Taken<K> {
    in_all: usize,
    by_key: HashMap<K, usize>,
}

/// A place that is taken until every clone of this is dropped.
pub struct Place<K: Eq + Hash>(Arc<Held<K>>);

struct Held<K: Eq + Hash> {
    inside: Arc<Inside<K>>,
    keys: Vec<K>,
}

impl<K: Eq + Hash> Clone for Places<K> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<K: Eq + Hash> Clone for Place<K> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<K: Eq + Hash + Clone> Places<K> {
    pub fn new(in_all: usize) -> Self {
        Self(Arc::new(Inside { in_all, taken: Mutex::new(Taken { in_all: 0, by_key: HashMap::new() }) }))
    }

    /// A place, if there is one in all and for each of the keys, which come with how many they may have.
    pub fn take(&self, keys: &[(K, usize)]) -> Option<Place<K>> {
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
        Some(Place(Arc::new(Held { inside: Arc::clone(&self.0), keys })))
    }
}

#[cfg(test)]
impl<K: Eq + Hash> Places<K> {
    /// How many are inside.
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
    fn one_client_cannot_take_every_place() {
        let places = Places::new(3);
        let held: Vec<_> = (0..2).map(|_| places.take(&[("noisy", 2)]).unwrap()).collect();
        assert!(places.take(&[("noisy", 2)]).is_none());
        let other = places.take(&[("other", 2)]).unwrap();
        assert!(places.take(&[("third", 2)]).is_none(), "full");
        drop(other);
        assert!(places.take(&[("third", 2)]).is_some());
        drop(held);
        assert!(places.0.taken.lock().unwrap().by_key.is_empty(), "nothing is remembered of who has left");
    }

    #[test]
    fn a_place_is_free_when_the_last_clone_has_gone() {
        let places: Places<()> = Places::new(1);
        let place = places.take(&[]).unwrap();
        let clone = place.clone();
        drop(place);
        assert!(places.take(&[]).is_none());
        drop(clone);
        assert!(places.take(&[]).is_some());
    }

    #[test]
    fn a_refusal_takes_nothing() {
        let places = Places::new(9);
        let _one = places.take(&[("address", 1)]).unwrap();
        assert!(places.take(&[("token", 1), ("address", 1)]).is_none());
        assert!(places.take(&[("token", 1)]).is_some());
    }
}
