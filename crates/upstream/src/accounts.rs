//! The accounts step: lists the linked accounts.

use vincula_domain::wire::Account;

use super::{
    Answer, Call, CallError, Caller, Unexpected, Upstream, envelope,
    fields::{Fields, Record},
    send::NO_PAYLOAD,
};

impl Upstream {
    /// `GET /list-accounts`: the authorised accounts, in the upstream's order. Idempotent.
    ///
    /// Each poll makes its own call, as the specification requires, so that a hanging poll delays no other.
    ///
    /// # Errors
    /// See [`CallError`]; `Unexpected` if a 2xx response is not a list of objects.
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
