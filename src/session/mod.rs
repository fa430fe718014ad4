//! The session: the state of one client between requests, sealed in a cookie.

pub mod attempt;
pub mod brasilia;
pub mod client;
pub mod cookie;
mod cookie_header;
pub mod guard;
pub mod keys;
mod lifetime;
pub mod linkings;
pub mod middleware;
pub mod stage;

pub use attempt::{Attempt, Linked};
pub use client::Client;
use cookie::tokens;
pub use cookie::{CookieKind, SessionCodec};
pub use guard::{Admission, admit};
pub use keys::SessionKeys;
pub use lifetime::Lifetime;
pub use linkings::Linkings;
pub use middleware::{LeftConnect, Visitor};
use serde::{Deserialize, Serialize, Serializer};
pub use stage::{ChosenBank, Consent, Stage};
use vincula_domain::{
    administrator::Administrator,
    token::{LinkToken, XsrfToken},
    wire::{BankFormContext, PageContext, WidgetType},
};
use vincula_upstream::{Caller, RequestId};

/// The data of one client, sealed in the session cookie.
#[derive(Clone, Serialize, Deserialize)]
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
    #[serde(rename = "d", serialize_with = "in_order")]
    pub typed: Administrator,
    #[serde(rename = "s")]
    pub stage: Stage,
    #[serde(rename = "m")]
    pub progress: Progress,
    /// The last cancellation, if there was one.
    #[serde(rename = "e")]
    pub cancelled: Option<Cancelled>,
    /// The bank whose Connect was left without a linking.
    #[serde(rename = "u")]
    pub unfinished: Option<ChosenBank>,
    #[serde(rename = "a")]
    pub attempt: Attempt,
    #[serde(rename = "l")]
    pub linkings: Linkings,
    /// Unix seconds of the last use, to within a minute. Polls renew it only after a quarter of the
    /// idle time.
    #[serde(rename = "at")]
    pub seen_at: u64,
    /// Unix seconds when the link was last opened. Opening it again restarts the longest lifetime
    /// (see [`Lifetime::longest`]).
    #[serde(rename = "b")]
    pub link_opened_at: u64,
}

vincula_domain::debug_without_values!(Session);

/// Writes the texts alone, because the cookie has no room for the names of the fields. serde reads
/// them in the order of the struct, which must be that of [`Administrator::fields`].
fn in_order<S: Serializer>(typed: &Administrator, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(typed.fields().map(|(_, text)| text))
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
}

/// Where the token that was validated came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenSource {
    /// The link in the request.
    Link,
    /// The session's cookie.
    Cookie,
}

/// Proof that Connect may open. Only [`Session::may_open_connect`] makes one.
pub struct MayOpen(());

/// Proof that the session may take an item of Connect. Only [`Session::may_finish_connect`] makes
/// one.
pub struct MayFinish(());

/// What the bank form depends on besides the session.
#[derive(Debug, Clone, Copy)]
pub struct BankFormOptions {
    /// Whether Connect asks for the bank again.
    pub bank_is_asked_again: bool,
    /// Whether the form is for another try with the bank that was not linked.
    pub retries: bool,
}

