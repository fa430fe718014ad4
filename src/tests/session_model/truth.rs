//! The reference model: what is true of a link, and what must never be.

use std::fmt::Display;

use super::steps::UPDATE;

/// An invariant that was violated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Broken {
    /// A page or a response shows another client than the link that was opened last.
    ShowsAnother,
    /// A call went out for another link than the page's.
    ActsOnAnother,
    /// The newest link's own page is rejected, because a late response has put another session into
    /// the jar.
    PutBack,
    /// A page is rejected as "another link" although it is of the link that was opened last.
    OwnLinkRefused,
    /// A page of an older link is not rejected.
    OldLinkActs,
    /// Pages of one link name different sessions.
    TwoSessions,
    /// A page shows a cancellation that has not happened.
    FalselyCancelled,
    /// A page shows a linking that has not happened.
    FalselyLinked,
    /// The success of a linking was reported twice.
    ToldTwice,
    /// An action confirmed a success that the upstream does not know.
    NeverTold,
    /// An item was not reported upstream as often as Connect gave it.
    Item,
    /// Connect was opened or finished without a consent, before one or after its end.
    WithoutConsent,
    /// A consent went out for another firm than the page's.
    ForAnotherFirm,
    /// The accounts page contradicts the consent, the cancellation or the renewal.
    AccountsUntrue,
    /// A response that only renews the idle time has put an older state back.
    RenewedOlder,
    /// A navigation from another site has changed more than the idle time and the client's data.
    ChangedFromElsewhere,
}

/// The model's state of a link.
#[derive(Debug, Clone, Default)]
pub struct Truth {
    /// The session's id on the first page that was seen.
    pub id: Option<String>,
    /// All was cancelled, and nothing linked since.
    pub cancelled: bool,
    /// Something was linked since the last cancellation.
    pub linked: bool,
    /// A success call is due, as far as the browser's session knows.
    pub due: bool,
    /// How often Connect was opened.
    pub openings: u32,
    /// In the browser's session: Connect was opened for the bank that was chosen last.
    pub opened: bool,
    /// The items of the last opening.
    pub given: Vec<String>,
    /// The bank has sent the client back, and Connect has not named the item.
    pub returned: bool,
    /// Every item that Connect has given, once for each opening.
    pub items: Vec<String>,
    /// Items whose response was lost; the browser may report them again.
    pub lost: Vec<String>,
    /// The success call of the last linking was made, but its response was lost.
    pub told_in_vain: bool,
    /// The firm, by the widget API and by the browser's session.
    pub firm: u32,
    pub session_firm: u32,
    /// In the browser's session: the firm is authorized; all was cancelled; the item was renewed.
    pub consented: bool,
    pub ended: bool,
    pub renewed: bool,
}

impl Truth {
    /// Connect reports an item. It is another success, unless it is a repetition or the item of a
    /// return before it.
    pub fn link(&mut self, item: String) {
        if !self.given.contains(&item) {
            self.due |= !self.returned;
            self.told_in_vain &= self.returned;
            self.returned = false;
            self.given.push(item.clone());
            self.items.push(item);
        }
        (self.linked, self.cancelled) = (true, false);
    }

    /// The bank sends the client back. It is another success, unless the page is reloaded or
    /// Connect was first. An update's return leads to its own start, and a return to what was
    /// cancelled meanwhile links nothing.
    pub fn come_back(&mut self, link: usize) {
        if (link == UPDATE && !self.ended) || (self.ended && !self.consented) {
            return;
        }
        let is_new = !self.returned && self.given.is_empty();
        self.due |= is_new;
        self.told_in_vain &= !is_new;
        self.returned |= is_new;
        (self.linked, self.cancelled) = (true, false);
    }

    pub fn cancel(&mut self) {
        (self.linked, self.cancelled, self.due) = (false, true, false);
        (self.consented, self.ended) = (false, true);
        self.forget_attempt();
    }

    /// A new session of the link starts in the browser, without the state of the one before.
    pub fn begin(&mut self) {
        (self.due, self.told_in_vain) = (false, false);
        (self.consented, self.ended, self.renewed) = (false, false, false);
        self.forget_attempt();
    }

    pub fn forget_attempt(&mut self) {
        self.given.clear();
        self.returned = false;
        self.opened = false;
    }
}

/// The name of a firm by its number, which is its id.
pub fn firm_of(id: impl Display) -> String {
    format!("Firma {id}")
}

pub fn name_of(link: usize) -> String {
    format!("Cliente {link} Ltda")
}
