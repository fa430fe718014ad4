//! Converts what the widget API returns, data and errors, to what pages get.

use axum::http::StatusCode;
use vincula_domain::{
    bank::brand_of,
    page_path::PagePath,
    problem::{Detail, Problem},
    wire::{self, BankOption},
};
use vincula_upstream::{Account, Bank, CallError, Reason};

use crate::failure::Failure;

/// What the page does about a failed call.
pub fn failure(error: &CallError) -> Failure {
    match error {
        CallError::NoResponse(_) => Failure::stay(),
        CallError::Failed(response) => Failure::navigate(error_screen(response.reason)),
        CallError::Unexpected(_) => Failure::outage(),
    }
}

/// What the page does about a list that it did not get: an upstream that is busy may be asked again.
pub fn list_failure(error: &CallError) -> Failure {
    let Some(busy) = error.busy() else {
        return failure(error);
    };
    // Rounded up, because a request before the end of the wait would be refused again.
    let retry_after_secs = busy
        .retry_after
        .map(|wait| wait.as_secs_f64().ceil() as u32);
    Failure {
        retry_after_secs,
        ..Failure::stay()
    }
}

/// The status of the response to a page whose call has failed: a refusal is the client's error, an
/// outage is the server's. Never 404, 502, 503 or 504, because proxies replace their bodies.
pub fn status(error: &CallError) -> StatusCode {
    match error {
        CallError::Failed(response) => match response.reason {
            Reason::TokenExpired => StatusCode::GONE,
            Reason::Busy | Reason::Outage => StatusCode::INTERNAL_SERVER_ERROR,
            Reason::ItemNotFound
            | Reason::Unchanged
            | Reason::TokenNotFound
            | Reason::Cancelled
            | Reason::OtherRefusal => StatusCode::UNPROCESSABLE_ENTITY,
        },
        CallError::NoResponse(_) | CallError::Unexpected(_) => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

/// The error screen of a failed response.
fn error_screen(reason: Reason) -> PagePath {
    match reason {
        Reason::ItemNotFound => Problem::LinkNotExists.into(),
        Reason::Unchanged => Problem::LinkNotUpdated.into(),
        Reason::TokenNotFound => Problem::TokenNotExists.into(),
        Reason::TokenExpired => Problem::TokenExpired.into(),
        Reason::Cancelled => Detail::Cancelled.into(),
        Reason::OtherRefusal => Problem::TokenInvalid.into(),
        Reason::Busy | Reason::Outage => Detail::Outage.into(),
    }
}

/// The accounts as pages get them, each with the brand of its bank.
pub fn accounts(accounts: Vec<Account>) -> Vec<wire::Account> {
    accounts
        .into_iter()
        .map(|account| wire::Account {
            brand: brand_of(&account.bank).unwrap_or_default().to_owned(),
            bank: account.bank,
            agency: account.agency,
            number: account.number,
            name: account.name,
        })
        .collect()
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
    use std::time::Duration;

    use vincula_upstream::{FailedResponse, XsrfChange};

    use super::*;

    #[test]
    fn wait_of_a_busy_upstream_is_rounded_up() {
        for (wait, seconds) in [
            (None, None),
            (Some(Duration::ZERO), Some(0)),
            (Some(Duration::from_millis(7001)), Some(8)),
            (Some(Duration::from_secs(300)), Some(300)),
        ] {
            let error = CallError::Failed(FailedResponse {
                http_status: 429,
                meta_status: None,
                reason: Reason::Busy,
                message: None,
                retry_after: wait,
                xsrf: XsrfChange::None,
            });
            assert_eq!(list_failure(&error).retry_after_secs, seconds, "{wait:?}");
        }
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
