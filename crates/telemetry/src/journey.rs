//! The funnel: the steps that are counted.

/// A step of the funnel. It counts events, not people: opening a link twice counts twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The entry page was served for a link. Link previews count, too.
    Entry,
    /// The upstream validated the link.
    Validated,
    /// The client authorized the firm.
    Consent,
    /// Bank, name and CPF were saved.
    BankForm,
    /// Connect got its token.
    ConnectOpened,
    /// A bank was chosen inside Connect. This and the next five come from Connect's page, by way of ours.
    ConnectInstitution,
    /// Connect's own terms were accepted.
    ConnectConsent,
    /// Credentials were sent to the bank.
    ConnectLogin,
    /// The bank accepted them.
    ConnectLoginAccepted,
    /// A second factor was sent to the bank.
    ConnectMfa,
    /// The bank accepted it.
    ConnectMfaAccepted,
    /// Connect returned an item (and the link was updated, if there was one).
    Linked,
    /// The success call was made.
    Success,
    /// Every integration was cancelled.
    Cancelled,
}

impl Step {
    /// In the order of the journey; the cancellation is not part of it.
    pub const ALL: [Self; 14] = [
        Self::Entry,
        Self::Validated,
        Self::Consent,
        Self::BankForm,
        Self::ConnectOpened,
        Self::ConnectInstitution,
        Self::ConnectConsent,
        Self::ConnectLogin,
        Self::ConnectLoginAccepted,
        Self::ConnectMfa,
        Self::ConnectMfaAccepted,
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
            Self::ConnectInstitution => "connect_institution",
            Self::ConnectConsent => "connect_consent",
            Self::ConnectLogin => "connect_login",
            Self::ConnectLoginAccepted => "connect_login_accepted",
            Self::ConnectMfa => "connect_mfa",
            Self::ConnectMfaAccepted => "connect_mfa_accepted",
            Self::Linked => "linked",
            Self::Success => "success",
            Self::Cancelled => "cancelled",
        }
    }
}
