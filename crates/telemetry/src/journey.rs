//! The funnel: the steps of the way that are counted.

/// A step that somebody has reached. Each counts reaching it, not people: who opens a link twice counts twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// A link was opened: the spinner was shown. Link previews count, too.
    Entry,
    /// The upstream knows the link.
    Validated,
    /// The firm was authorized.
    Consent,
    /// Bank, name and CPF were saved.
    BankForm,
    /// Connect got its token.
    ConnectOpened,
    /// Connect gave an item (and the link was updated, if there was one).
    Linked,
    /// The upstream was told that the client is done.
    Success,
    /// Everything was cancelled.
    Cancelled,
}

impl Step {
    /// In the order of the way; the cancellation stands apart.
    pub const ALL: [Self; 8] = [
        Self::Entry,
        Self::Validated,
        Self::Consent,
        Self::BankForm,
        Self::ConnectOpened,
        Self::Linked,
        Self::Success,
        Self::Cancelled,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Entry => "entry",
            Self::Validated => "validated",
            Self::Consent => "consent",
            Self::BankForm => "bank_form",
            Self::ConnectOpened => "connect_opened",
            Self::Linked => "linked",
            Self::Success => "success",
            Self::Cancelled => "cancelled",
        }
    }
}
