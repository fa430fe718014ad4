//! Converts what the widget API returns, data and errors, to what pages get.

use axum::http::StatusCode;
use vincula_domain::{
    bank::brand_of,
    problem::Problem,
    wire::{self, AccountList, BankOption, Failure, LinkingState, WaitingAccount},
};
use vincula_upstream::{Account, AccountStatus, Bank, CallError, Reason};

use crate::session::brasilia;

/// What the page does about a failed call.
pub fn failure(error: &CallError) -> Failure {
    match error {
        CallError::NoResponse(_) => Failure::stay(),
        CallError::Failed(response) => match problem(response.reason) {
            Some(problem) => Failure::problem(problem),
            None => Failure::outage(),
        },
        CallError::Unexpected(_) => Failure::outage(),
    }
}

/// The status of the response to a page whose call has failed.
pub fn status(error: &CallError) -> StatusCode {
    match error {
        CallError::NoResponse(_) => StatusCode::GATEWAY_TIMEOUT,
        CallError::Failed(_) | CallError::Unexpected(_) => StatusCode::BAD_GATEWAY,
    }
}

/// The problem that a failed response means for the client. Returns `None` for an outage, for which
/// the link is not to blame.
fn problem(reason: Reason) -> Option<Problem> {
    match reason {
        Reason::ItemNotFound => Some(Problem::LinkNotExists),
        Reason::Unchanged => Some(Problem::LinkNotUpdated),
        Reason::TokenNotFound => Some(Problem::TokenNotExists),
        Reason::TokenExpired => Some(Problem::TokenExpired),
        Reason::OtherRefusal => Some(Problem::TokenInvalid),
        Reason::Outage => None,
    }
}

/// The accounts as pages get them, each with the brand of its bank.
pub fn account_list(accounts: Vec<Account>) -> AccountList {
    let mut list = AccountList::default();
    for account in accounts {
        let brand = brand_of(&account.bank).unwrap_or_default().to_owned();
        let state = match account.status {
            AccountStatus::Confirming => LinkingState::Confirming,
            AccountStatus::AwaitingApproval => LinkingState::Awaits,
            AccountStatus::Authorized => {
                list.accounts.push(wire::Account {
                    brand,
                    bank: account.bank,
                    agency: account.agency,
                    number: account.number,
                    name: account.name,
                });
                continue;
            }
        };
        list.waiting.push(WaitingAccount {
            brand,
            bank: account.bank,
            state,
            approve_by: account.approve_by.map(brasilia::date).unwrap_or_default(),
        });
    }
    list
}

/// The banks that can be chosen: those that have a code.
pub fn banks(banks: Vec<Bank>) -> Vec<BankOption> {
    banks
        .into_iter()
        .filter(|bank| !bank.code.trim().is_empty())
        .map(|Bank { code, name }| BankOption { code, name })
        .collect()
}

#[cfg(test)]
mod tests {
    use time::{Date, Month};

    use super::*;

    fn account(bank: &str, status: AccountStatus, approve_by: Option<Date>) -> Account {
        Account {
            bank: bank.to_owned(),
            agency: "1".to_owned(),
            number: "2".to_owned(),
            name: "N".to_owned(),
            status,
            approve_by,
        }
    }

    #[test]
    fn separates_waiting_rows_from_accounts() {
        let day = Date::from_calendar_date(2026, Month::December, 7).ok();
        let rows = vec![
            account("A", AccountStatus::Authorized, None),
            account("B", AccountStatus::Confirming, None),
            account("C", AccountStatus::AwaitingApproval, day),
            account("ITAU UNIBANCO S.A.", AccountStatus::AwaitingApproval, None),
            account("D", AccountStatus::Authorized, day),
        ];
        let list = account_list(rows);
        let accounts: Vec<_> = list.accounts.iter().map(|account| &*account.bank).collect();
        assert_eq!(accounts, ["A", "D"]);
        let waiting: Vec<_> = list
            .waiting
            .iter()
            .map(|row| (&*row.bank, &*row.brand, row.state, &*row.approve_by))
            .collect();
        assert_eq!(
            waiting,
            [
                ("B", "", LinkingState::Confirming, ""),
                ("C", "", LinkingState::Awaits, "07/12/2026"),
                ("ITAU UNIBANCO S.A.", "Itaú", LinkingState::Awaits, ""),
            ]
        );
    }

    #[test]
    fn banks_without_a_code_are_left_out() {
        let bank = |code: &str| Bank {
            code: code.to_owned(),
            name: "N".to_owned(),
        };
        let rows = vec![bank("001"), bank(" "), bank(""), bank("260")];
        let options = banks(rows);
        let codes: Vec<_> = options.iter().map(|bank| &*bank.code).collect();
        assert_eq!(codes, ["001", "260"]);
    }
}
