//! Makes the calls of the table with the product's own client, and keeps what came back.

use std::{
    collections::HashMap,
    io::{self, Write},
    net::{IpAddr, Ipv4Addr},
    time::Instant,
};

use reqwest::header::HeaderMap;
use serde_json::{Value, json};
use vincula_domain::{
    bank::TaxId,
    token::{LinkToken, XsrfToken},
};
use vincula_upstream::{
    Answer, Call, CallError, Caller, ConnectTokenRequest, ConsentEvidence, Id, ItemId, LogEntry, SessionData, Trace,
    Upstream, observed,
};

use super::{
    report::{Finding, Level, Report},
    table::{Check, Expectation, Variation},
    verdict::{self, CallRecord},
};

/// A consent has evidence beside it, which an API has to bear. The address is one that documents may use (RFC 5737).
const EVIDENCE: ConsentEvidence = ConsentEvidence {
    client_address: Some(IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1))),
    browser: None,
    text_sha256: None,
    purpose: None,
};

/// A check of one API.
pub struct Probe {
    pub upstream: Upstream,
    token: LinkToken,
    expired: Option<LinkToken>,
    cancel: Option<LinkToken>,
    pub session: Option<SessionData>,
    xsrf: Option<XsrfToken>,
    /// `data` of the first success of each call, by its path.
    first: HashMap<&'static str, Value>,
    /// The idempotency key of the success log, the same in each delivery, and its item.
    key: u128,
    item: ItemId,
    /// A call was not answered in time: each further one could take as long.
    pub has_timed_out: bool,
    pub report: Report,
}

impl Probe {
    pub fn new(upstream: Upstream, token: LinkToken, expired: Option<LinkToken>, cancel: Option<LinkToken>) -> Self {
        Self {
            upstream,
            token,
            expired,
            cancel,
            session: None,
            xsrf: None,
            first: HashMap::new(),
            key: rand::random(),
            item: unknown_item(),
            has_timed_out: false,
            report: Report::default(),
        }
    }

    /// Adds a finding about the connection.
    pub fn connection(&mut self, level: Level, name: &'static str, tried: &'static str, seen: &str) {
        let expected = if name == "http" { "https" } else { "an answer, whatever its status" };
        let (call, seen) = ("connection", seen.to_owned());
        self.report.findings.push(Finding { level, call, name, tried, seen, expected, request_id: None });
    }

    /// Records once for what reason calls are not made.
    pub fn skip(&mut self, call: &'static str, tried: &'static str, reason: &str) {
        if self.report.findings.last().is_some_and(|last| last.call == call && last.seen == reason) {
            return;
        }
        let (seen, name) = (reason.to_owned(), "not-tried");
        let finding = Finding { level: Level::NotTried, call, name, tried, seen, expected: "", request_id: None };
        self.report.findings.push(finding);
    }

    /// Makes the calls of these rows, until one is not answered in time.
    pub async fn run(&mut self, checks: &[Check]) {
        for check in checks {
            let needs_first = matches!(check.variation, Variation::Again | Variation::BankReturn);
            if needs_first && !self.first.contains_key(check.call.path()) {
                continue;
            }
            if let Some(reason) = self.obstacle(check) {
                self.skip(check.call.path(), check.tried, reason);
                continue;
            }
            if check.expectation == Expectation::XsrfRefusal && self.xsrf.is_none() {
                self.report.findings.push(check.finding(Level::Ok, "none is set"));
                continue;
            }
            let record = self.make(check).await;
            for mut finding in verdict::judge(check, &record, &self.first, self.xsrf.is_some()) {
                let is_bad = matches!(finding.level, Level::Warning | Level::Failure);
                finding.request_id = is_bad.then(|| record.request_id.as_str().to_owned());
                self.report.findings.push(finding);
            }
            let has_failed = record.outcome.is_err();
            if check.variation == Variation::Plain && !has_failed {
                self.first.insert(check.call.path(), record.data().unwrap_or_default());
            }
            if self.has_timed_out || (check.variation == Variation::CancelToken && has_failed) {
                return;
            }
        }
    }

