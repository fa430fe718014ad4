//! Code around calls of server functions that several islands share.

use vincula_domain::{
    wire::{FromPage, Reaction},
    words,
};

use crate::islands::{js, page, server::ActionError};

impl ActionError {
    /// Whether the same call may succeed later, so that the page stays.
    pub(crate) fn can_retry(&self) -> bool {
        self.failure.reaction == Reaction::Stay
    }

    /// Carries out the reaction to the failure. Returns whether the page stays.
    pub(crate) fn handle(&self) -> bool {
        page::handle_failure(&js::write(&self.failure.reaction))
    }

    /// Carries out the reaction, but does not navigate to an error screen, because the page works
    /// without this call and shows the failure itself.
    pub(crate) fn handle_and_stay(&self) {
        match &self.failure.reaction {
            Reaction::Stay => page::toast_quietly("error", words::REQUEST_FAILED),
            Reaction::Navigate { to } if to.is_error() => {
                page::toast_quietly("error", words::REQUEST_FAILED)
            }
            _ => {
                self.handle();
            }
        }
    }
}

/// The input of an action that needs only the page's session.
pub fn from_page(session: &str) -> FromPage {
    FromPage {
        session: session.to_owned(),
    }
}
