//! The account that was linked last. The widget API lists it after some minutes, or after another
//! person's approval at the bank.

use serde::{Deserialize, Serialize};

use crate::{brasilia, wire};

/// How long the accounts screen says that an account was linked, in seconds.
const SHOWN_SECS: u64 = 10 * 60;

/// An account that Connect or the bank has reported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Linking {
    /// The bank's name as Connect gave it with the item, else as the form showed it, or empty.
    pub bank: String,
    /// Unix seconds.
    pub at: u64,
    /// Whether the account waits for another person's approval at the bank.
    pub awaits_approval: bool,
    pub success: SuccessCall,
}

/// The success call of a linking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SuccessCall {
    /// Connect reported the account in an error, because it waits for an approval. There is no
    /// success screen for it.
    NotDue,
    /// The success screen makes it.
    Due,
    /// The upstream has accepted it.
    Made,
}

impl Linking {
    /// As the pages get it. `now`: Unix seconds.
    pub fn to_wire(&self, now: u64) -> wire::LinkingNotice {
        let left = (self.at + SHOWN_SECS).saturating_sub(now).min(SHOWN_SECS);
        wire::LinkingNotice {
            bank: self.bank.clone(),
            time: brasilia::time(self.at),
            waits_for_approval: self.awaits_approval,
            shown_secs: u32::try_from(left).expect("ten minutes fit"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linking_is_shown_for_ten_minutes() {
        let linking = Linking {
            bank: "Inter".to_owned(),
            at: 1_795_305_600,
            awaits_approval: false,
            success: SuccessCall::Due,
        };
        for (secs, left) in [(0, 600), (1, 599), (600, 0), (9_999, 0)] {
            let shown = linking.to_wire(linking.at + secs);
            assert_eq!(shown.shown_secs, left, "after {secs} s");
            assert_eq!(shown.time, "21h00");
        }
        let other_clock = linking.to_wire(linking.at - 60);
        assert_eq!(
            other_clock.shown_secs, 600,
            "another machine's clock is ahead"
        );
    }
}
