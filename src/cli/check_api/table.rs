//! What is tried: the call, what is special about this attempt, and what has to come of it.

use vincula_upstream::{
    Call::{
        self, AuthorizeCustomer, CancelIntegrations, ConnectToken, ListAccounts, ListBanks, Log, UpdateLinkAccount,
        ValidateToken,
    },
    LogStatus, LogType,
};

use self::{Expectation::*, Variation::*};
use super::report::{Finding, Level};

/// A row of the table.
#[derive(Debug, Clone, Copy)]
pub struct Check {
    /// Where the report shows it.
    pub call: Call,
    /// From a closed list, which docs/widget-api.md documents.
    pub name: &'static str,
    pub tried: &'static str,
    pub variation: Variation,
    pub expectation: Expectation,
}

/// What is special about an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Variation {
    /// Nothing: as in a client's journey.
    Plain,
    /// The same again, if the plain attempt has succeeded.
    Again,
    /// Again with `no_validate`, if the plain attempt has succeeded.
    BankReturn,
    NoBearer,
    UnknownBearer,
    ExpiredBearer,
    UnknownToken,
    ExpiredToken,
    CancelToken,
    /// An id or a document that is not the link's.
    UnknownId,
    NoXsrf,
    /// An entry of the log that reports no success of Connect.
    Event(LogType, LogStatus),
    /// `validate-token` at the end.
    LinkAfterwards,
    /// `list-accounts` at the end.
    AccountsAfterwards,
}

/// What has to come of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expectation {
    /// The product can use the answer, which is also read strictly.
    Success,
    /// As [`Expectation::Success`], or one of the two refusals that an update may have.
    SuccessOrUnchanged,
    /// Any success.
    Works,
    /// The same data as before.
    SameData,
    /// Other data than before.
    NewData,
    /// No account, or a refusal.
    NoAccount,
    /// A refusal, since the API has set an XSRF token.
    XsrfRefusal,
    /// A refusal that is not a failure of the API.
    Refusal,
    /// The same of an id that is not the link's. An API may also go by the bearer token alone, which looks the same from
    /// outside.
    IdRefusal,
    /// `meta.status` 404.
    TokenNotFound,
    /// `meta.message` "Expired token".
    TokenExpired,
}

/// The calls that change nothing.
pub const READING: &[Check] = &[
    check(ValidateToken, "answer", "the link's token", Plain, Success),
    check(ValidateToken, "unknown-token", "a token that does not exist", UnknownToken, TokenNotFound),
    check(ValidateToken, "expired-token", "the expired token", ExpiredToken, TokenExpired),
    check(ValidateToken, "repeat", "the same token again", Again, SameData),
    check(ValidateToken, "of-success", "a return from the bank", BankReturn, SameData),
    check(ListBanks, "answer", "the list", Plain, Success),
    check(ListBanks, "repeat", "the list again", Again, SameData),
    no_bearer(ListBanks),
    unknown_bearer(ListBanks),
    check(ListAccounts, "answer", "the list", Plain, Success),
    check(ListAccounts, "repeat", "the list again", Again, SameData),
    no_bearer(ListAccounts),
    unknown_bearer(ListAccounts),
    check(ListAccounts, "expired-token", "the expired token as bearer", ExpiredBearer, TokenExpired),
];

