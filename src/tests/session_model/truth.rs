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
    /// The upstream does not have an item that Connect gave.
    Item,
    /// Connect was opened or finished without a consent, before one or after its end.
    WithoutConsent,
    /// A consent went out for another firm than the page's.
    ForAnotherFirm,
    /// The accounts page contradicts the consent, the cancellation or the renewal.
    AccountsUntrue,
    /// The response of a view, a list or a poll writes the session.
    WritesSession,
    /// A navigation from another site has changed more than the client's data.
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
    /// In the browser's session: a bank is chosen; Connect is open for it; the bank has sent the
    /// client back, and Connect has not named the item; Connect was closed without a linking.
    pub chosen: bool,
    pub opened: bool,
    pub returned: bool,
    pub unfinished: bool,
    /// In the browser's session: the item that Connect named last, and whether the upstream has it.
    pub item: Option<(String, bool)>,
    /// Every item whose submission has linked an account.
    pub items: Vec<String>,
    /// The firm, by the widget API and by the browser's session.
    pub firm: u32,
    pub session_firm: u32,
    /// In the browser's session: the firm is authorized; all was cancelled; the item was renewed.
    pub consented: bool,
    pub ended: bool,
    pub renewed: bool,
}

impl Truth {
    /// The bank form is saved.
    pub fn choose(&mut self) {
        self.chosen = true;
        (self.opened, self.returned, self.unfinished) = (false, false, false);
    }

    pub fn open(&mut self) {
        (self.opened, self.returned) = (true, false);
        self.item = None;
    }

    pub fn close(&mut self) {
        self.unfinished = self.chosen;
        (self.chosen, self.opened) = (false, false);
    }

    /// Connect reports an item. It is another success, unless it is a repetition or the item of a
    /// return before it.
    pub fn link(&mut self, item: String, is_accepted: bool) {
        let is_known = self.item.as_ref().is_some_and(|(known, _)| *known == item);
        if !is_known {
            if !self.returned {
                self.link_anew();
            }
            (self.opened, self.returned) = (false, false);
            self.items.push(item.clone());
        }
        let is_done = is_known && self.item.as_ref().is_some_and(|(_, is_done)| *is_done);
        self.item = Some((item, is_accepted || is_done));
        (self.linked, self.cancelled) = (true, false);
        self.renewed = true;
    }

    /// A new success, after which the next bank starts at the form. A later choice stays.
    fn link_anew(&mut self) {
        self.due = true;
        if self.opened || !self.chosen {
            (self.chosen, self.unfinished) = (false, false);
        }
    }

    /// The bank sends the client back. It is another success, unless the page is reloaded or
    /// Connect was first. An update's return leads to its own start, and a return to what was
    /// cancelled meanwhile links nothing. After the close, a return that does not count only removes
    /// what was not finished.
    pub fn come_back(&mut self, link: usize, counts: bool) {
        if (link == UPDATE && !self.ended) || (self.ended && !self.consented) {
            return;
        }
        if !counts {
            self.unfinished = false;
            return;
        }
        if self.opened || self.unfinished || !self.linked {
            self.link_anew();
            (self.opened, self.returned) = (false, true);
        }
        (self.linked, self.cancelled) = (true, false);
        self.renewed = true;
    }

    pub fn cancel(&mut self) {
        (self.linked, self.cancelled, self.due) = (false, true, false);
        (self.consented, self.ended) = (false, true);
        self.forget_connect();
    }

    /// A new session of the link starts in the browser, without the state of the one before.
    pub fn begin(&mut self) {
        (self.due, self.linked) = (false, false);
        (self.consented, self.ended, self.renewed) = (false, false, false);
        self.forget_connect();
    }

    fn forget_connect(&mut self) {
        (self.chosen, self.opened) = (false, false);
        (self.returned, self.unfinished) = (false, false);
        self.item = None;
    }
}

/// The name of a firm by its number, which is its id.
pub fn firm_of(id: impl Display) -> String {
    format!("Firma {id}")
}

pub fn name_of(link: usize) -> String {
    format!("Cliente {link} Ltda")
}
