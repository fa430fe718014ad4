//! The session: the state of one client between requests, sealed in a cookie.

pub mod client;
pub mod cookie;
mod cookie_header;
pub mod guard;
pub mod keys;
pub mod linking;
pub mod middleware;
mod tokens;
pub mod visit;

use crate::{
    administrator::{Administrator, MAX_NAME_BYTES},
    wire::{PageContext, WidgetType},
    words::CONSENT_VERSION,
};
pub use client::Client;
pub use cookie::{CookieKind, SessionCodec};
pub use guard::{Admission, admit};
pub use keys::SessionKeys;
pub use linking::{Linking, SuccessCall};
pub use middleware::Visitor;
use serde::{Deserialize, Serialize};
use vincula_domain::{
    bank::{BankCode, MAX_CODE_BYTES},
    token::{LinkToken, MAX_XSRF_BYTES, XsrfToken},
};
use vincula_upstream::{Caller, RequestId, XsrfChange};
use visit::MAX_BANK_NAME_BYTES;
pub use visit::{ChosenBank, NotYet, Visit, bank_name};

/// Digits of a CPF.
const CPF_DIGITS: usize = 11;

/// The data of one client, sealed in the session cookie. Only actions that the client has just
/// caused change it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Session {
    /// The same for the same link (see [`SessionCodec::id_of`]). Every page has it, and every
    /// action sends it back.
    pub id: String,
    #[serde(
        serialize_with = "tokens::link",
        deserialize_with = "tokens::read_link"
    )]
    pub token: LinkToken,
    #[serde(
        default,
        serialize_with = "tokens::xsrf",
        deserialize_with = "tokens::read_xsrf"
    )]
    pub xsrf: Option<XsrfToken>,
    pub client: Client,
    /// The administrator that the client has saved, valid and without punctuation.
    pub typed: Administrator,
    /// Absent before the consent, and after a cancellation.
    pub consent: Option<Consent>,
    pub visit: Visit,
    /// The account that was linked last.
    pub linking: Option<Linking>,
    /// Whether everything was cancelled in this session, also if the firm was authorized again.
    pub was_cancelled: bool,
    /// Unix seconds when the link was last opened, which is when the session's lifetime began.
    pub link_opened_at: u64,
}

/// The consent that was given in this session: when, and to which text the client agreed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Consent {
    /// Unix seconds.
    pub at: u64,
    /// The version of the text.
    pub version: u32,
}

/// Where the token that was validated came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenSource {
    /// The link in the request.
    Link,
    /// The session's cookie.
    Cookie,
}

