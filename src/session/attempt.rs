//! The accounts linked in one opening of Connect.

use serde::{Deserialize, Serialize};

/// How many items of one attempt are remembered. Connect reports one, rarely two.
const MAX_ITEMS: usize = 4;

/// One attempt to link an account, from one opening of Connect to the next. The field names are
/// short, because the cookie contains them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Attempt {
    /// Random, so that an item of another attempt does not count as a repetition.
    #[serde(rename = "i")]
    pub id: u64,
    /// Whether Connect was opened for the bank that was chosen last. Absent in cookies of versions
    /// that did not record it.
    #[serde(default, rename = "o", skip_serializing_if = "std::ops::Not::not")]
    pub opened: bool,
    /// Whether the bank sent the client back without naming the item.
    #[serde(default, rename = "r")]
    returned: bool,
    /// Digests of the items that Connect reported.
    #[serde(default, rename = "t")]
    items: Vec<u64>,
    /// How many accounts were linked in this attempt.
    #[serde(default, rename = "n")]
    pub linked: u32,
}

/// How we learn that an account was linked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Linked {
    /// Connect reported an item with this digest.
    Item(u64),
    /// The bank sent the client back.
    Return,
}

impl Attempt {
    pub fn begin() -> Self {
        Self {
            id: rand::random(),
            ..Self::default()
        }
    }

    /// An attempt that begins with the opening of Connect.
    pub fn open() -> Self {
        Self {
            opened: true,
            ..Self::begin()
        }
    }

    /// Whether this item has been reported to the upstream.
    pub fn has_reported(&self, item: u64) -> bool {
        self.items.contains(&item)
    }

    /// Records that an account was linked. Returns whether that is new. It is not for a repetition,
    /// a reloaded return, or the item of an account whose return came first.
    pub fn record(&mut self, how: Linked) -> bool {
        let is_new = match how {
            Linked::Return => {
                let is_new = !self.returned && self.items.is_empty();
                self.returned |= is_new;
                is_new
            }
            Linked::Item(item) if self.has_reported(item) => false,
            Linked::Item(item) => {
                self.items.truncate(MAX_ITEMS - 1);
                self.items.insert(0, item);
                !std::mem::take(&mut self.returned)
            }
        };
        self.linked += u32::from(is_new);
        is_new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_item_is_not_counted_again() {
        use Linked::{Item, Return};
        for (events, new) in [
            (&[Item(1), Item(1)][..], &[true, false][..]),
            (&[Item(1), Item(2), Item(1)], &[true, true, false]),
            (&[Return, Return], &[true, false]),
            (&[Return, Item(1), Item(1)], &[true, false, false]),
            (&[Return, Item(1), Item(2)], &[true, false, true]),
            (&[Item(1), Return], &[true, false]),
        ] {
            let mut attempt = Attempt::begin();
            let recorded: Vec<_> = events.iter().map(|event| attempt.record(*event)).collect();
            assert_eq!(recorded, new, "{events:?}");
        }
    }

    #[test]
    fn the_last_items_are_remembered() {
        let mut attempt = Attempt::begin();
        for item in 0..10 {
            attempt.record(Linked::Item(item));
        }
        assert!(attempt.has_reported(9) && attempt.has_reported(6) && !attempt.has_reported(5));
        assert_eq!(attempt.linked, 10);
    }
}
