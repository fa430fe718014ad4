//! The accounts that are linked so far.

use vincula_domain::wire::Account;

use super::{
    Answer, Call, CallError, Caller, Unexpected, Upstream, envelope,
    fields::{Fields, Record},
    send::NO_PAYLOAD,
};

impl Upstream {
    /// `GET /list-accounts`: the authorised accounts, in the upstream's order. Idempotent.
    ///
    /// Each poll is a call of its own, as the specification wants it. A poll that hangs holds up nobody else's.
    ///
    /// # Errors
    /// As [`CallError`]; `Unexpected` where a 2xx answer is no list of objects.
    pub async fn list_accounts(&self, caller: &Caller) -> Result<Answer<Vec<Account>>, CallError> {
        self.send(Call::ListAccounts, caller, NO_PAYLOAD, envelope::rows).await
    }
}

impl Record for Account {
    const NAMES: &'static [&'static str] = &["bank", "agency", "number", "name"];

    fn read(row: &Fields) -> Result<Self, Unexpected> {
        Ok(Self {
            bank: row.text("bank")?,
            agency: row.text("agency")?,
            number: row.text("number")?,
            name: row.text("name")?,
        })
    }
}
