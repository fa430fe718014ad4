//! The state of a sandbox: per token, in memory, bounded.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Mutex, MutexGuard, PoisonError},
};

use axum::http::StatusCode;
use tokio::time::Instant;

use super::{
    SandboxOptions, banks,
    cast::{self, Member},
    client::{Client, Journal, Wait},
    envelope::Answer,
    requests::Request,
};

/// Maximum tokens that are remembered; the least recently used one is dropped.
const MAX_CLIENTS: usize = 256;

/// Maximum valid connect tokens; the oldest one is dropped.
const MAX_CONNECT_TOKENS: usize = 512;

/// The state of a sandbox.
#[derive(Debug)]
pub struct SandboxState {
    pub options: SandboxOptions,
    memory: Mutex<Memory>,
}

/// Why Connect returns no item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoItem {
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

impl SandboxState {
    /// A sandbox in its initial state.
    pub fn new(options: SandboxOptions) -> Self {
        Self { options, memory: Mutex::default() }
    }

    /// See [`super::Sandbox::journal`].
    pub fn journal(&self, token: &str) -> Journal {
        self.memory().clients.get(token).map(|client| client.journal.clone()).unwrap_or_default()
    }

    /// Counts a list of accounts and returns the count.
    pub fn count_listing(&self, token: &str, member: &Member) -> u32 {
        let mut memory = self.memory();
        let journal = &mut memory.client(token, member).journal;
        journal.listings += 1;
        journal.listings
    }

    /// Carries out a call.
    pub fn handle(&self, token: &str, member: &Member, request: Request) -> Answer {
        let mut memory = self.memory();
        let client = memory.client(token, member);
        if client.is_cancelled() && is_over(&request, member) {
            return Answer::error(StatusCode::FORBIDDEN, "Integrations cancelled");
        }
        match request {
            Request::Authorize { .. } => client.authorize(),
            Request::ListAccounts => return Answer::with(client.listed()),
            Request::ListBanks => return Answer::with(banks::list()),
            Request::Cancel { .. } => client.cancel(),
            Request::Succeed { .. } => client.journal.successes += 1,
            Request::OpenConnect { .. } => return Answer::with(memory.issue_connect_token(token)),
            Request::Log(record) => client.log(record),
            Request::UpdateLink { .. } => client.journal.updates += 1,
        }
        Answer::done()
    }

    /// Completes Connect: returns the id of the item that it created or, with `update_item`, renewed.
    ///
    /// A new item adds an account, which is confirmed `confirm_after` from now, or waits for another person's approval;
    /// `bank` is the name of its bank.
    ///
    /// # Errors
    /// See [`NoItem`].
    pub fn finish_connect(
        &self,
        connect_token: &str,
        update_item: Option<String>,
        bank: Option<&str>,
        awaits_approval: bool,
    ) -> Result<String, NoItem> {
        let mut memory = self.memory();
        let token = memory.issued_for(connect_token).ok_or(NoItem::UnknownConnectToken)?;
        let member = cast::find(&token).ok_or(NoItem::UnknownConnectToken)?;
        let client = memory.client(&token, member);
        match update_item {
            _ if client.is_cancelled() => Err(NoItem::Cancelled),
            Some(item) if member.profile.link_id == Some(item.as_str()) => Ok(item),
            Some(_) => Err(NoItem::UnknownItem),
            None if client.is_full() => Err(NoItem::TooManyAccounts),
            None => {
                let confirmed = Wait::Until(Instant::now() + self.options.confirm_after);
                client.add_account(member, bank, if awaits_approval { Wait::approval() } else { confirmed });
                Ok(random_uuid())
            }
        }
    }

    fn memory(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Memory {
    fn client(&mut self, token: &str, member: &Member) -> &mut Client {
        if !self.clients.contains_key(token) && self.clients.len() >= MAX_CLIENTS {
            self.forget_one();
        }
        let now = Instant::now();
        let client = self.clients.entry(token.to_owned()).or_insert_with(|| Client::new(member, now));
        client.used_at = now;
        client
    }

    fn forget_one(&mut self) {
        let oldest = self.clients.iter().min_by_key(|(_, client)| client.used_at).map(|(token, _)| token.clone());
        if let Some(token) = oldest {
            self.clients.remove(&token);
        }
    }

    fn issue_connect_token(&mut self, token: &str) -> String {
        if self.connect_tokens.len() >= MAX_CONNECT_TOKENS {
            self.connect_tokens.pop_front();
        }
        let connect_token = format!("sandbox-{}", random_uuid());
        self.connect_tokens.push_back((connect_token.clone(), token.to_owned()));
        connect_token
    }

    fn issued_for(&self, connect_token: &str) -> Option<String> {
        self.connect_tokens.iter().find(|(known, _)| known == connect_token).map(|(_, token)| token.clone())
    }
}

/// Whether the link is refused for this call once everything was cancelled (docs/upstream.md).
fn is_over(request: &Request, member: &Member) -> bool {
    match request {
        Request::ListAccounts | Request::Log(_) | Request::Cancel { .. } => false,
        Request::Authorize { .. } => !member.resumes,
        _ => true,
    }
}

/// In the form that Pluggy's items have.
fn random_uuid() -> String {
    uuid::Builder::from_random_bytes(rand::random()).into_uuid().to_string()
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
