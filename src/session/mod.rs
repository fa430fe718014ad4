//! The session: the state of one client between requests, sealed in a cookie.

pub mod client;
pub mod cookie;
mod cookie_header;
pub mod guard;
pub mod keys;
pub mod linking;
pub mod middleware;
pub mod stage;
mod tokens;

use crate::{
    administrator::Administrator,
    wire::{PageContext, WidgetType},
};
pub use client::Client;
pub use cookie::{CookieKind, SessionCodec};
pub use guard::{Admission, admit};
pub use keys::SessionKeys;
pub use linking::Linking;
pub use middleware::Visitor;
use serde::{Deserialize, Serialize};
pub use stage::{ChosenBank, Consent, Stage};
use vincula_domain::token::{LinkToken, XsrfToken};
use vincula_upstream::{Caller, ItemId, RequestId, XsrfChange};

/// The data of one client, sealed in the session cookie.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Session {
    /// The same for the same link (see [`SessionCodec::id_of`]). Every page has it, and every
    /// action sends it back.
    #[serde(rename = "i")]
    pub id: String,
    #[serde(
        rename = "t",
        serialize_with = "tokens::link",
        deserialize_with = "tokens::read_link"
    )]
    pub token: LinkToken,
    #[serde(
        rename = "x",
        default,
        serialize_with = "tokens::xsrf",
        deserialize_with = "tokens::read_xsrf",
        skip_serializing_if = "Option::is_none"
    )]
    pub xsrf: Option<XsrfToken>,
    #[serde(rename = "c")]
    pub client: Client,
    /// The administrator that the client has saved, valid and without punctuation.
    #[serde(rename = "d")]
    pub typed: Administrator,
    #[serde(rename = "s")]
    pub stage: Stage,
    #[serde(rename = "m")]
    pub progress: Progress,
    /// Whether everything was cancelled in this session.
    #[serde(default, rename = "k", skip_serializing_if = "std::ops::Not::not")]
    pub cancelled: bool,
    /// The bank whose Connect was closed without a linking.
    #[serde(default, rename = "u", skip_serializing_if = "Option::is_none")]
    pub unfinished: Option<ChosenBank>,
    #[serde(default, rename = "o")]
    pub connect: Connect,
    /// The account that was linked last.
    #[serde(default, rename = "n", skip_serializing_if = "Option::is_none")]
    pub linking: Option<Linking>,
    /// The item that Connect reported last.
    #[serde(default, rename = "p", skip_serializing_if = "Option::is_none")]
    pub item: Option<ReportedItem>,
    /// Unix seconds when the link was last opened, which is when the session's lifetime began.
    #[serde(rename = "b")]
    pub link_opened_at: u64,
}

/// Whether Connect is open for the bank that was chosen last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Connect {
    #[default]
    #[serde(rename = "c")]
    Closed,
    #[serde(rename = "o")]
    Open,
    /// The bank has sent the client back, and Connect has not reported the item.
    #[serde(rename = "r")]
    Returned,
}

/// Events of a session, independent of its stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Progress {
    /// Whether an account was linked: Connect finished, or the client returned from the bank. Then
    /// the success screen may be shown.
    #[serde(default)]
    pub linked: bool,
    /// Whether the upstream has accepted the success call for the last linking.
    #[serde(default)]
    pub success_reported: bool,
    /// Whether the upstream has refused the item of the last linking.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub item_refused: bool,
}

/// An item of Connect, and what the widget API has of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReportedItem {
    #[serde(rename = "i")]
    pub id: String,
    #[serde(rename = "s")]
    pub state: ItemState,
}

/// What the widget API has of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ItemState {
    /// Nothing yet, as far as we know.
    #[serde(rename = "n")]
    Nothing,
    /// The update of its link, but not its log.
    #[serde(rename = "u")]
    Update,
    /// Everything, or it has refused the item.
    #[serde(rename = "d")]
    Done,
}

/// Where the token that was validated came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenSource {
    /// The link in the request.
    Link,
    /// The session's cookie.
    Cookie,
}

/// Whether an item of Connect is submitted for the first time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Submission {
    First,
    Again,
}

/// Proof that Connect may open. Only [`Session::may_open_connect`] makes one.
pub struct MayOpen(());

/// Whether a linked account waits for another person's approval at the bank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Approval {
    NotNeeded,
    Awaited,
}

/// Proof that the session may take an item of Connect. Only [`Session::may_finish_connect`] makes
/// one.
pub struct MayFinish(());

impl Session {
    /// A session for a link that has just been validated.
    pub fn new(id: String, token: LinkToken, client: Client, now: u64) -> Self {
        Self {
            id,
            token,
            xsrf: None,
            client,
            typed: Administrator::default(),
            stage: Stage::Arrived,
            progress: Progress::default(),
            cancelled: false,
            unfinished: None,
            connect: Connect::Closed,
            linking: None,
            item: None,
            link_opened_at: now,
        }
    }

