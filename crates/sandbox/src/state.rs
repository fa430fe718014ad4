//! The state of a sandbox: for each token its accounts and connect tokens, in memory, bounded.

use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
};

use axum::{http::StatusCode, response::Response};
use serde_json::{Value, json};
use tokio::time::Instant;

use super::{
    SandboxOptions, banks,
    demo_links::{self, DemoLink, EVERY_CALL, Fault},
    response::{Refusal, refusal, token_not_found},
};

/// Maximum number of stored tokens; the least recently used one is dropped.
const MAX_CLIENTS: usize = 256;

/// Maximum valid connect tokens of one token; the oldest one is dropped.
const MAX_CONNECT_TOKENS: usize = 512;

#[derive(Debug)]
pub(crate) struct SandboxState {
    pub options: SandboxOptions,
    /// In the order of their last use.
    clients: Mutex<VecDeque<Client>>,
}

#[derive(Debug, Clone)]
pub(crate) struct Caller {
    pub token: String,
    pub link: &'static DemoLink,
}

impl Caller {
    pub(crate) fn from_token(token: &str) -> Result<Self, Refusal> {
        let link = demo_links::find(token).ok_or_else(token_not_found)?;
        Ok(Self {
            token: token.to_owned(),
            link,
        })
    }
}

impl SandboxState {
    pub(crate) fn new(options: SandboxOptions) -> Self {
        Self {
            options,
            clients: Mutex::default(),
        }
    }

    pub(crate) fn clients(&self) -> MutexGuard<'_, VecDeque<Client>> {
        self.clients.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads or changes the state of a client, which starts in the initial state of its link.
    pub(crate) fn with_client<T>(&self, caller: &Caller, act: impl FnOnce(&mut Client) -> T) -> T {
        let mut clients = self.clients();
        let known = clients
            .iter()
            .position(|client| client.caller.token == caller.token);
        let known = known.and_then(|at| clients.remove(at));
        let mut client = known.unwrap_or_else(|| Client::new(caller.clone()));
        let result = act(&mut client);
        if clients.len() >= MAX_CLIENTS {
            clients.pop_front();
        }
        clients.push_back(client);
        result
    }

    /// Delays a slow link, and returns the response of a failing one.
    pub(crate) async fn apply_fault(&self, caller: &Caller, call: &str) -> Result<(), Response> {
        match caller.link.fault {
            Some(Fault::Slow) => tokio::time::sleep(self.options.slow).await,
            Some(Fault::Responds(failing, respond)) if failing == EVERY_CALL || failing == call => {
                return Err(respond());
            }
            _ => {}
        }
        Ok(())
    }

    /// Rejects a link after a cancellation (docs/widget-api.md), except for calls that cancel or
    /// report, and a new consent if the link allows one.
    pub(crate) fn refuse_cancelled(&self, caller: &Caller, call: &str) -> Result<(), Refusal> {
        let goes_on = match call {
            "/list-accounts" | "/log" | "/cancel-integrations" => true,
            "/authorize-customer" => caller.link.resumes,
            _ => false,
        };
        if !goes_on && self.with_client(caller, |client| client.is_cancelled) {
            return Err(refusal(StatusCode::FORBIDDEN, "Integrations cancelled"));
        }
        Ok(())
    }
}

/// An id in the form of Pluggy's items.
pub(crate) fn random_uuid() -> String {
    uuid::Builder::from_random_bytes(rand::random())
        .into_uuid()
        .to_string()
}

#[derive(Debug)]
pub(crate) struct Client {
    pub caller: Caller,
    pub accounts: Vec<Account>,
    pub connect_tokens: VecDeque<String>,
    pub is_cancelled: bool,
}

#[derive(Debug)]
pub(crate) struct Account {
    bank: String,
    agency: String,
    number: String,
    wait: Wait,
}

/// What an account waits for until it is authorised.
#[derive(Debug)]
pub(crate) enum Wait {
    Until(Instant),
    /// Another person's approval at the bank. The sandbox never approves.
    Approval,
}

impl Client {
    fn new(caller: Caller) -> Self {
        let accounts = caller
            .link
            .accounts
            .iter()
            .map(|[code, agency, number]| Account {
                bank: banks::name_of(code).unwrap_or(code).to_owned(),
                agency: (*agency).to_owned(),
                number: (*number).to_owned(),
                wait: Wait::Until(Instant::now()),
            })
            .collect();
        Self {
            caller,
            accounts,
            connect_tokens: VecDeque::new(),
            is_cancelled: false,
        }
    }

    /// Ends every integration, including waiting ones.
    pub(crate) fn cancel(&mut self) {
        self.is_cancelled = true;
        self.accounts.clear();
    }

    /// The rows of the list: the accounts that are authorised.
    pub(crate) fn rows(&self) -> Vec<Value> {
        self.accounts
            .iter()
            .filter(|account| account.wait.is_over())
            .map(|account| account.row(self.caller.link.profile.client_name))
            .collect()
    }

    pub(crate) fn issue_connect_token(&mut self) -> String {
        let connect_token = format!("sandbox-{}", random_uuid());
        if self.connect_tokens.len() >= MAX_CONNECT_TOKENS {
            self.connect_tokens.pop_front();
        }
        self.connect_tokens.push_back(connect_token.clone());
        connect_token
    }

    /// Adds an account at the bank with this code, or at a plausible one.
    pub(crate) fn add_account(&mut self, bank: Option<&str>, wait: Wait) {
        let number = self.accounts.len();
        self.accounts.push(Account {
            bank: bank
                .and_then(banks::name_of)
                .unwrap_or_else(|| banks::plausible(number))
                .to_owned(),
            agency: format!("{:04}", 1 + 7 * number),
            number: format!("{:05}-{}", 10_203 + 1_111 * number, number % 10),
            wait,
        });
    }
}

impl Account {
    /// The row of the list.
    fn row(&self, name: &str) -> Value {
        let Self {
            bank,
            agency,
            number,
            ..
        } = self;
        json!({ "bank": bank, "agency": agency, "number": number, "name": name })
    }
}

impl Wait {
    fn is_over(&self) -> bool {
        match self {
            Self::Until(confirmed) => *confirmed <= Instant::now(),
            Self::Approval => false,
        }
    }
}