/// The calls that change something, in the order of the product. Each begins with what has to be refused.
pub const WRITING: &[Check] = &[
    no_bearer(AuthorizeCustomer),
    unknown_bearer(AuthorizeCustomer),
    check(AuthorizeCustomer, "wrong-id", "a firm that is not the link's", UnknownId, IdRefusal),
    check(AuthorizeCustomer, "answer", "the consent", Plain, Success),
    check(AuthorizeCustomer, "repeat", "the same again", Again, Works),
    check(AuthorizeCustomer, "xsrf", "without the XSRF token", NoXsrf, XsrfRefusal),
    no_bearer(ConnectToken),
    unknown_bearer(ConnectToken),
    check(ConnectToken, "wrong-id", "a client that is not the link's", UnknownId, IdRefusal),
    check(ConnectToken, "answer", "a token", Plain, Success),
    check(ConnectToken, "repeat", "the same again", Again, Works),
    check(ConnectToken, "fresh", "whether the token is new", Again, NewData),
    no_bearer(UpdateLinkAccount),
    unknown_bearer(UpdateLinkAccount),
    check(UpdateLinkAccount, "answer", "the link's own item", Plain, SuccessOrUnchanged),
    no_bearer(Log),
    unknown_bearer(Log),
    check(
        Log,
        "answer",
        "a request for a connect token",
        Event(LogType::ConnectTokenRequest, LogStatus::Success),
        Success,
    ),
    check(Log, "answer", "its failure", Event(LogType::ConnectTokenResponse, LogStatus::Error), Success),
    check(Log, "answer", "an error of Connect", Event(LogType::WidgetError, LogStatus::Error), Success),
    check(Log, "answer", "a success of Connect", Plain, Success),
    check(Log, "repeat", "the same again", Again, Works),
    no_bearer(Call::Success),
    unknown_bearer(Call::Success),
    check(Call::Success, "answer", "the success", Plain, Success),
    check(Call::Success, "repeat", "the same again", Again, Works),
    check(Call::Success, "after", "the link afterwards", LinkAfterwards, Works),
];

/// The cancellation, of the client of the cancel token.
pub const CANCELLATION: &[Check] = &[
    check(CancelIntegrations, "token", "validate-token with the cancel token", CancelToken, Works),
    no_bearer(CancelIntegrations),
    unknown_bearer(CancelIntegrations),
    check(CancelIntegrations, "wrong-id", "a document that is not the client's", UnknownId, IdRefusal),
    check(CancelIntegrations, "answer", "the cancellation", Plain, Success),
    check(CancelIntegrations, "repeat", "the same again", Again, Works),
    check(CancelIntegrations, "after", "list-accounts afterwards", AccountsAfterwards, NoAccount),
];

const fn check(
    call: Call,
    name: &'static str,
    tried: &'static str,
    variation: Variation,
    expectation: Expectation,
) -> Check {
    Check { call, name, tried, variation, expectation }
}

const fn no_bearer(call: Call) -> Check {
    check(call, "no-bearer", "without a bearer token", NoBearer, Refusal)
}

const fn unknown_bearer(call: Call) -> Check {
    check(call, "wrong-bearer", "an unknown bearer token", UnknownBearer, Refusal)
}

impl Check {
    /// The call that is made.
    pub fn made(&self) -> Call {
        match self.variation {
            CancelToken | LinkAfterwards => ValidateToken,
            AccountsAfterwards => ListAccounts,
            _ => self.call,
        }
    }

    /// The result of this check.
    pub fn finding(&self, level: Level, seen: impl Into<String>) -> Finding {
        self.other_finding(level, self.name, seen, self.expected())
    }

    /// Something else that was seen on the way.
    pub fn other_finding(
        &self,
        level: Level,
        name: &'static str,
        seen: impl Into<String>,
        expected: &'static str,
    ) -> Finding {
        let (call, tried, seen) = (self.call.path(), self.tried, seen.into());
        Finding { level, call, name, tried, seen, expected, request_id: None }
    }

    fn expected(&self) -> &'static str {
        match self.expectation {
            Success | SuccessOrUnchanged if self.is_list() => "success, at most 128 kB, about 200 ms",
            Success => "success, at most 16 kB, about 200 ms",
            SuccessOrUnchanged => "success, item not found, or no changes",
            Works if self.variation == LinkAfterwards => "it works: the client may link another account",
            Works if self.variation == CancelToken => "session data: a link that was cancelled cannot be tried again",
            Works if self.call == Log => "success: it is delivered again, with the same Idempotency-Key",
            Works => "success: clients press buttons twice",
            SameData if self.is_list() => "the same rows in the same order",
            SameData => "the same session data: a token is not used up",
            NewData => "a new token each time",
            NoAccount => "no account, or a refusal of the revoked link",
            XsrfRefusal => "no cookie, or one that the calls insist on",
            Refusal | IdRefusal => "a refusal with meta.status from 400 to 499",
            TokenNotFound => "a refusal with meta.status 404",
            TokenExpired => "a refusal with meta.message exactly \"Expired token\"",
        }
    }

    pub fn is_list(&self) -> bool {
        matches!(self.made(), ListAccounts | ListBanks)
    }
}
