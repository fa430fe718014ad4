//! The accounts that were linked in this session and may not be on the list yet: the widget API confirms them after some
//! minutes, and some wait for another person's approval at the bank.

use serde::{Deserialize, Serialize};
use vincula_domain::wire;

use crate::steps::brasilia;

/// Most linkings that a session remembers: the cookie holds them.
const MAX: usize = 3;

/// How long the widget API may take to confirm an account, in seconds (spec §9).
const CONFIRMED_WITHIN_SECS: u64 = 5 * 60;

/// How long the other person has to approve, in seconds. Banks give them 15 days.
const APPROVED_WITHIN_SECS: u64 = 15 * 24 * 60 * 60;

/// The linkings of a session, the last one first.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Linkings(Vec<Linking>);

/// One account that was linked. Short field names: the cookie holds it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Linking {
    /// Unix seconds. No two linkings of a session have the same.
    #[serde(rename = "t")]
    pub at: u64,
    /// The bank's name as the form showed it, or empty.
    #[serde(rename = "b")]
    pub bank: String,
    /// Waits for another person's approval at the bank.
    #[serde(default, rename = "w", skip_serializing_if = "is_false")]
    pub awaits: bool,
    /// It is on the list, or the client does not want to see it any more.
    #[serde(default, rename = "d", skip_serializing_if = "is_false")]
    pub done: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_false(flag: &bool) -> bool {
    !flag
}

impl Linkings {
    /// An account was linked. If it is the one that waited for an approval, it waits no longer.
    pub fn linked(&mut self, bank: String, now: u64) {
        self.0.retain(|one| !(one.awaits && one.bank == bank));
        self.add(bank, now, false);
    }

    /// An account waits for another person's approval. `false` if that is known already.
    pub fn awaits(&mut self, bank: String, now: u64) -> bool {
        let is_new = !self.waits_for(&bank);
        if is_new {
            self.add(bank, now, true);
        }
        is_new
    }

    /// Whether an account of this bank waits for another person's approval.
    pub fn waits_for(&self, bank: &str) -> bool {
        self.0.iter().any(|one| one.awaits && !one.done && one.bank == bank)
    }

    /// Forgets the oldest one, because the cookie is full. `false` if there is none.
    pub fn drop_oldest(&mut self) -> bool {
        self.0.pop().is_some()
    }

    /// The linking of this id is not shown any more. `false` if that is the case already.
    pub fn forget(&mut self, id: &str) -> bool {
        let found = self.0.iter_mut().find(|one| one.at.to_string() == id && !one.done);
        found.map(|one| one.done = true).is_some()
    }

    /// All accounts were cancelled.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    pub fn last(&self) -> Option<&Linking> {
        self.0.first()
    }

    pub fn iter(&self) -> impl Iterator<Item = &Linking> {
        self.0.iter()
    }

    /// Those that the accounts screen shows, as of `now`.
    pub fn shown(&self, now: u64) -> Vec<wire::Linking> {
        self.0.iter().filter(|one| !one.done).map(|one| one.shown(now)).collect()
    }

    fn add(&mut self, bank: String, now: u64, awaits: bool) {
        let last = self.0.first().map_or(0, |one| one.at);
        self.0.truncate(MAX - 1);
        self.0.insert(0, Linking { at: now.max(last + 1), bank, awaits, done: false });
    }
}

impl Linking {
    fn shown(&self, now: u64) -> wire::Linking {
        let late_at = self.at + CONFIRMED_WITHIN_SECS;
        let state = match self.awaits {
            true => wire::LinkingState::Awaits,
            false if now < late_at => wire::LinkingState::Confirming,
            false => wire::LinkingState::Late,
        };
        wire::Linking {
            id: self.at.to_string(),
            bank: self.bank.clone(),
            linked_at: brasilia::day_and_time(self.at),
            state,
            late_in_secs: u32::try_from(late_at.saturating_sub(now)).unwrap_or(u32::MAX),
            approve_by: brasilia::day(self.at + APPROVED_WITHIN_SECS),
        }
    }
}

#[cfg(test)]
mod tests {
    use wire::LinkingState::{Awaits, Confirming, Late};

    use super::*;

    fn states(linkings: &Linkings, now: u64) -> Vec<(String, wire::LinkingState)> {
        linkings.shown(now).into_iter().map(|one| (one.bank, one.state)).collect()
    }

    #[test]
    fn a_linking_is_late_after_five_minutes() {
        let mut linkings = Linkings::default();
        linkings.linked("Nubank".into(), 1000);
        assert_eq!(states(&linkings, 1000), [("Nubank".into(), Confirming)]);
        assert_eq!(linkings.shown(1001)[0].late_in_secs, 299);
        assert_eq!(states(&linkings, 1299), [("Nubank".into(), Confirming)]);
        assert_eq!(states(&linkings, 1300), [("Nubank".into(), Late)]);
        assert_eq!(linkings.shown(9999)[0].late_in_secs, 0);
    }

    #[test]
    fn an_approved_account_waits_no_longer() {
        let mut linkings = Linkings::default();
        assert!(linkings.awaits("Nubank".into(), 0));
        assert!(!linkings.awaits("Nubank".into(), 5), "told twice");
        assert_eq!(linkings.shown(0)[0].approve_by, "15/01/1970");
        linkings.awaits("Inter".into(), 10);
        linkings.linked("Nubank".into(), 20);
        assert_eq!(states(&linkings, 20), [("Nubank".into(), Confirming), ("Inter".into(), Awaits)]);
    }

    #[test]
    fn what_is_forgotten_is_not_shown_and_not_forgotten_twice() {
        let mut linkings = Linkings::default();
        linkings.linked("Nubank".into(), 7);
        linkings.linked("Inter".into(), 7);
        let ids: Vec<_> = linkings.shown(7).into_iter().map(|one| one.id).collect();
        assert_eq!(ids, ["8", "7"], "two in one second");
        assert!(linkings.forget("7") && !linkings.forget("7") && !linkings.forget("1") && !linkings.forget("+8"));
        assert_eq!(states(&linkings, 7), [("Inter".into(), Confirming)]);
        assert_eq!(linkings.iter().count(), 2, "the receipt still has both");
    }

    #[test]
    fn the_last_three_are_remembered() {
        let mut linkings = Linkings::default();
        for at in 0..5 {
            linkings.linked(format!("bank {at}"), at);
        }
        assert_eq!(linkings.iter().count(), MAX);
        assert_eq!(linkings.last().unwrap().bank, "bank 4");
    }
}
