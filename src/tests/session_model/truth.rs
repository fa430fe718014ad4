//! The reference model: what is true of a link, and what must never be.

use super::UPDATE;

/// An invariant that was violated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Broken {
    /// A page or a response shows another client than the link that was opened last.
    ShowsAnother,
    /// A call went out for another link than the page's.
    ActsOnAnother,
    /// A page is rejected as one of another link, although it is of the link that was opened last.
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
    /// The accounts page contradicts the consent, the cancellation or the renewal.
    AccountsUntrue,
    /// The response of a page or a list writes the session.
    WritesSession,
    /// A page of the session leads to an error screen.
    SessionLost,
}

/// The model's state of a link, as the browser's session has it.
#[expect(
    clippy::struct_excessive_bools,
    reason = "facts of a session that exclude no other"
)]
#[derive(Debug, Clone, Default)]
pub struct Truth {
    /// The session's id on the first page that was seen.
    pub id: Option<String>,
    /// All was cancelled, and nothing linked since.
    pub cancelled: bool,
    /// Something was linked since the last cancellation.
    pub linked: bool,
    /// A success call is due.
    pub due: bool,
    /// How often Connect was opened.
    pub openings: u32,
    /// A bank is chosen; Connect is open for it; the bank has sent the client back, and Connect has
    /// not named the item; Connect was closed without a linking.
    pub chosen: bool,
    pub opened: bool,
    pub returned: bool,
    pub unfinished: bool,
    /// The item that Connect named last, and whether the upstream has it.
    pub item: Option<(String, bool)>,
    /// Every item whose submission has linked an account.
    pub items: Vec<String>,
    /// The firm is authorized; all was cancelled; the item was renewed.
    pub consented: bool,
    pub ended: bool,
    pub renewed: bool,
}

impl Truth {
    /// The bank form is saved.
    pub fn choose(&mut self) {
        self.chosen = true;
        self.opened = false;
        self.returned = false;
        self.unfinished = false;
    }

    pub fn open(&mut self) {
        self.openings += 1;
        self.opened = true;
        self.returned = false;
        self.item = None;
    }

    pub fn close(&mut self) {
        self.unfinished = self.chosen;
        self.chosen = false;
        self.opened = false;
    }

    /// Connect reports an item. It is another success, unless it is a repetition or the item of a
    /// return before it.
    pub fn link(&mut self, item: String, is_accepted: bool) {
        let known = self.item.as_ref().filter(|(known, _)| *known == item);
        let is_done = known.is_some_and(|(_, is_done)| *is_done);
        if known.is_none() {
            if !self.returned {
                self.link_anew();
            }
            self.opened = false;
            self.returned = false;
            self.items.push(item.clone());
        }
        self.item = Some((item, is_accepted || is_done));
        self.linked = true;
        self.cancelled = false;
        self.renewed = true;
    }

    /// A new success, after which the next bank starts at the form. A later choice stays.
    fn link_anew(&mut self) {
        self.due = true;
        if self.opened || !self.chosen {
            self.chosen = false;
            self.unfinished = false;
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
            self.opened = false;
            self.returned = true;
        }
        self.linked = true;
        self.cancelled = false;
        self.renewed = true;
    }

    pub fn cancel(&mut self) {
        *self = Self {
            id: self.id.take(),
            openings: self.openings,
            items: std::mem::take(&mut self.items),
            renewed: self.renewed,
            cancelled: true,
            ended: true,
            ..Self::default()
        };
    }

    /// A new session of the link starts in the browser, without the state of the one before.
    pub fn begin(&mut self) {
        *self = Self {
            id: self.id.take(),
            openings: self.openings,
            items: std::mem::take(&mut self.items),
            cancelled: self.cancelled,
            ..Self::default()
        };
    }
}

pub fn name_of(link: usize) -> String {
    format!("Cliente {link} Ltda")
}
