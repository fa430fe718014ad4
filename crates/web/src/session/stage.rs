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
    /// The bank form is saved: Connect may open. The text is the bank's name as the form showed it.
    BankChosen(Consent, BankCode, #[serde(default)] String),
}

/// Proof that the firm was authorized in this session. Only [`Stage::authorize`] makes one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Consent(
    /// `None` in cookies of the version before.
    Option<Given>,
);

impl Consent {
    /// When it was given, and to which text.
    pub fn given(self) -> Option<Given> {
        self.0
    }
}

/// When the firm was authorized, and to which text the client agreed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Given {
    /// Unix seconds.
    #[serde(rename = "t")]
    pub at: u64,
    /// The first 32 bits of the SHA-256 of the consent's text.
    #[serde(rename = "v")]
    pub text: u32,
}

impl Stage {
    /// After the upstream has accepted the authorization.
    pub fn authorize(self, given: Given) -> Self {
        match self {
            Self::Arrived => Self::Consented(Consent(Some(given))),
            further => further,
        }
    }

    /// After the bank form is saved.
    pub fn choose_bank(consent: Consent, bank: BankCode, name: String) -> Self {
        Self::BankChosen(consent, bank, name)
    }

    /// After Connect was closed or has finished: the next bank starts at the bank form again.
    pub fn clear_bank(self) -> Self {
        match self {
            Self::BankChosen(consent, ..) => Self::Consented(consent),
            other => other,
        }
    }

    pub fn consent(&self) -> Option<Consent> {
        match self {
            Self::Arrived => None,
            Self::Consented(consent) | Self::BankChosen(consent, ..) => Some(*consent),
        }
    }

    pub fn bank(&self) -> Option<&BankCode> {
        match self {
            Self::BankChosen(_, bank, _) => Some(bank),
            Self::Arrived | Self::Consented(_) => None,
        }
    }

    /// The name of the chosen bank; empty without one.
    pub fn bank_name(&self) -> &str {
        match self {
            Self::BankChosen(_, _, name) => name,
            Self::Arrived | Self::Consented(_) => "",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_follow_each_other() {
        let bank = BankCode::parse("260").unwrap();
        let given = Given { at: 7, text: 1 };
        let consented = Stage::Arrived.authorize(given);
        assert_eq!(consented.consent().unwrap().given(), Some(given));
        assert_eq!(Stage::Arrived.consent(), None);
        let chosen = Stage::choose_bank(consented.consent().unwrap(), bank.clone(), "Nubank".to_owned());
        assert_eq!(chosen.bank(), Some(&bank));
        assert_eq!(chosen.bank_name(), "Nubank");
        assert_eq!(chosen.clone().authorize(Given { at: 9, ..given }), chosen, "a second authorization loses nothing");
        assert_eq!(chosen.clear_bank(), consented);
        assert_eq!(Stage::Arrived.clear_bank(), Stage::Arrived);
    }

    #[test]
    fn stages_of_the_version_before_are_read() {
        let consented: Stage = serde_json::from_str(r#"{"Consented":null}"#).unwrap();
        assert_eq!(consented.consent().unwrap().given(), None);
        let chosen: Stage = serde_json::from_str(r#"{"BankChosen":[null,"260"]}"#).unwrap();
        assert_eq!((chosen.bank().unwrap().as_str(), chosen.bank_name()), ("260", ""));
        let consent = Stage::Arrived.authorize(Given { at: 5, text: 1 }).consent().unwrap();
        let now = Stage::choose_bank(consent, BankCode::parse("1").unwrap(), "B".into());
        assert_eq!(serde_json::from_str::<Stage>(&serde_json::to_string(&now).unwrap()).unwrap(), now);
    }
}
