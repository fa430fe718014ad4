//! The state of a sandbox: for each token its accounts and the calls made with it, in memory, bounded.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Mutex, MutexGuard, PoisonError},
};

use axum::{
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Deserialize;
use serde_json::{Value, json};
use time::{OffsetDateTime, UtcOffset};
use tokio::time::Instant;

use super::{
    SandboxOptions, banks,
    demo_links::{self, DemoClient},
    reply::{self, Canned, EVERY_CALL, Reply},
};

/// Maximum tokens that are kept; the least recently used one is dropped.
const MAX_CLIENTS: usize = 256;

/// Maximum valid connect tokens; the oldest one is dropped.
const MAX_CONNECT_TOKENS: usize = 512;

/// Maximum accounts of one token.
const MAX_ACCOUNTS: usize = 50;

/// Maximum log records of one token; the oldest is dropped.
const MAX_LOG_RECORDS: usize = 20;

/// How long the other person has to approve an account.
const APPROVED_WITHIN: time::Duration = time::Duration::days(15);

/// Of this many account lists of `demo-cai-depois`, the last two lose their connection: a client that retries once then
/// loses every third list.
const DROPS_EVERY: u32 = 4;

/// The state of a sandbox.
#[derive(Debug)]
pub struct SandboxState {
    pub options: SandboxOptions,
    memory: Mutex<Memory>,
}

/// Why Connect returns no item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConnectError {
    UnknownConnectToken,
    UnknownItem,
    Cancelled,
    TooManyAccounts,
}

#[derive(Debug, Default)]
struct Memory {
    clients: HashMap<String, Client>,
    /// Pairs of a connect token and the token that it was issued for.
    connect_tokens: VecDeque<(String, String)>,
}

/// A client that may make this call: by its bearer token, and for writes by its XSRF token.
pub struct Caller {
    pub token: String,
    pub demo: &'static DemoClient,
}

impl SandboxState {
    /// A sandbox in its initial state.
    pub fn new(options: SandboxOptions) -> Self {
        Self { options, memory: Mutex::default() }
    }

    /// See [`super::Sandbox::journal`].
    pub fn journal(&self, token: &str) -> Journal {
        self.memory().clients.get(token).map(|client| client.journal.clone()).unwrap_or_default()
    }