/// A cancellation of everything, which ended the consent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cancelled {
    /// Unix seconds.
    #[serde(rename = "t")]
    pub at: u64,
    /// The consent that it ended, if that was given in this session.
    #[serde(rename = "g")]
    pub consent: Option<Consent>,
}

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
            cancelled: None,
            unfinished: None,
            attempt: Attempt::begin(),
            linkings: Linkings::default(),
            seen_at: now,
            link_opened_at: now,
        }
    }

    /// The session after its link was validated again, because the client returned from the bank
    /// or opened the link twice. It has the upstream's fresh data and its own progress. Where the
    /// upstream has no administrator, it keeps the one that the client typed.
    ///
    /// If the firm or the client has changed, the session has a new `id`, and neither consent nor
    /// linkings of the previous one. The lifetime restarts only if the request has the link's
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
        let typed = self.typed.unless_in(fresh.administrator());
        Self {
            client: fresh,
            typed,
            seen_at: now,
            link_opened_at,
            ..self
        }
    }

    /// The administrator: each field as typed, or else as the firm has saved it.
    pub fn administrator(&self) -> Administrator {
        self.typed.clone().or(self.client.administrator())
    }

    /// Whether everything was cancelled and the firm has not been authorized since.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.is_some() && self.stage.consent().is_none()
    }

    /// Whether the firm was authorized in this session. The receipt outlives a cancellation, which
    /// it names.
    pub fn has_receipt(&self) -> bool {
        self.stage.consent().is_some()
            || self
                .cancelled
                .is_some_and(|cancelled| cancelled.consent.is_some())
    }

    /// Whether the link is for the renewal of a connection. A cancellation ends the renewal:
    /// whatever comes next begins at a new consent.
    pub fn may_renew(&self) -> bool {
        self.client.widget_type == WidgetType::Update && self.cancelled.is_none()
    }

    /// Returns the proof after the bank form, and for an update, which needs no form.
    pub fn may_open_connect(&self) -> Option<MayOpen> {
        (self.stage.bank().is_some() || self.may_renew()).then_some(MayOpen(()))
    }

    /// Returns the proof after a consent, and for an update. It does not require a chosen bank,
    /// because the client may have viewed the accounts in another tab while Connect was open.
    pub fn may_finish_connect(&self) -> Option<MayFinish> {
        (self.stage.consent().is_some() || self.may_renew()).then_some(MayFinish(()))
    }

    /// Records that Connect opens, which begins another attempt.
    pub fn open_connect(&mut self, _: MayOpen) {
        self.attempt = Attempt::open();
    }

    /// Saves the bank form: Connect may open.
    pub fn choose_bank(&mut self, consent: Consent, bank: ChosenBank, typed: Administrator) {
        self.typed = typed;
        // A return from the bank counts only once Connect is open for this one.
        self.attempt.opened = false;
        self.stage = Stage::BankChosen(consent, bank);
        self.unfinished = None;
    }

    /// Records that Connect was left without a linking, so that the next bank starts at the bank
    /// form again. Returns the bank that was not linked, unless it only waits for an approval.
    pub fn leave_connect(&mut self) -> Option<&ChosenBank> {
        let left = self.stage.bank().cloned();
        self.stage = std::mem::take(&mut self.stage).clear_bank();
        self.unfinished = left.filter(|bank| !self.linkings.waits_for(&bank.name));
        self.unfinished.as_ref()
    }

    /// Records a linked account. A new one needs a success call, and the next bank starts at the
    /// bank form. `bank` is the name of the account's bank, or empty if it is unknown; then it is
    /// the bank that Connect connects. Another bank's choice is kept. `now`: Unix seconds.
    pub fn linked(&mut self, how: Linked, bank: String, now: u64) {
        let connecting = self.connecting_bank();
        let is_of_choice = bank.is_empty() || bank == connecting;
        let bank = if is_of_choice { connecting } else { bank };
        let is_new = self.attempt.record(how);
        // A renewed account is on the list already.
        if is_new && self.client.widget_type != WidgetType::Update {
            self.linkings.linked(bank, now);
        }
        let success_reported = self.progress.success_reported && !is_new;
        self.progress = Progress {
            linked: true,
            success_reported,
        };
        if is_of_choice {
            self.stage = std::mem::take(&mut self.stage).clear_bank();
            self.unfinished = None;
        }
    }

    /// Records that an account waits for another person's approval. Returns whether the session has
    /// changed. `now`: Unix seconds.
    pub fn awaits_approval(&mut self, _: MayFinish, now: u64) -> bool {
        // A renewed account stays on the list.
        self.client.widget_type != WidgetType::Update
            && self.linkings.awaits(self.connecting_bank(), now)
    }

    /// The name of the bank that Connect connects, also if Connect was left before it finished;
    /// empty if it is unknown.
    fn connecting_bank(&self) -> String {
        let bank = self.stage.bank().or(self.unfinished.as_ref());
        bank.map(|bank| bank.name.clone()).unwrap_or_default()
    }

    /// Records that everything was cancelled: nothing is linked, and the next step is a new
    /// consent. `now`: Unix seconds.
    pub fn cancel(&mut self, now: u64) {
        let before = self.cancelled.and_then(|cancelled| cancelled.consent);
        self.cancelled = Some(Cancelled {
            at: now,
            consent: self.stage.consent().or(before),
        });
        self.progress = Progress::default();
        self.attempt = Attempt::begin();
        self.linkings = Linkings::default();
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
    pub fn context(&self, now: u64) -> PageContext {
        PageContext {
            session: self.id.clone(),
            client_name: self.client.name.clone(),
            customer_name: self.client.customer_name.clone(),
            authorized: self.stage.consent().is_some(),
            has_receipt: self.has_receipt(),
            cancelled_at: self.cancelled_at(),
            widget_type: self.client.widget_type,
            renewal_due: self.may_renew() && !self.progress.linked,
            // Also set by a cancellation.
            is_success: self.progress.success_reported || self.is_cancelled(),
            linkings: self.linkings.to_wire(now),
            bank: self.stage.bank_name().to_owned(),
            consent: None,
            bank_form: None,
        }
    }

    /// When everything was cancelled, in Brasília's time; `None` once the firm is authorized again.
    pub fn cancelled_at(&self) -> Option<String> {
        if !self.is_cancelled() {
            return None;
        }
        self.cancelled
            .map(|cancelled| brasilia::day_and_time(cancelled.at))
    }

    /// [`Session::context`] with the data of the bank form.
    pub fn bank_form_context(&self, options: BankFormOptions, now: u64) -> PageContext {
        let unfinished = if options.retries {
            self.unfinished.as_ref()
        } else {
            None
        };
        let chosen = self.stage.bank().or(unfinished);
        let code = chosen.map(|bank| &bank.code).or(self.client.bank.as_ref());
        let bank_form = BankFormContext {
            bank: code.map_or_else(String::new, |code| code.as_str().to_owned()),
            bank_name: chosen.map_or_else(String::new, |bank| bank.name.clone()),
            administrator: self.administrator().shown(),
            fixed: self.client.fixed(),
            bank_is_asked_again: options.bank_is_asked_again,
            client_is_company: self.client.cpfcnpj.is_company(),
        };
        PageContext {
            bank_form: Some(bank_form),
            ..self.context(now)
        }
    }
}
