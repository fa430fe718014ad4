//! The checks of the two lists.

use vincula_domain::{
    bank::is_same_bank,
    token::LinkToken,
    wire::{AccountList, BankOption},
};
use vincula_upstream::{Call, CallError, Caller};

use super::{
    fields,
    refusals::Refusal,
    report::{Check, Level, Row},
    visit::{Tried, Visit},
};

/// Tries both lists, and again.
pub async fn check(visit: &mut Visit, expired: Option<&LinkToken>) {
    let upstream = visit.upstream.clone();
    let caller = visit.caller.clone();
    let banks = visit.make(Call::ListBanks, upstream.list_banks(&caller)).await;
    let is_good = visit.expect_success(&banks, "the list");
    fields::banks(visit, &banks);
    if is_good {
        let again = visit.make(Call::ListBanks, upstream.list_banks(&caller)).await;
        repeated(visit, &banks, &again, Vec::len);
    }
    visit.check_bearer(Call::ListBanks, async |caller| upstream.list_banks(caller).await).await;

    let caller = visit.caller.clone();
    let accounts = visit.make(Call::ListAccounts, upstream.list_accounts(&caller)).await;
    let is_good = visit.expect_success(&accounts, "the list");
    fields::accounts(visit, &accounts);
    if is_good {
        known_banks(visit, &accounts, &banks);
        let again = visit.make(Call::ListAccounts, upstream.list_accounts(&caller)).await;
        repeated(visit, &accounts, &again, |list| list.accounts.len() + list.waiting.len());
    }
    visit.check_bearer(Call::ListAccounts, async |caller| upstream.list_accounts(caller).await).await;
    if let Some(expired) = expired {
        let caller = Caller { token: Some(expired.clone()), ..visit.caller.clone() };
        let tried = visit.make(Call::ListAccounts, upstream.list_accounts(&caller)).await;
        visit.expect_refusal(&tried, "expired-token", "the expired token as bearer", Refusal::Expired);
    }
}

/// Whether a list is the same at once.
fn repeated<T: PartialEq>(visit: &mut Visit, first: &Tried<T>, again: &Tried<T>, length: fn(&T) -> usize) {
    let rows = |tried: &Tried<T>| tried.outcome.as_ref().map_or(0, |answer| length(&answer.data));
    let (level, seen) = match (&first.outcome, &again.outcome) {
        (Ok(first), Ok(again)) if first.data == again.data => (Level::Ok, "the same rows".into()),
        (_, Ok(_)) => (Level::Warning, format!("{} rows, then {} that differ", rows(first), rows(again))),
        (_, Err(error)) => (Level::Failure, CallError::to_string(error)),
    };
    let expected = "the same rows in the same order";
    let check =
        Check { call: first.path(), name: "repeat", tried: "the list again", expected, contract: Row::REPETITION };
    visit.add(check, level, seen);
}

/// Whether each account's bank is one of the list, by which the product sees that a new account has arrived.
fn known_banks(visit: &mut Visit, accounts: &Tried<AccountList>, banks: &Tried<Vec<BankOption>>) {
    let (Ok(accounts), Ok(banks)) = (&accounts.outcome, &banks.outcome) else { return };
    let AccountList { accounts, waiting } = &accounts.data;
    let named: Vec<&str> = accounts.iter().map(|one| &*one.bank).chain(waiting.iter().map(|one| &*one.bank)).collect();
    if named.is_empty() {
        return;
    }
    let is_known = |name: &&&str| banks.data.iter().any(|bank| is_same_bank(&bank.name, name));
    let unknown = named.len() - named.iter().filter(is_known).count();
    let (level, seen) = match unknown {
        0 => (Level::Ok, "all are".into()),
        _ => (Level::Warning, format!("{unknown} of {} are not", named.len())),
    };
    let expected = "the name in list-banks, or one with the same first word";
    let contract = Row("3. GET /list-accounts");
    let check =
        Check { call: "list-accounts", name: "bank-names", tried: "whether banks are listed", expected, contract };
    visit.add(check, level, seen);
}
