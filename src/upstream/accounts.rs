//! The accounts that are linked so far.

use super::{
    Answer, Call, CallError, Caller, Unexpected, Upstream,
    envelope::{self, Fields},
    send::NO_PAYLOAD,
};
use crate::wire::Account;

impl Upstream {
    /// `GET /list-accounts`: the authorised accounts, in the upstream's order. Idempotent.
    ///
    /// Each poll is live, as the specification wants it. Only polls of one token that are under way at the same time,
    /// of several tabs or phones, share one call: no answer is given to a poll that began after it had come.
    ///
    /// # Errors
    /// As [`CallError`]; `Unexpected` where a 2xx answer is no list of objects.
    pub async fn list_accounts(&self, caller: &Caller) -> Result<Answer<Vec<Account>>, CallError> {
        let read = |body: &[u8]| envelope::rows(body)?.iter().map(account).collect();
        let call = self.send(Call::ListAccounts, caller, NO_PAYLOAD, read);
        match &caller.token {
            Some(token) => self.polls.join(token, call).await,
            None => call.await,
        }
    }
}

fn account(row: &Fields) -> Result<Account, Unexpected> {
    Ok(Account {
        bank: row.text("bank")?,
        agency: row.text("agency")?,
        number: row.text("number")?,
        name: row.text("name")?,
    })
}
