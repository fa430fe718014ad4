//! The state of one token: its accounts and the calls made with it.

use std::collections::VecDeque;

use serde::Serialize;
use time::{OffsetDateTime, UtcOffset};
use tokio::time::Instant;

use super::{banks, cast::Member, requests::LogRecord};

/// Maximum accounts of one token.
const MAX_ACCOUNTS: usize = 50;

/// Maximum log records of one token; the oldest is dropped.
const MAX_LOG_RECORDS: usize = 20;

/// How long the other person has to approve an account.
const APPROVED_WITHIN: time::Duration = time::Duration::days(15);

/// The calls made with one token.
#[derive(Debug, Clone, Default)]
pub struct Journal {
    /// Authorizations.
    pub consents: u32,
    /// Lists of accounts, including those without a response.
    pub listings: u32,
    /// Success calls.
    pub successes: u32,
    /// Cancellations.
    pub cancellations: u32,
    /// Updates of the link.
    pub updates: u32,
    /// The last 20 log calls.
    pub log: VecDeque<LogRecord>,
}

/// The state of one client of the firm.
#[derive(Debug)]
pub struct Client {
    /// When its token was last used.
    pub used_at: Instant,
    pub journal: Journal,
    accounts: Vec<Account>,
    is_cancelled: bool,
}

#[derive(Debug)]
struct Account {
    bank: String,
    agency: String,
    number: String,
    name: String,
    wait: Wait,
}

/// What an account waits for until it is an authorised one.
#[derive(Debug)]
pub enum Wait {
    Until(Instant),
    /// Another person's approval at the bank, which nobody gives here; `by` is a date.
    Approval {
        by: String,
    },
}

/// A row of the accounts table (spec §3), or one that waits.
#[derive(Debug, Serialize)]
pub struct Row<'a> {
    bank: &'a str,
    agency: &'a str,
    number: &'a str,
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    approve_by: Option<&'a str>,
}

impl Client {
    /// A client in the initial state of its cast member.
    pub fn new(member: &Member, now: Instant) -> Self {
        let accounts = member.accounts.iter().map(|[code, agency, number]| Account {
            bank: banks::name_of(code).unwrap_or(code).to_owned(),
            agency: (*agency).to_owned(),
            number: (*number).to_owned(),
            name: member.profile.client_name.to_owned(),
            wait: Wait::Until(now),
        });
        let accounts = accounts.collect();
        let mut client = Self { used_at: now, accounts, journal: Journal::default(), is_cancelled: false };
        if let Some(code) = member.awaits {
            client.add_account(member, banks::name_of(code), Wait::approval());
        }
        client
    }

    /// The rows of the list: accounts that wait are on it from the start.
    pub fn listed(&self) -> Vec<Row<'_>> {
        let now = Instant::now();
        self.accounts.iter().map(|account| account.row(now)).collect()
    }

    /// Whether the client has the maximum of accounts.
    pub fn is_full(&self) -> bool {
        self.accounts.len() >= MAX_ACCOUNTS
    }

    pub fn is_cancelled(&self) -> bool {
        self.is_cancelled
    }

    /// Gives the consent, also anew after a cancellation.
    pub fn authorize(&mut self) {
        self.journal.consents += 1;
        self.is_cancelled = false;
    }

    /// Ends every integration, also those that wait.
    pub fn cancel(&mut self) {
        self.journal.cancellations += 1;
        self.is_cancelled = true;
        self.accounts.clear();
    }

    /// Stores a log record and drops the oldest one if there are too many.
    pub fn log(&mut self, record: LogRecord) {
        let log = &mut self.journal.log;
        if log.len() >= MAX_LOG_RECORDS {
            log.pop_front();
        }
        log.push_back(record);
    }

    /// Adds an account; `bank` is the name of its bank.
    pub fn add_account(&mut self, member: &Member, bank: Option<&str>, wait: Wait) {
        let number = self.accounts.len();
        self.accounts.push(Account {
            bank: bank.unwrap_or_else(|| banks::plausible(number)).to_owned(),
            agency: format!("{:04}", 1 + 7 * number),
            number: format!("{:05}-{}", 10_203 + 1_111 * number, number % 10),
            name: member.profile.client_name.to_owned(),
            wait,
        });
    }
}

impl Account {
    /// Agency and number are unknown until the account is authorised, as at Pluggy.
    fn row(&self, now: Instant) -> Row<'_> {
        let Self { bank, agency, number, name, wait } = self;
        let (status, approve_by) = match wait {
            Wait::Until(confirmed) if *confirmed <= now => {
                return Row { bank, agency, number, name, status: None, approve_by: None };
            }
            Wait::Until(_) => ("confirming", None),
            Wait::Approval { by } => ("awaiting_approval", Some(by.as_str())),
        };
        Row { bank, agency: "", number: "", name, status: Some(status), approve_by }
    }
}

impl Wait {
    /// For an approval that is asked for now.
    pub fn approval() -> Self {
        let brasilia = UtcOffset::from_hms(-3, 0, 0).expect("three hours are an offset");
        let by = OffsetDateTime::now_utc().to_offset(brasilia) + APPROVED_WITHIN;
        Self::Approval { by: by.date().to_string() }
    }
}