    /// Gives a link that fails its canned reply, and lets one that is slow wait.
    ///
    /// # Errors
    /// The canned reply.
    pub async fn fail(&self, token: &str, demo: &DemoClient, call: &str) -> Result<(), Response> {
        let listings = match call {
            "/list-accounts" => self.count_listing(token, demo),
            _ => 0,
        };
        match demo.fault.filter(|fault| fault.call == EVERY_CALL || fault.call == call).map(|fault| fault.reply) {
            Some(Canned::Error(status, message)) => Err(Reply::error(status, message).into_response()),
            Some(Canned::Body(status, media_type, body)) => {
                Err((status, [(header::CONTENT_TYPE, media_type)], body).into_response())
            }
            Some(Canned::HangUp) if call != "/list-accounts" || (listings + 1) % DROPS_EVERY < 2 => {
                Err(reply::hang_up())
            }
            Some(Canned::Late) => {
                tokio::time::sleep(self.options.slow).await;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn count_listing(&self, token: &str, demo: &DemoClient) -> u32 {
        let mut memory = self.memory();
        let journal = &mut memory.client(token, demo).journal;
        journal.listings += 1;
        journal.listings
    }

    /// Refuses a link whose integrations were cancelled (docs/widget-api.md): all but what ends or reports something, and a
    /// new consent if the link takes one.
    ///
    /// # Errors
    /// 403.
    pub fn refuse_cancelled(&self, caller: &Caller, call: &str) -> Result<(), Reply> {
        let goes_on = match call {
            "/list-accounts" | "/log" | "/cancel-integrations" => true,
            "/authorize-customer" => caller.demo.resumes,
            _ => false,
        };
        let is_cancelled = self.memory().client(&caller.token, caller.demo).is_cancelled;
        if is_cancelled && !goes_on {
            return Err(Reply::error(StatusCode::FORBIDDEN, "Integrations cancelled"));
        }
        Ok(())
    }

    /// Changes the state of a client, which has no data to return.
    pub fn change(&self, caller: &Caller, change: impl FnOnce(&mut Client)) -> Reply {
        change(self.memory().client(&caller.token, caller.demo));
        Reply::with(())
    }

    /// The rows of the list: accounts that wait are on it from the start.
    pub fn accounts(&self, caller: &Caller) -> Reply {
        let now = Instant::now();
        let mut memory = self.memory();
        let client = memory.client(&caller.token, caller.demo);
        Reply::with(client.accounts.iter().map(|account| account.row(now)).collect::<Vec<_>>())
    }

    pub fn issue_connect_token(&self, caller: &Caller) -> String {
        let connect_token = format!("sandbox-{}", random_uuid());
        let tokens = &mut self.memory().connect_tokens;
        if tokens.len() >= MAX_CONNECT_TOKENS {
            tokens.pop_front();
        }
        tokens.push_back((connect_token.clone(), caller.token.clone()));
        connect_token
    }

    /// Completes Connect: returns the id of the item that it created or, with `update_item`, renewed.
    ///
    /// A new item adds an account, which is confirmed `confirm_after` from now, or waits for another person's approval;
    /// `bank` is the name of its bank.
    ///
    /// # Errors
    /// See [`ConnectError`].
    pub fn finish_connect(
        &self,
        connect_token: &str,
        update_item: Option<String>,
        bank: Option<&str>,
        awaits_approval: bool,
    ) -> Result<String, ConnectError> {
        let mut memory = self.memory();
        let token = memory.issued_for(connect_token).ok_or(ConnectError::UnknownConnectToken)?;
        let demo = demo_links::find(&token).ok_or(ConnectError::UnknownConnectToken)?;
        let client = memory.client(&token, demo);
        match update_item {
            _ if client.is_cancelled => Err(ConnectError::Cancelled),
            Some(item) if demo.profile.link_id == Some(item.as_str()) => Ok(item),
            Some(_) => Err(ConnectError::UnknownItem),
            None if client.accounts.len() >= MAX_ACCOUNTS => Err(ConnectError::TooManyAccounts),
            None => {
                let confirmed = Wait::Until(Instant::now() + self.options.confirm_after);
                client.add_account(demo, bank, if awaits_approval { Wait::approval() } else { confirmed });
                Ok(random_uuid())
            }
        }
    }

    fn memory(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Memory {
    fn client(&mut self, token: &str, demo: &DemoClient) -> &mut Client {
        if !self.clients.contains_key(token) && self.clients.len() >= MAX_CLIENTS {
            self.forget_one();
        }
        let now = Instant::now();
        let client = self.clients.entry(token.to_owned()).or_insert_with(|| Client::new(demo, now));
        client.used_at = now;
        client
    }

    fn forget_one(&mut self) {
        let oldest = self.clients.iter().min_by_key(|(_, client)| client.used_at).map(|(token, _)| token.clone());
        if let Some(token) = oldest {
            self.clients.remove(&token);
        }
    }

    fn issued_for(&self, connect_token: &str) -> Option<String> {
        self.connect_tokens.iter().find(|(known, _)| known == connect_token).map(|(_, token)| token.clone())
    }
}

/// In the form that Pluggy's items have.
fn random_uuid() -> String {
    uuid::Builder::from_random_bytes(rand::random()).into_uuid().to_string()
}

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
    used_at: Instant,
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
enum Wait {
    Until(Instant),
    /// Another person's approval at the bank, which nobody gives here; `by` is a date.
    Approval {
        by: String,
    },
}

impl Client {
    /// A client in the initial state of its link.
    fn new(demo: &DemoClient, now: Instant) -> Self {
        let accounts = demo.accounts.iter().map(|[code, agency, number]| Account {
            bank: banks::name_of(code).unwrap_or(code).to_owned(),
            agency: (*agency).to_owned(),
            number: (*number).to_owned(),
            name: demo.profile.client_name.to_owned(),
            wait: Wait::Until(now),
        });
        let accounts = accounts.collect();
        let mut client = Self { used_at: now, accounts, journal: Journal::default(), is_cancelled: false };
        if let Some(code) = demo.awaits {
            client.add_account(demo, banks::name_of(code), Wait::approval());
        }
        client
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
    fn add_account(&mut self, demo: &DemoClient, bank: Option<&str>, wait: Wait) {
        let number = self.accounts.len();
        self.accounts.push(Account {
            bank: bank.unwrap_or_else(|| banks::plausible(number)).to_owned(),
            agency: format!("{:04}", 1 + 7 * number),
            number: format!("{:05}-{}", 10_203 + 1_111 * number, number % 10),
            name: demo.profile.client_name.to_owned(),
            wait,
        });
    }
}

impl Account {
    /// The row of the list. Agency and number are unknown until the account is authorised, as at Pluggy.
    fn row(&self, now: Instant) -> Value {
        let Self { bank, agency, number, name, wait } = self;
        match wait {
            Wait::Until(confirmed) if *confirmed <= now => {
                json!({ "bank": bank, "agency": agency, "number": number, "name": name })
            }
            Wait::Until(_) => {
                json!({ "bank": bank, "agency": "", "number": "", "name": name, "status": "confirming" })
            }
            Wait::Approval { by } => json!({
                "bank": bank,
                "agency": "",
                "number": "",
                "name": name,
                "status": "awaiting_approval",
                "approve_by": by,
            }),
        }
    }
}

impl Wait {
    /// For an approval that is asked for now.
    fn approval() -> Self {
        let brasilia = UtcOffset::from_hms(-3, 0, 0).expect("three hours are an offset");
        let by = OffsetDateTime::now_utc().to_offset(brasilia) + APPROVED_WITHIN;
        Self::Approval { by: by.date().to_string() }
    }
}

/// The payload of a log call.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogRecord {
    #[serde(rename = "type")]
    pub kind: LogType,
    pub status: LogStatus,
    /// JSON text.
    pub data_log: String,
}

/// The four events that the product logs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum LogType {
    /// The product requests a connect token.
    #[serde(rename = "pluggy-getConnectToken-request")]
    ConnectTokenRequest,
    /// The response to that request.
    #[serde(rename = "pluggy-getConnectToken-response")]
    ConnectTokenResponse,
    /// Connect returned an item.
    #[serde(rename = "pluggy-widget-success")]
    WidgetSuccess,
    /// Connect failed.
    #[serde(rename = "pluggy-widget-error")]
    WidgetError,
}

/// The outcome of a logged event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum LogStatus {
    Success,
    Error,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_random_uuids() {
        let uuids = [random_uuid(), random_uuid()].map(|text| uuid::Uuid::parse_str(&text).unwrap());
        assert_ne!(uuids[0], uuids[1]);
        assert!(uuids.iter().all(|uuid| uuid.get_version_num() == 4), "{uuids:?}");
    }
}