    /// The session after its link was validated again, because the client returned from the bank
    /// or opened the link twice. It has the upstream's fresh data and its own progress. Where the
    /// upstream has no administrator, it keeps the one that the client typed.
    ///
    /// If the firm or the client has changed, the session has a new `id`, and neither consent nor
    /// linking of the previous one. The lifetime restarts only if the request has the link's
    /// token. Without it the request proves only that it has a cookie, which may be stolen.
    pub fn renewed(self, id: String, fresh: Client, source: TokenSource, now: u64) -> Self {
        let link_opened_at = match source {
            TokenSource::Link => now,
            TokenSource::Cookie => self.link_opened_at,
        };
        if !fresh.has_parties_of(&self.client) {
            return Self {
                xsrf: self.xsrf,
                link_opened_at,
                ..Self::new(id, self.token, fresh, now)
            };
        }
        let typed = self.typed.without_fields_of(fresh.administrator());
        Self {
            client: fresh,
            typed,
            link_opened_at,
            ..self
        }
    }

    /// The administrator: each field as typed, or else as the firm has saved it.
    pub fn administrator(&self) -> Administrator {
        self.typed
            .clone()
            .filled_in_from(self.client.administrator())
    }

    /// Whether everything was cancelled and the firm has not been authorized since.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled && self.stage.consent().is_none()
    }

    /// Whether the link is for the renewal of a connection. A cancellation ends the renewal:
    /// whatever comes next begins at a new consent.
    pub fn may_renew(&self) -> bool {
        self.client.widget_type == WidgetType::Update && !self.cancelled
    }

    /// Keeps what a response of the upstream does to the XSRF token, for the next call.
    pub fn apply_xsrf(&mut self, change: XsrfChange) {
        self.xsrf = change.apply(self.xsrf.take());
    }

    /// Records a consent. `given_at`: Unix seconds.
    pub fn authorize(&mut self, given_at: u64, version: u32) {
        self.stage = std::mem::take(&mut self.stage).authorize(given_at, version);
    }

    /// Returns the proof after the bank form, and for an update, which needs no form.
    pub fn may_open_connect(&self) -> Option<MayOpen> {
        (self.stage.bank().is_some() || self.may_renew()).then_some(MayOpen(()))
    }

    /// Returns the proof after a consent, and for an update. It does not require a chosen bank,
    /// because an item may be reported after Connect was closed. An item that was submitted before
    /// needs no consent of this session: it was linked after one.
    pub fn may_finish_connect(&self, submission: Submission) -> Option<MayFinish> {
        let is_repeated = submission == Submission::Again && !self.cancelled;
        (self.stage.consent().is_some() || self.may_renew() || is_repeated).then_some(MayFinish(()))
    }

    /// Records that Connect opens. It may report the same item as before: an update renews one.
    pub fn open_connect(&mut self, _: MayOpen) {
        self.connect = Connect::Open;
        self.item = None;
    }

    /// Records that the client has closed Connect, so that the next bank starts at the bank form
    /// again. The bank is remembered as not finished, unless it only waits for an approval.
    pub fn close_connect(&mut self) {
        if self.connect == Connect::Open {
            self.connect = Connect::Closed;
        }
        if let Some(left) = self.stage.bank().cloned() {
            self.clear_bank();
            self.unfinished = Some(left).filter(|bank| !self.waits_for(&bank.name));
        }
    }

    /// Forgets the bank whose Connect was closed without a linking, and returns it.
    pub fn take_unfinished(&mut self) -> Option<ChosenBank> {
        self.unfinished.take()
    }

    /// Whether the client has gone to a bank, and nothing has been linked there yet.
    pub fn is_at_bank(&self) -> bool {
        self.connect == Connect::Open || self.unfinished.is_some()
    }

    /// Whether the last linking is one of this bank that waits for an approval.
    fn waits_for(&self, bank: &str) -> bool {
        self.linking
            .as_ref()
            .is_some_and(|linking| linking.waits_for_approval && linking.bank == bank)
    }

    /// Saves the bank form: Connect may open.
    pub fn choose_bank(&mut self, consent: Consent, bank: ChosenBank, typed: Administrator) {
        self.typed = typed;
        // A return from the bank counts only once Connect is open for this one.
        self.connect = Connect::Closed;
        self.stage = Stage::BankChosen(consent, bank);
        self.unfinished = None;
    }

    /// Records that the bank has sent the client back. Reloading the return is no other linking.
    /// `now`: Unix seconds.
    pub fn return_from_bank(&mut self, now: u64) {
        let is_new =
            self.connect == Connect::Open || self.unfinished.is_some() || !self.progress.linked;
        if is_new {
            self.record_linking(Approval::NotNeeded, now);
            self.connect = Connect::Returned;
        }
    }

    /// What the upstream has of an item; `None` if the item is not the last one.
    pub fn state_of(&self, item: &ItemId) -> Option<ItemState> {
        let known = self.item.as_ref()?;
        (known.id == item.as_str()).then_some(known.state)
    }

    /// Remembers what the upstream has of an item.
    pub fn set_item(&mut self, item: &ItemId, state: ItemState) {
        self.item = Some(ReportedItem {
            id: item.as_str().to_owned(),
            state,
        });
    }

    /// Records whether the upstream has refused the item of the last linking.
    pub fn set_item_refused(&mut self, is_refused: bool) {
        self.progress.item_refused = is_refused;
    }

    /// Records that the upstream has accepted the success call.
    pub fn report_success(&mut self) {
        self.progress.success_reported = true;
    }

    /// Records that Connect has linked an account. If the bank has sent the client back before, it
    /// is the same linking. `now`: Unix seconds.
    pub fn finish_connect(&mut self, _: MayFinish, approval: Approval, now: u64) {
        if self.connect == Connect::Returned {
            self.connect = Connect::Closed;
            if let Some(linking) = &mut self.linking {
                linking.waits_for_approval = approval == Approval::Awaited;
            }
        } else {
            self.record_linking(approval, now);
            self.connect = Connect::Closed;
        }
    }

    /// Records that an account waits for another person's approval. Connect stays open. `now`: Unix
    /// seconds.
    pub fn await_approval(&mut self, _: MayFinish, now: u64) {
        let bank = self.connecting_bank();
        if !self.waits_for(&bank) {
            self.show_linking(bank, Approval::Awaited, now);
        }
    }

    /// Records a new linking, which needs a success call. The next bank starts at the bank form. A
    /// bank that was chosen since, for which Connect has not been opened, stays chosen.
    fn record_linking(&mut self, approval: Approval, now: u64) {
        let is_of_later_choice = self.stage.bank().is_some() && self.connect == Connect::Closed;
        let bank = if is_of_later_choice {
            String::new()
        } else {
            self.connecting_bank()
        };
        self.show_linking(bank, approval, now);
        self.progress = Progress {
            linked: true,
            ..Progress::default()
        };
        if !is_of_later_choice {
            self.clear_bank();
            self.unfinished = None;
        }
    }

    /// Remembers the linking for the accounts screen. A renewed account is on the list already.
    fn show_linking(&mut self, bank: String, approval: Approval, now: u64) {
        if self.client.widget_type != WidgetType::Update {
            self.linking = Some(Linking {
                bank,
                at: now,
                waits_for_approval: approval == Approval::Awaited,
            });
        }
    }

    /// The name of the bank that Connect connects, also if Connect was closed before it finished;
    /// empty if it is unknown.
    fn connecting_bank(&self) -> String {
        let bank = self.stage.bank().or(self.unfinished.as_ref());
        bank.map(|bank| bank.name.clone()).unwrap_or_default()
    }

    fn clear_bank(&mut self) {
        self.stage = std::mem::take(&mut self.stage).clear_bank();
    }

    /// Records that everything was cancelled: nothing is linked, and the next step is a new
    /// consent.
    pub fn cancel(&mut self) {
        self.cancelled = true;
        self.progress = Progress::default();
        self.connect = Connect::Closed;
        self.linking = None;
        self.item = None;
        self.stage = Stage::Arrived;
        self.unfinished = None;
    }

    /// The session's credentials, for an upstream call that belongs to this request.
    pub fn caller(&self, request_id: &RequestId) -> Caller {
        Caller {
            token: Some(self.token.clone()),
            xsrf: self.xsrf.clone(),
            request_id: request_id.clone(),
        }
    }

    /// The session data that a page gives to its islands. `now`: Unix seconds.
    pub fn page_context(&self, now: u64) -> PageContext {
        PageContext {
            session: self.id.clone(),
            client_name: self.client.name.clone(),
            customer_name: self.client.customer_name.clone(),
            authorized: self.stage.consent().is_some(),
            cancelled: self.is_cancelled(),
            widget_type: self.client.widget_type,
            renewal_due: self.may_renew() && !self.progress.linked,
            // Also set by a cancellation.
            is_success: self.progress.success_reported || self.is_cancelled(),
            item_refused: self.progress.item_refused,
            linking: self.linking.as_ref().map(|linking| linking.to_wire(now)),
            bank: self.stage.bank_name().to_owned(),
            consent: None,
            bank_form: None,
        }
    }
}
