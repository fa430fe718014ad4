//! The stages of the flow (design D6).

use serde::{Deserialize, Serialize};
use vincula_domain::bank::BankCode;

/// The stage of the flow. Each variant holds the data that only its stage has.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Stage {
    /// The link is valid; the firm is not authorized yet.
    #[default]
    Arrived,
    /// The firm is authorized.
    Consented(Consent),
    /// The bank form is saved: Connect may open.
    BankChosen(Consent, BankCode),
}

/// Proof that the firm was authorized in this session. Only [`Stage::authorize`] makes one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Consent(());

impl Stage {
    /// After the upstream has accepted the authorization.
    pub fn authorize(self) -> Self {
        match self {
            Self::Arrived => Self::Consented(Consent(())),
            further => further,
        }
    }

    /// After the bank form is saved.
    pub fn choose_bank(consent: Consent, bank: BankCode) -> Self {
        Self::BankChosen(consent, bank)
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

    pub fn bank(&self) -> Option<&BankCode> {
        match self {
            Self::BankChosen(_, bank) => Some(bank),
            Self::Arrived | Self::Consented(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_follow_each_other() {
        let bank = BankCode::parse("260").unwrap();
        let consented = Stage::Arrived.authorize();
        assert_eq!(Stage::Arrived.consent(), None);
        let chosen = Stage::choose_bank(consented.consent().unwrap(), bank.clone());
        assert_eq!(chosen.bank(), Some(&bank));
        assert_eq!(chosen.clone().authorize(), chosen, "a second authorization loses nothing");
        assert_eq!(chosen.clear_bank(), consented);
        assert_eq!(Stage::Arrived.clear_bank(), Stage::Arrived);
    }
}
