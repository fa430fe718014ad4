//! The stages of the flow.

use serde::{Deserialize, Serialize};
use vincula_domain::bank::BankCode;

/// The stage of the flow. Each variant holds the data that only its stage has.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Stage {
    /// The link is valid; the firm is not authorized, or its authorization was cancelled.
    #[default]
    Arrived,
    /// The firm is authorized.
    Consented(Consent),
    /// The bank form is saved: Connect may open.
    BankChosen(Consent, ChosenBank),
}

/// Proof that the firm was authorized in this session: when, and to which text the client agreed.
/// Only [`Stage::authorize`] makes one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Consent {
    #[serde(rename = "t")]
    pub(super) at: u64,
    #[serde(rename = "v")]
    pub(super) version: u32,
}

impl Consent {
    /// Unix seconds.
    pub fn given_at(self) -> u64 {
        self.at
    }

    /// The version of the text.
    pub fn version(self) -> u32 {
        self.version
    }
}

/// The bank that was chosen in the bank form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChosenBank {
    #[serde(rename = "c")]
    pub code: BankCode,
    /// Its name as the form showed it, or empty.
    #[serde(rename = "n")]
    pub name: String,
}

impl Stage {
    /// After the upstream has accepted the authorization, at these Unix seconds, to this version of
    /// the text. A consent that is given twice counts from the first time.
    pub fn authorize(self, at: u64, version: u32) -> Self {
        match self {
            Self::Arrived => Self::Consented(Consent { at, version }),
            further => further,
        }
    }

    /// After Connect was closed or has finished: the next bank starts at the bank form again.
    pub fn clear_bank(self) -> Self {
        match self {
            Self::BankChosen(consent, _) => Self::Consented(consent),
            other => other,
        }
    }

    pub fn consent(&self) -> Option<Consent> {
        match self {
            Self::Arrived => None,
            Self::Consented(consent) | Self::BankChosen(consent, _) => Some(*consent),
        }
    }

    pub fn bank(&self) -> Option<&ChosenBank> {
        match self {
            Self::BankChosen(_, bank) => Some(bank),
            Self::Arrived | Self::Consented(_) => None,
        }
    }

    /// The name of the chosen bank; empty without one.
    pub fn bank_name(&self) -> &str {
        self.bank().map_or("", |bank| &bank.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_follow_each_other() {
        let bank = ChosenBank {
            code: BankCode::parse("260").unwrap(),
            name: "Nubank".to_owned(),
        };
        let consented = Stage::Arrived.authorize(7, 1);
        assert_eq!(consented.consent(), Some(Consent { at: 7, version: 1 }));
        assert_eq!(Stage::Arrived.consent(), None);
        let chosen = Stage::BankChosen(consented.consent().unwrap(), bank.clone());
        assert_eq!(chosen.bank(), Some(&bank));
        assert_eq!(chosen.bank_name(), "Nubank");
        assert_eq!(
            chosen.clone().authorize(9, 1),
            chosen,
            "a second authorization loses nothing"
        );
        assert_eq!(chosen.clear_bank(), consented);
        assert_eq!(Stage::Arrived.clear_bank(), Stage::Arrived);
    }
}