/// Whether a linked account waits for another person's approval at the bank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Approval {
    NotNeeded,
    Awaited,
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
            consent: None,
            visit: Visit::None,
            linking: None,
            was_cancelled: false,
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
        self.was_cancelled && self.consent.is_none()
    }

    /// Whether the link is for the renewal of a connection. A cancellation ends the renewal:
    /// whatever comes next begins at a new consent.
    pub fn may_renew(&self) -> bool {
        self.client.widget_type == WidgetType::Update && !self.was_cancelled
    }

    /// Whether an account may be linked: after a consent, and for a renewal.
    pub fn may_link(&self) -> bool {
        self.consent.is_some() || self.may_renew()
    }

    /// Whether an account was linked: Connect finished, or the client returned from the bank. Then
    /// the success screen may be shown.
    pub fn is_linked(&self) -> bool {
        self.success_call() != SuccessCall::NotDue
    }

    /// The success call of the last linking.
    pub fn success_call(&self) -> SuccessCall {
        self.linking
            .as_ref()
            .map_or(SuccessCall::NotDue, |linking| linking.success)
    }

    /// Whether the client has gone to a bank, and nothing has been linked there yet.
    pub fn is_at_bank(&self) -> bool {
        self.visit.is_open() || self.visit.closed_bank().is_some()
    }

    /// Keeps what a response of the upstream does to the XSRF token, for the next call.
    pub fn apply_xsrf(&mut self, change: XsrfChange) {
        self.xsrf = change.apply(self.xsrf.take());
    }

    /// Records a consent. One that is given twice counts from the first time.
    pub fn authorize(&mut self, consent: Consent) {
        self.consent.get_or_insert(consent);
    }

    /// Saves the bank form: Connect may open.
    ///
    /// # Errors
    ///
    /// Without a consent.
    pub fn choose_bank(&mut self, bank: ChosenBank, typed: Administrator) -> Result<(), NotYet> {
        self.consent.ok_or(NotYet)?;
        self.typed = typed;
        self.visit = Visit::BankChosen(bank);
        Ok(())
    }

    /// The visit once Connect is open.
    ///
    /// # Errors
    ///
    /// Without a chosen bank, which only a renewal does not need.
    pub fn with_connect_open(&self) -> Result<Visit, NotYet> {
        match self.visit.clone().open() {
            Err(NotYet) if self.may_renew() => Ok(Visit::ConnectOpen(None)),
            opened => opened,
        }
    }

    /// Records that the client has closed Connect, so that the next bank starts at the bank form
    /// again.
    pub fn close_connect(&mut self) {
        self.visit = std::mem::take(&mut self.visit).close();
    }

    /// Records that the bank has sent the client back. Reloading the return is no other linking.
    /// `bank`: its name, or empty. `at`: Unix seconds.
    pub fn return_from_bank(&mut self, bank: String, at: u64) {
        if !self.reports_the_same() {
            self.link(bank, Approval::NotNeeded, at);
        }
    }

    /// Records an account that Connect has linked. If the bank has sent the client back before, it
    /// is the same linking. `bank`: its name, or empty. `at`: Unix seconds.
    pub fn link(&mut self, bank: String, approval: Approval, at: u64) {
        let success = if self.reports_the_same() {
            self.success_call()
        } else {
            SuccessCall::Due
        };
        self.record(bank, approval, at, success);
    }

    /// Records an account that waits for another person's approval, which Connect reports in an
    /// error. `bank`: its name, or empty. `at`: Unix seconds.
    pub fn await_approval(&mut self, bank: String, at: u64) {
        self.record(bank, Approval::Awaited, at, SuccessCall::NotDue);
    }

    /// Whether the next report of an account is of the last linking: the client has not gone to a
    /// bank since.
    fn reports_the_same(&self) -> bool {
        self.visit == Visit::None && self.is_linked()
    }

    fn record(&mut self, bank: String, approval: Approval, at: u64, success: SuccessCall) {
        self.linking = Some(Linking {
            bank,
            at,
            awaits_approval: approval == Approval::Awaited,
            success,
        });
        self.visit = std::mem::take(&mut self.visit).end();
    }

    /// Records that the upstream has accepted the success call of the last linking.
    pub fn confirm_success(&mut self) {
        if let Some(linking) = &mut self.linking {
            linking.success = SuccessCall::Made;
        }
    }

    /// Records that everything was cancelled: nothing is linked, and the next step is a new
    /// consent.
    pub fn cancel(&mut self) {
        self.was_cancelled = true;
        self.consent = None;
        self.visit = Visit::None;
        self.linking = None;
    }

    /// The session with the longest values that the client and the upstream can still add, to reserve
    /// their place in the cookie.
    pub fn at_its_longest(&self) -> Self {
        let text = |bytes| "x".repeat(bytes);
        let bank = ChosenBank {
            code: BankCode::parse(&text(MAX_CODE_BYTES)).expect("the longest code is one"),
            name: text(MAX_BANK_NAME_BYTES),
        };
        Self {
            xsrf: XsrfToken::parse(&text(MAX_XSRF_BYTES)),
            typed: Administrator::new(text(MAX_NAME_BYTES), text(CPF_DIGITS)),
            consent: Some(Consent {
                at: self.link_opened_at,
                version: CONSENT_VERSION,
            }),
            visit: Visit::ConnectOpen(Some(bank)),
            linking: Some(Linking {
                bank: text(MAX_BANK_NAME_BYTES),
                at: self.link_opened_at,
                awaits_approval: false,
                success: SuccessCall::NotDue,
            }),
            ..self.clone()
        }
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
        // A renewed account is on the list already.
        let shown = self.linking.as_ref().filter(|_| !self.may_renew());
        PageContext {
            session: self.id.clone(),
            client_name: self.client.name.clone(),
            customer_name: self.client.customer_name.clone(),
            authorized: self.consent.is_some(),
            cancelled: self.is_cancelled(),
            widget_type: self.client.widget_type,
            renewal_due: self.may_renew() && !self.is_linked(),
            // Also set by a cancellation.
            is_confirmed: self.success_call() == SuccessCall::Made || self.is_cancelled(),
            linking: shown.map(|linking| linking.to_wire(now)),
            bank: self
                .visit
                .bank()
                .map_or_else(String::new, |bank| bank.name.clone()),
            consent: None,
            bank_form: None,
        }
    }
}

#[cfg(test)]
pub mod tests {
    use vincula_domain::bank::BankCode;

    use super::*;
    use crate::session::client::tests::client;

    /// A session of a company that was just opened.
    pub fn arrived(widget_type: WidgetType) -> Session {
        let mut client = client("12ABC34501DE35", "", "");
        client.widget_type = widget_type;
        let token = LinkToken::parse("t").unwrap();
        Session::new(String::new(), token, client, 0)
    }

