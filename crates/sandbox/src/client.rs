//! The state of one token: its accounts and the calls made with it.

use std::collections::VecDeque;

use serde::Serialize;
use tokio::time::Instant;

use super::{banks, cast::Member, requests::LogRecord};

/// Maximum accounts of one token.
const MAX_ACCOUNTS: usize = 50;

/// Maximum log records of one token; the oldest is dropped.
const MAX_LOG_RECORDS: usize = 20;

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
}

/// A row of the accounts table (spec §3).
#[derive(Debug, Clone, Serialize)]
pub struct Account {
    bank: String,
    agency: String,
    number: String,
    name: String,
    #[serde(skip)]
    listed_from: Instant,
}

impl Client {
    /// A client in the initial state of its cast member.
    pub fn new(member: &Member, now: Instant) -> Self {
        let accounts = member.accounts.iter().map(|[code, agency, number]| Account {
            bank: banks::name_of(code).unwrap_or(code).to_owned(),
            agency: (*agency).to_owned(),
            number: (*number).to_owned(),
            name: member.profile.client_name.to_owned(),
            listed_from: now,
        });
        Self { used_at: now, accounts: accounts.collect(), journal: Journal::default() }
    }

    /// The accounts that are already confirmed.
    pub fn listed(&self) -> Vec<&Account> {
        let now = Instant::now();
        self.accounts.iter().filter(|account| account.listed_from <= now).collect()
    }

    /// Whether the client has the maximum of accounts.
    pub fn is_full(&self) -> bool {
        self.accounts.len() >= MAX_ACCOUNTS
    }

    pub fn is_cancelled(&self) -> bool {
        self.journal.cancellations > 0
    }

    /// Ends every integration for good.
    pub fn cancel(&mut self) {
        self.journal.cancellations += 1;
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

    /// Adds an account that is listed from the given time on; `bank` is the name of its bank.
    pub fn add_account(&mut self, member: &Member, bank: Option<&str>, listed_from: Instant) {
        let number = self.accounts.len();
        self.accounts.push(Account {
            bank: bank.unwrap_or_else(|| banks::plausible(number)).to_owned(),
            agency: format!("{:04}", 1 + 7 * number),
            number: format!("{:05}-{}", 10_203 + 1_111 * number, number % 10),
            name: member.profile.client_name.to_owned(),
            listed_from,
        });
    }
}
