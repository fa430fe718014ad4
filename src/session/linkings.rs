//! The accounts that were linked in this session and may not be on the list yet: the widget API
//! confirms them after some minutes, and some wait for another person's approval at the bank.

use serde::{Deserialize, Serialize};
use vincula_domain::wire::{self, LinkingState, WaitingAccount};

use super::brasilia;

/// How many linkings a session remembers. The cookie has room for no more.
const MAX: usize = 3;

/// How long the other person has to approve, in seconds: the 15 days that banks give them. No
/// session lasts as long.
const APPROVED_WITHIN_SECS: u64 = 15 * 24 * 60 * 60;

/// The linkings of a session, the newest first.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Linkings(Vec<Linking>);

/// One account that was linked. The field names are short, because the cookie contains them.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Linking {
    /// Unix seconds.
    #[serde(rename = "t")]
    pub at: u64,
    /// The bank's name as the form showed it, or empty.
    #[serde(rename = "b")]
    pub bank: String,
    /// Whether the account waits for another person's approval at the bank.
    #[serde(default, rename = "w", skip_serializing_if = "std::ops::Not::not")]
    pub awaits: bool,
}

vincula_domain::debug_without_values!(Linking);

impl Linkings {
    /// Records a linked account. It no longer waits for an approval.
    pub fn linked(&mut self, bank: String, now: u64) {
        self.0.retain(|one| !(one.awaits && one.bank == bank));
        self.add(Linking {
            at: now,
            bank,
            awaits: false,
        });
    }

    /// Records that an account waits for another person's approval. Returns whether that is new.
    pub fn awaits(&mut self, bank: String, now: u64) -> bool {
        let is_new = !self.waits_for(&bank);
        if is_new {
            self.add(Linking {
                at: now,
                bank,
                awaits: true,
            });
        }
        is_new
    }

    /// Whether an account of this bank waits for another person's approval.
    pub fn waits_for(&self, bank: &str) -> bool {
        self.0.iter().any(|one| one.awaits && one.bank == bank)
    }

    /// Drops the oldest linking, because the cookie is full. Returns `false` if there is none.
    pub fn drop_oldest(&mut self) -> bool {
        self.0.pop().is_some()
    }

    pub fn iter(&self) -> impl Iterator<Item = &Linking> {
        self.0.iter()
    }

    /// As the pages get them, as of `now`.
    pub fn to_wire(&self, now: u64) -> Vec<wire::Linking> {
        self.0.iter().map(|one| one.to_wire(now)).collect()
    }

    fn add(&mut self, linking: Linking) {
        self.0.truncate(MAX - 1);
        self.0.insert(0, linking);
    }
}

impl Linking {
    fn to_wire(&self, now: u64) -> wire::Linking {
        let row = WaitingAccount {
            brand: String::new(),
            bank: self.bank.clone(),
            state: if self.awaits {
                LinkingState::Awaits
            } else {
                LinkingState::Confirming
            },
            approve_by: brasilia::day(self.at + APPROVED_WITHIN_SECS),
        };
        let age_secs = u32::try_from(now.saturating_sub(self.at)).unwrap_or(u32::MAX);
        wire::Linking {
            row,
            linked_at: brasilia::day_and_time(self.at),
            age_secs,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_approved_account_waits_no_longer() {
        let mut linkings = Linkings::default();
        assert!(linkings.awaits("Nubank".into(), 0));
        assert!(!linkings.awaits("Nubank".into(), 5), "reported twice");
        assert_eq!(linkings.to_wire(0)[0].row.approve_by, "15/01/1970");
        linkings.awaits("Inter".into(), 10);
        linkings.linked("Nubank".into(), 20);
        let shown: Vec<_> = linkings
            .to_wire(25)
            .into_iter()
            .map(|one| (one.row.bank, one.row.state))
            .collect();
        assert_eq!(
            shown,
            [
                ("Nubank".into(), LinkingState::Confirming),
                ("Inter".into(), LinkingState::Awaits)
            ]
        );
        assert_eq!(linkings.to_wire(25)[0].age_secs, 5);
    }

    #[test]
    fn the_last_three_are_remembered() {
        let mut linkings = Linkings::default();
        for at in 0..5 {
            linkings.linked(format!("bank {at}"), at);
        }
        assert_eq!(linkings.iter().count(), MAX);
        assert_eq!(linkings.iter().next().unwrap().bank, "bank 4");
    }
}