    /// The session after the consent.
    pub fn consented() -> Session {
        let mut session = arrived(WidgetType::New);
        session.authorize(Consent { at: 1, version: 1 });
        session
    }

    /// The session after the bank form was saved.
    pub fn chosen(bank: &str) -> Session {
        let mut session = consented();
        choose(&mut session, bank);
        session
    }

    /// The session after Connect was opened.
    pub fn opened(bank: &str) -> Session {
        let mut session = chosen(bank);
        session.visit = session.with_connect_open().unwrap();
        session
    }

    pub fn choose(session: &mut Session, name: &str) {
        let bank = ChosenBank {
            code: BankCode::parse("260").unwrap(),
            name: name.to_owned(),
        };
        session.choose_bank(bank, Administrator::default()).unwrap();
    }

    fn linking(bank: &str, at: u64, success: SuccessCall) -> Linking {
        Linking {
            bank: bank.to_owned(),
            at,
            awaits_approval: success == SuccessCall::NotDue,
            success,
        }
    }

    #[test]
    fn a_bank_needs_a_consent() {
        let bank = chosen("Nubank").visit.bank().unwrap().clone();
        let mut session = arrived(WidgetType::New);
        let refused = session.choose_bank(bank, Administrator::default());
        assert_eq!((refused, session.visit), (Err(NotYet), Visit::None));
    }

    #[test]
    fn only_a_renewal_opens_connect_without_a_bank() {
        assert_eq!(consented().with_connect_open(), Err(NotYet));
        let mut renewal = arrived(WidgetType::Update);
        assert_eq!(renewal.with_connect_open(), Ok(Visit::ConnectOpen(None)));
        renewal.cancel();
        assert_eq!(renewal.with_connect_open(), Err(NotYet));
    }

    #[test]
    fn second_consent_changes_nothing() {
        let mut session = consented();
        session.authorize(Consent { at: 9, version: 2 });
        assert_eq!(session.consent, Some(Consent { at: 1, version: 1 }));
    }

    #[test]
    fn report_after_return_is_of_the_same_linking() {
        let mut session = opened("Nubank");
        session.return_from_bank(String::new(), 5);
        assert_eq!(session.linking, Some(linking("", 5, SuccessCall::Due)));
        session.confirm_success();
        session.return_from_bank(String::new(), 6);
        assert_eq!(session.linking, Some(linking("", 5, SuccessCall::Made)));
        session.link("Nubank".to_owned(), Approval::NotNeeded, 7);
        assert_eq!(
            session.linking,
            Some(linking("Nubank", 7, SuccessCall::Made)),
            "Connect names the bank"
        );
    }

    #[test]
    fn another_visit_is_another_linking() {
        let mut session = opened("Nubank");
        session.link("Nubank".to_owned(), Approval::NotNeeded, 5);
        session.confirm_success();
        choose(&mut session, "Inter");
        session.visit = session.with_connect_open().unwrap();
        session.link("Inter".to_owned(), Approval::NotNeeded, 9);
        assert_eq!(session.linking, Some(linking("Inter", 9, SuccessCall::Due)));
    }

    #[test]
    fn item_of_an_earlier_bank_keeps_the_later_choice() {
        let mut session = opened("Nubank");
        choose(&mut session, "Inter");
        session.link("Nubank".to_owned(), Approval::NotNeeded, 5);
        assert_eq!(session.visit.bank().unwrap().name, "Inter");
        assert_eq!(session.success_call(), SuccessCall::Due);
    }

    /// The account counts as linked once Connect reports its success as well.
    #[test]
    fn pending_approval_has_no_success_screen() {
        let mut session = opened("Nubank");
        session.await_approval("Nubank".to_owned(), 5);
        assert_eq!(
            session.linking,
            Some(linking("Nubank", 5, SuccessCall::NotDue))
        );
        assert!(!session.is_linked());
        session.close_connect();
        assert_eq!(session.visit, Visit::None, "the visit was not in vain");
        session.link("Nubank".to_owned(), Approval::Awaited, 6);
        assert_eq!(session.success_call(), SuccessCall::Due);
    }

    #[test]
    fn cancellation_ends_consent_visit_and_linking() {
        let mut session = opened("Nubank");
        session.link("Nubank".to_owned(), Approval::NotNeeded, 5);
        choose(&mut session, "Inter");
        session.cancel();
        assert!(session.is_cancelled() && !session.may_link());
        assert_eq!(
            (session.visit.clone(), session.linking.clone()),
            (Visit::None, None)
        );
        session.authorize(Consent { at: 9, version: 1 });
        assert!(!session.is_cancelled() && session.was_cancelled);
    }
}
