//! The accounts step: lists the linked accounts, and those that wait for something.

use serde::{Deserialize, Serialize};
use vincula_domain::wire::{Account, AccountList, LinkingState, WaitingAccount};

use super::{Answer, Call, CallError, Caller, Unexpected, Upstream, envelope, lenient::Scalar, send::NO_PAYLOAD};

impl Upstream {
    /// `GET /list-accounts`: the authorised accounts and the waiting ones, in the upstream's order. Idempotent.
    ///
    /// Each poll makes its own call, as the specification requires, so that a hanging poll delays no other.
    ///
    /// # Errors
    /// See [`CallError`]; `Unexpected` if a 2xx response is not a list of objects.
    pub async fn list_accounts(&self, caller: &Caller) -> Result<Answer<AccountList>, CallError> {
        self.send(Call::ListAccounts, caller, NO_PAYLOAD, account_list).await
    }
}

/// A row of the list. Without a `status` that we know it is an account. Serializes as the page gets it.
#[derive(Serialize, Deserialize)]
#[serde(untagged, try_from = "RawRow")]
pub(super) enum Row {
    Account(Account),
    Waiting(WaitingAccount),
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct RawRow {
    bank: Scalar,
    agency: Scalar,
    number: Scalar,
    name: Scalar,
    status: Scalar,
    approve_by: Scalar,
}

impl TryFrom<RawRow> for Row {
    type Error = Unexpected;

    fn try_from(RawRow { bank, agency, number, name, status, approve_by }: RawRow) -> Result<Self, Unexpected> {
        let bank = bank.into_text()?;
        let state = match status.as_text() {
            Some("confirming") => LinkingState::Confirming,
            Some("awaiting_approval") => LinkingState::Awaits,
            _ => {
                let (agency, number, name) = (agency.into_text()?, number.into_text()?, name.into_text()?);
                return Ok(Self::Account(Account { bank, agency, number, name }));
            }
        };
        let approve_by = approve_by.as_text().and_then(day).unwrap_or_default();
        Ok(Self::Waiting(WaitingAccount { bank, state, approve_by }))
    }
}

fn account_list(body: &[u8]) -> Result<AccountList, Unexpected> {
    let mut list = AccountList::default();
    for row in envelope::rows(body)? {
        match row {
            Row::Account(account) => list.accounts.push(account),
            Row::Waiting(waiting) => list.waiting.push(waiting),
        }
    }
    Ok(list)
}

/// The day of a date or date-time (RFC 3339) as people in Brazil write it: "07/12/2026".
fn day(text: &str) -> Option<String> {
    let date = text.get(..10).filter(|_| matches!(text.as_bytes().get(10), None | Some(b'T')))?;
    let mut parts = date.split('-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    let is_number = |text: &str, digits| text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_date = parts.next().is_none() && is_number(year, 4) && is_number(month, 2) && is_number(day, 2);
    is_date.then(|| format!("{day}/{month}/{year}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_wait_are_no_accounts() {
        let list = account_list(
            br#"{"data":[
                {"bank":"A","agency":"1","number":"2","name":"N"},
                {"bank":"B","status":"confirming"},
                {"bank":"C","agency":"","number":null,"status":"awaiting_approval","approve_by":"2026-12-07"},
                {"bank":"D","status":"awaiting_approval","approve_by":"2026-12-07T10:00:00Z"},
                {"bank":"E","status":"awaiting_approval","approve_by":"em breve"},
                {"bank":"F","agency":"1","number":"2","name":"N","status":"authorized"},
                {"bank":"G","agency":"1","number":"2","name":"N","status":null}
            ]}"#,
        )
        .unwrap();
        let accounts: Vec<_> = list.accounts.iter().map(|account| &*account.bank).collect();
        assert_eq!(accounts, ["A", "F", "G"]);
        let waiting: Vec<_> = list.waiting.iter().map(|one| (&*one.bank, one.state, &*one.approve_by)).collect();
        let (confirming, awaits) = (LinkingState::Confirming, LinkingState::Awaits);
        assert_eq!(
            waiting,
            [("B", confirming, ""), ("C", awaits, "07/12/2026"), ("D", awaits, "07/12/2026"), ("E", awaits, "")]
        );
    }
}
