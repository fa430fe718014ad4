//! The visit to the bank: from the bank form to the end of Connect.

use serde::{Deserialize, Serialize};
use vincula_domain::bank::BankCode;
use vincula_upstream::legible;

/// Where the client is on the way to a bank. Each variant holds the data that only it has.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Visit {
    #[default]
    None,
    /// The bank form is saved: Connect may open.
    BankChosen(ChosenBank),
    /// Connect is open. A renewal has no chosen bank.
    ConnectOpen(Option<ChosenBank>),
    /// The client has closed Connect without a linking.
    Closed(ChosenBank),
    /// The bank has sent the client back. Only the client knows whether an account was linked.
    Returned,
}

/// The bank that was chosen in the bank form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChosenBank {
    pub code: BankCode,
    /// Its name as the form showed it, or empty.
    pub name: String,
}

/// Longest name of a bank in a cookie, in bytes.
pub const MAX_BANK_NAME_BYTES: usize = 96;
/// Stands for the rest of a name that was cut. The bank form finds the bank by what precedes it.
const REST: char = '…';

/// A bank's name as a page showed it, only ever shown again to the same person: cut to what the
/// session can hold, without what JSON escapes.
pub fn bank_name(text: &str) -> String {
    let mut name = legible(text).replace(['"', '\\'], "");
    if name.len() > MAX_BANK_NAME_BYTES {
        name.truncate(name.floor_char_boundary(MAX_BANK_NAME_BYTES - REST.len_utf8()));
        name.push(REST);
    }
    name
}

/// A step that the session does not allow yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotYet;

impl Visit {
    /// Connect opens for the chosen bank.
    ///
    /// # Errors
    ///
    /// If no bank is chosen.
    pub fn open(self) -> Result<Self, NotYet> {
        match self {
            Self::BankChosen(bank) | Self::ConnectOpen(Some(bank)) => {
                Ok(Self::ConnectOpen(Some(bank)))
            }
            Self::None | Self::ConnectOpen(None) | Self::Closed(_) | Self::Returned => Err(NotYet),
        }
    }

    /// The client closes Connect. A bank that was chosen since stays chosen.
    pub fn close(self) -> Self {
        match self {
            Self::ConnectOpen(Some(bank)) => Self::Closed(bank),
            Self::ConnectOpen(None) => Self::None,
            other => other,
        }
    }

    /// Connect or the bank has reported an account. A bank that was chosen since stays chosen.
    pub fn end(self) -> Self {
        match self {
            Self::BankChosen(bank) => Self::BankChosen(bank),
            Self::None | Self::ConnectOpen(_) | Self::Closed(_) | Self::Returned => Self::None,
        }
    }

    /// The bank for which Connect opens or is open.
    pub fn bank(&self) -> Option<&ChosenBank> {
        match self {
            Self::BankChosen(bank) | Self::ConnectOpen(Some(bank)) => Some(bank),
            Self::None | Self::ConnectOpen(None) | Self::Closed(_) | Self::Returned => None,
        }
    }

    /// The bank whose Connect was closed without a linking.
    pub fn closed_bank(&self) -> Option<&ChosenBank> {
        match self {
            Self::Closed(bank) => Some(bank),
            Self::None | Self::BankChosen(_) | Self::ConnectOpen(_) | Self::Returned => None,
        }
    }

    pub fn is_open(&self) -> bool {
        matches!(self, Self::ConnectOpen(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bank(name: &str) -> ChosenBank {
        ChosenBank {
            code: BankCode::parse("260").unwrap(),
            name: name.to_owned(),
        }
    }

    #[test]
    fn a_banks_name_is_cut_to_what_the_session_holds() {
        assert_eq!(bank_name("  Nubank\u{202e}\n "), "Nubank");
        assert_eq!(bank_name("Banco \"Bom\""), "Banco Bom");
        assert_eq!(bank_name(&"e".repeat(96)), "e".repeat(96));
        for letter in ["e", "é", "が"] {
            let name = bank_name(&letter.repeat(97));
            let kept = name.strip_suffix('…').unwrap();
            assert!(letter.repeat(97).starts_with(kept), "{name}");
            assert!((94..=96).contains(&name.len()), "{name}");
        }
    }

    #[test]
    fn opens_only_for_a_chosen_bank() {
        let nubank = bank("Nubank");
        let open = Visit::ConnectOpen(Some(nubank.clone()));
        assert_eq!(Visit::BankChosen(nubank.clone()).open(), Ok(open.clone()));
        assert_eq!(open.clone().open(), Ok(open), "after a reload");
        for other in [
            Visit::None,
            Visit::ConnectOpen(None),
            Visit::Closed(nubank),
            Visit::Returned,
        ] {
            assert_eq!(other.clone().open(), Err(NotYet), "{other:?}");
        }
    }

    #[test]
    fn close_remembers_only_the_bank_whose_connect_was_open() {
        let nubank = bank("Nubank");
        for (visit, closed) in [
            (
                Visit::ConnectOpen(Some(nubank.clone())),
                Visit::Closed(nubank.clone()),
            ),
            (Visit::ConnectOpen(None), Visit::None),
            (Visit::None, Visit::None),
            (
                Visit::BankChosen(nubank.clone()),
                Visit::BankChosen(nubank.clone()),
            ),
            (Visit::Closed(nubank.clone()), Visit::Closed(nubank)),
        ] {
            assert_eq!(visit.clone().close(), closed, "{visit:?}");
        }
    }

    #[test]
    fn end_keeps_a_bank_that_was_chosen_since() {
        let nubank = bank("Nubank");
        let chosen = Visit::BankChosen(nubank.clone());
        assert_eq!(chosen.clone().end(), chosen);
        for ended in [
            Visit::None,
            Visit::ConnectOpen(None),
            Visit::ConnectOpen(Some(nubank.clone())),
            Visit::Closed(nubank),
            Visit::Returned,
        ] {
            assert_eq!(ended.clone().end(), Visit::None, "{ended:?}");
        }
    }
}