    /// Why an attempt cannot be made.
    fn obstacle(&self, check: &Check) -> Option<&'static str> {
        match (check.call, check.variation) {
            (_, Variation::ExpiredToken | Variation::ExpiredBearer) if self.expired.is_none() => {
                Some("--expired-token is not given")
            }
            (Call::UpdateLinkAccount, _) if self.session_item().is_none() => Some("the session data has no link_id"),
            _ => None,
        }
    }

    /// Makes a call, with an id and a trace of its own.
    async fn make(&mut self, check: &Check) -> CallRecord {
        if self.report.findings.last().is_none_or(|last| last.call != check.call.path()) {
            let _ = writeln!(io::stderr(), "trying {} /{} …", check.call.method(), check.call.path());
        }
        let trace = Trace::begin(&HeaderMap::new());
        let request_id = trace.request_id().to_owned();
        let begun = Instant::now();
        let (sent, observed) = observed(trace.scope(self.send(check))).await;
        let took = begun.elapsed();
        self.has_timed_out = sent.as_ref().is_err_and(|error| error.name() == "timed_out");
        let sets_xsrf = sent.as_ref().is_ok_and(|answer| answer.xsrf.is_some());
        let outcome = sent.map(|answer| self.take_over(check, answer));
        CallRecord { outcome, observed, took, sets_xsrf, request_id }
    }

    /// What the session would take over from an answer: of the XSRF tokens not the one of `list-accounts`.
    fn take_over(&mut self, check: &Check, Answer { data, xsrf }: Answer<Option<SessionData>>) {
        if check.variation == Variation::CancelToken
            && let Some(token) = &self.cancel
        {
            (self.token, self.xsrf) = (token.clone(), None);
        }
        if data.is_some() && matches!(check.variation, Variation::Plain | Variation::CancelToken) {
            self.session = data;
        }
        if xsrf.is_some() && check.made() != Call::ListAccounts {
            self.xsrf = xsrf;
        }
    }

    async fn send(&self, check: &Check) -> Result<Answer<Option<SessionData>>, CallError> {
        let (upstream, caller) = (&self.upstream, &self.caller(check));
        let is_unknown = check.variation == Variation::UnknownId;
        let session = || self.session.as_ref().expect("a call that changes something follows the session data");
        let xsrf = match check.made() {
            Call::ValidateToken => {
                let token = self.validated_token(check.variation);
                let is_return = check.variation == Variation::BankReturn;
                let Answer { data, xsrf } = upstream.validate_token(caller, &token, is_return).await?;
                return Ok(Answer { data: Some(data), xsrf });
            }
            Call::ListBanks => upstream.list_banks(caller).await?.xsrf,
            Call::ListAccounts => upstream.list_accounts(caller).await?.xsrf,
            Call::AuthorizeCustomer => {
                let firm = if is_unknown { unknown_id() } else { session().customer_id.clone() };
                upstream.authorize_customer(caller, &firm, &EVIDENCE).await?.xsrf
            }
            Call::ConnectToken => {
                let client_uuid = if is_unknown { Some(unknown_id()) } else { session().client_uuid.clone() };
                let request = ConnectTokenRequest::new(session().link_id.clone(), client_uuid);
                upstream.connect_token(caller, &request).await?.xsrf
            }
            Call::UpdateLinkAccount => {
                let item = self.session_item().expect("without it the call is not tried");
                upstream.update_link_account(caller, &item).await?.xsrf
            }
            Call::Log => match check.variation {
                Variation::Event(kind, status) => {
                    let data = json!({ "provider": "pluggy", "message": "check-api", "item": null });
                    upstream.log(caller, &LogEntry { kind, status, data, idempotency_key: None }).await?.xsrf
                }
                _ => upstream.log(caller, &LogEntry::success(&self.item, self.key)).await?.xsrf,
            },
            Call::Success => upstream.success(caller, &self.token).await?.xsrf,
            Call::CancelIntegrations => {
                // A CNPJ of zeros belongs to nobody.
                let unknown = TaxId::new("00000000000000");
                let document = if is_unknown { &unknown } else { &session().client_cpfcnpj };
                upstream.cancel_integrations(caller, document).await?.xsrf
            }
        };
        Ok(Answer { data: None, xsrf })
    }

    fn caller(&self, check: &Check) -> Caller {
        let xsrf = self.xsrf.clone();
        match check.variation {
            Variation::UnknownToken | Variation::ExpiredToken | Variation::CancelToken => Caller::default(),
            Variation::Plain if check.call == Call::ValidateToken => Caller::default(),
            Variation::NoBearer => Caller { token: None, xsrf },
            Variation::UnknownBearer => Caller { token: Some(unknown_token()), xsrf },
            Variation::ExpiredBearer => Caller { token: self.expired.clone(), xsrf },
            Variation::NoXsrf => Caller { token: Some(self.token.clone()), xsrf: None },
            _ => Caller { token: Some(self.token.clone()), xsrf },
        }
    }

    fn validated_token(&self, variation: Variation) -> LinkToken {
        match variation {
            Variation::UnknownToken => Some(unknown_token()),
            Variation::ExpiredToken => self.expired.clone(),
            Variation::CancelToken => self.cancel.clone(),
            _ => None,
        }
        .unwrap_or_else(|| self.token.clone())
    }

    /// The item that the link updates.
    fn session_item(&self) -> Option<ItemId> {
        ItemId::parse(&self.session.as_ref()?.link_id.as_ref()?.to_string())
    }
}

/// A token that no API has issued.
fn unknown_token() -> LinkToken {
    let text = format!("check-api-unknown-{:032x}", rand::random::<u128>());
    LinkToken::parse(&text).expect("visible ASCII is a token")
}

/// An id that no API has issued.
fn unknown_id() -> Id {
    Id::parse(&format!("check-api-unknown-{:016x}", rand::random::<u64>())).expect("it is not blank")
}

/// A UUID of zeros and twelve random digits: Pluggy knows no such item.
fn unknown_item() -> ItemId {
    let id = format!("00000000-0000-4000-8000-{:012x}", rand::random::<u64>() >> 16);
    ItemId::parse(&id).expect("a UUID is an item's id")
}
