//! The session: the state of one client between requests, sealed in a cookie.

pub mod attempt;
pub mod client;
pub mod cookie;
mod cookie_header;
mod cookie_kind;
mod cookie_sessions;
mod digest;
pub mod guard;
pub mod keys;
mod lifetime;
pub mod linkings;
pub mod middleware;
pub mod stage;

pub use attempt::{Attempt, Linked};
pub use client::Client;
pub use cookie::SessionCodec;
pub use cookie_kind::CookieKind;
pub use cookie_sessions::CookieSessions;
pub use guard::{Admission, admit};
pub use keys::{NoKeys, SessionKeys};
pub use lifetime::Lifetime;
pub use linkings::Linkings;
pub use middleware::CurrentSession;
pub use stage::{Given, Stage};

use serde::{Deserialize, Serialize};
use vincula_domain::{
    token::{LinkToken, XsrfToken},
    wire::{BankFormContext, Context, WidgetType},
};
use vincula_upstream::Caller;

use crate::connect_settings::BankCodes;

/// The data of one client, sealed in the session cookie (design D3).
#[derive(Debug, Clone)]
pub struct Session {
    pub id: SessionId,
    pub token: LinkToken,
    pub xsrf: Option<XsrfToken>,
    pub client: Client,
    pub stage: Stage,
    pub progress: Progress,
    pub attempt: Attempt,
    pub linkings: Linkings,
    /// Unix seconds of the last use, to within a minute; polls renew it after a quarter of the idle time only.
    pub seen_at: u64,
    /// Unix seconds when its link was last opened: the session lives for some hours from then on (see [`Lifetime`]).
    pub began_at: u64,
}

/// Events of a session, independent of its stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Progress {
    /// Connect finished, or the client came back from the bank: the success screen may be shown.
    #[serde(default)]
    pub linked: bool,
    /// The upstream has accepted the success call for the last linking.
    #[serde(default, rename = "told_success", alias = "is_success")]
    pub success_reported: bool,
    /// All integrations were cancelled: `/cancel/success` may be shown (design D12).
    #[serde(default)]
    pub cancelled: bool,
}

/// Id of a session, the same for the same link (see [`SessionCodec::id_of`]). Every page carries it and every action
/// sends it back (design D11).
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SessionId(String);

impl SessionId {
    pub fn of(bits: u128) -> Self {
        Self(format!("{bits:032x}"))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Session {
    /// A session for a link that has just been validated.
    pub fn new(id: SessionId, token: LinkToken, client: Client, now: u64) -> Self {
        let (stage, progress) = (Stage::Arrived, Progress::default());
        let (attempt, linkings) = (Attempt::begin(), Linkings::default());
        Self { id, token, xsrf: None, client, stage, progress, attempt, linkings, seen_at: now, began_at: now }
    }

    /// The session after its link was validated again (a return from the bank, the link opened twice): with the
    /// upstream's fresh data, its own progress, and the administrator that the client typed if the upstream has none.
    /// Its lifetime restarts only if the request has the link: without it only a cookie is proven, maybe a stolen one.
    pub fn renewed(self, fresh: Client, by_link: bool, now: u64) -> Self {
        let began_at = if by_link { now } else { self.began_at };
        Self { client: fresh.keeping_admin_of(&self.client), seen_at: now, began_at, ..self }
    }

    /// Starts a new attempt, because Connect opens: accounts linked before belong to another one.
    pub fn open_connect(&mut self) {
        self.attempt = Attempt::begin();
    }

    /// Records a linked account. A new one needs a success call (design D12); the session is no longer cancelled, and
    /// the next bank starts at the bank form (design D6). `now`: Unix seconds.
    pub fn linked(&mut self, how: Linked, now: u64) {
        let is_new = self.attempt.record(how);
        // A renewed account is on the list already.
        if is_new && self.client.widget_type != WidgetType::Update {
            self.linkings.linked(self.stage.bank_name().to_owned(), now);
        }
        let success_reported = self.progress.success_reported && !is_new;
        self.progress = Progress { linked: true, success_reported, cancelled: false };
        self.stage = std::mem::take(&mut self.stage).clear_bank();
    }

    /// Records that an account waits for another person's approval. `false` if nothing changes. `now`: Unix seconds.
    pub fn awaits_approval(&mut self, now: u64) -> bool {
        // A renewed account stays on the list meanwhile.
        self.client.widget_type != WidgetType::Update && self.linkings.awaits(self.stage.bank_name().to_owned(), now)
    }

    /// Records that everything was cancelled (spec §4): nothing is linked, and a new linking needs a success call.
    pub fn cancelled(&mut self) {
        self.progress = Progress { linked: false, success_reported: false, cancelled: true };
        self.attempt = Attempt::begin();
        self.linkings.clear();
        self.stage = std::mem::take(&mut self.stage).clear_bank();
    }

    /// The session's credentials for upstream calls.
    pub fn caller(&self) -> Caller {
        Caller { token: Some(self.token.clone()), xsrf: self.xsrf.clone() }
    }

    /// The session data that a page gives to its islands (design D4). `now`: Unix seconds.
    pub fn context(&self, now: u64) -> Context {
        Context {
            session: self.id.as_str().to_owned(),
            client_name: self.client.name.clone(),
            customer_name: self.client.customer_name.clone(),
            authorized: self.stage.consent().is_some(),
            cancelled: self.progress.cancelled,
            widget_type: self.client.widget_type,
            // Spec §4: a cancellation sets it, too.
            is_success: self.progress.success_reported || self.progress.cancelled,
            linkings: self.linkings.shown(now),
            bank_form: None,
        }
    }

    /// [`Session::context`] with the data of the bank form.
    pub fn bank_form_context(&self, bank_codes: BankCodes, now: u64) -> Context {
        let bank_form = BankFormContext {
            bank: self.stage.bank().or(self.client.bank.as_ref()).map_or_else(String::new, |b| b.as_str().to_owned()),
            name: self.client.admin_name.clone(),
            name_is_fixed: self.client.admin_name_is_fixed(),
            cpf: self.client.admin_cpfcnpj.as_cpf_field(),
            cpf_is_fixed: self.client.admin_cpf_is_fixed(),
            bank_is_asked_again: bank_codes == BankCodes::Compe,
        };
        Context { bank_form: Some(bank_form), ..self.context(now) }
    }
}
