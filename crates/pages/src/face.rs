//! What a document shows of a firm besides its name.

use crate::theme::{Colors, Logo, Theme};

/// The firm's face in one document. Parts that it lacks are not shown.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Face {
    pub colors: Option<Colors>,
    pub logo: Option<Picture>,
    /// "CNPJ 40.817.256/0001-00".
    pub cnpj: Option<String>,
    /// "CRC SP-123456/O-7".
    pub crc: Option<String>,
    pub telephone: Option<Contact>,
    pub whatsapp: Option<Contact>,
    pub privacy_url: Option<String>,
    pub purpose: Option<Purpose>,
}

/// The address of the logo, and its width at the height that all logos have, so that its place is free before it arrives.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Picture {
    pub src: String,
    pub width: String,
}

/// A number as a link, and as people read it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Contact {
    pub href: String,
    pub number: String,
}

/// What the firm wants the statements for, in its own words.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Purpose {
    pub sentence: String,
    /// Differs from those of the firm's earlier ones: a consent names the sentence that its page showed.
    pub digits: String,
}

impl Face {
    /// The face of the deployment, for firms without a brand.
    pub fn of_deployment(theme: &Theme, privacy_url: Option<String>) -> Self {
        let (colors, logo) = (theme.roles.map(Colors::from), theme.logo.as_ref().map(Picture::from));
        Self { colors, logo, privacy_url, ..Self::default() }
    }

    /// Whether there is a number to call or to write to.
    pub fn can_be_reached(&self) -> bool {
        self.telephone.is_some() || self.whatsapp.is_some()
    }
}

impl Purpose {
    pub fn new(sentence: &str) -> Self {
        Self { sentence: sentence.to_owned(), digits: format!("{:08x}", crc32fast::hash(sentence.as_bytes())) }
    }
}

impl From<&Logo> for Picture {
    fn from(logo: &Logo) -> Self {
        Self { src: logo.path().to_owned(), width: logo.width().to_owned() }
    }
}
