//! The checks of calls that change something: consent, success, cancellation. Each begins with what has to be refused.

use std::net::{IpAddr, Ipv4Addr};

use vincula_domain::{bank::TaxId, token::LinkToken, wire::AccountList};
use vincula_upstream::{Answer, Call, CallError, Caller, ConsentEvidence, Id, SessionData};

use super::{
    connect, entry,
    refusals::Refusal,
    report::{Check, Level, Row},
    visit::Visit,
};

/// A consent has evidence beside it, which an API has to bear. The address is one that documents may use (RFC 5737).
const EVIDENCE: ConsentEvidence = ConsentEvidence {
    client_address: Some(IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1))),
    browser: None,
    text_sha256: None,
    purpose: None,
};

/// Gives the consent, opens Connect, and reports a success, in the order of the product.
pub async fn check(visit: &mut Visit, session: &SessionData) {
    consent(visit, session).await;
    connect::check(visit, session).await;
    success(visit).await;
    entry::check_still_works(visit).await;
}

async fn consent(visit: &mut Visit, session: &SessionData) {
    let (upstream, firm) = (visit.upstream.clone(), session.customer_id.clone());
    visit
        .check_bearer(Call::AuthorizeCustomer, async |caller| {
            upstream.authorize_customer(caller, &firm, &EVIDENCE).await
        })
        .await;
    let caller = visit.caller.clone();
    let tried =
        visit.make(Call::AuthorizeCustomer, upstream.authorize_customer(&caller, &unknown_id(), &EVIDENCE)).await;
    visit.expect_refusal(&tried, "wrong-id", "a firm that is not the link's", Refusal::OtherId);
    visit
        .check_twice(Call::AuthorizeCustomer, "the consent", async |caller| {
            upstream.authorize_customer(caller, &firm, &EVIDENCE).await
        })
        .await;
    xsrf(visit, session).await;
}

/// Whether an XSRF token that was set is also insisted on.
async fn xsrf(visit: &mut Visit, session: &SessionData) {
    let expected = "no cookie, or one that the calls insist on";
    let check = Check {
        call: Call::AuthorizeCustomer.path(),
        name: "xsrf",
        tried: "without the XSRF token",
        expected,
        contract: Row::XSRF,
    };
    if visit.caller.xsrf.is_none() {
        return visit.add(check, Level::Ok, "none is set");
    }
    let (upstream, caller) = (visit.upstream.clone(), Caller { xsrf: None, ..visit.caller.clone() });
    let tried = visit
        .make(Call::AuthorizeCustomer, upstream.authorize_customer(&caller, &session.customer_id, &EVIDENCE))
        .await;
    let (level, seen) = match &tried.outcome {
        Ok(_) => (Level::Warning, "accepted: the cookie protects nothing".to_owned()),
        Err(CallError::Reply(_)) => (Level::Ok, "refused".to_owned()),
        Err(error) => (Level::Failure, error.to_string()),
    };
    visit.add(check, level, seen);
}

async fn success(visit: &mut Visit) {
    let (upstream, token) = (visit.upstream.clone(), visit.token.clone());
    visit.check_bearer(Call::Success, async |caller| upstream.success(caller, &token).await).await;
    visit.check_twice(Call::Success, "the success", async |caller| upstream.success(caller, &token).await).await;
}

/// Cancels everything of this link's client.
pub async fn check_cancellation(visit: &mut Visit, token: LinkToken) {
    let upstream = visit.upstream.clone();
    let tried = visit.make(Call::ValidateToken, upstream.validate_token(&Caller::default(), &token, None)).await;
    let session = match tried.outcome {
        Ok(Answer { data, xsrf }) => {
            visit.caller = Caller { token: Some(token.clone()), xsrf };
            visit.token = token;
            data
        }
        Err(error) => {
            let expected = "session data: a link that was cancelled cannot be tried again";
            let tried = "validate-token with the cancel token";
            let check = Check { call: "cancel-integrations", name: "token", tried, expected, contract: Row::FAILURES };
            return visit.add(check, Level::Failure, error.to_string());
        }
    };
    let document: TaxId = session.client_cpfcnpj;
    visit
        .check_bearer(Call::CancelIntegrations, async |caller| upstream.cancel_integrations(caller, &document).await)
        .await;
    let caller = visit.caller.clone();
    // A CNPJ of zeros: nobody's.
    let other = TaxId::new("00000000000000");
    let tried = visit.make(Call::CancelIntegrations, upstream.cancel_integrations(&caller, &other)).await;
    visit.expect_refusal(&tried, "wrong-id", "a document that is not the client's", Refusal::OtherId);
    visit
        .check_twice(Call::CancelIntegrations, "the cancellation", async |caller| {
            upstream.cancel_integrations(caller, &document).await
        })
        .await;
    let caller = visit.caller.clone();
    let tried = visit.make(Call::ListAccounts, upstream.list_accounts(&caller)).await;
    let (level, seen) = match &tried.outcome {
        Ok(list) if list.data == AccountList::default() => (Level::Ok, "no account".to_owned()),
        Ok(list) => (
            Level::Warning,
            format!("{} accounts are still listed", list.data.accounts.len() + list.data.waiting.len()),
        ),
        Err(CallError::Reply(_)) => (Level::Ok, "the list is refused".to_owned()),
        Err(error) => (Level::Failure, error.to_string()),
    };
    let expected = "no account, or a refusal of the revoked link";
    let contract = Row("9. POST /cancel-integrations");
    let check =
        Check { call: "cancel-integrations", name: "after", tried: "list-accounts afterwards", expected, contract };
    visit.add(check, level, seen);
}

impl Visit {
    /// Makes a call that has to succeed, and again: a client presses a button twice.
    pub async fn check_twice<T>(
        &mut self,
        call: Call,
        what: &'static str,
        make: impl AsyncFn(&Caller) -> Result<Answer<T>, CallError>,
    ) -> Option<[Answer<T>; 2]> {
        let caller = self.caller.clone();
        let first = self.make(call, make(&caller)).await;
        if !self.expect_success(&first, what) {
            return None;
        }
        let caller = self.caller.clone();
        let again = self.make(call, make(&caller)).await;
        let (level, seen) = match &again.outcome {
            Ok(_) => (Level::Ok, "success again".to_owned()),
            Err(error) => (Level::Failure, error.to_string()),
        };
        let expected = match call {
            Call::Log => "success: it is delivered again, with the same Idempotency-Key, if an answer is lost",
            _ => "success: clients press buttons twice",
        };
        let check =
            Check { call: call.path(), name: "repeat", tried: "the same again", expected, contract: Row::REPETITION };
        self.add(check, level, seen);
        Some([first.outcome.ok()?, again.outcome.ok()?])
    }
}

/// An id that no API has issued.
pub fn unknown_id() -> Id {
    Id::parse(&format!("check-api-unknown-{:016x}", rand::random::<u64>())).expect("it is not blank")
}
