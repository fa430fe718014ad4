//! The list of accounts.

use vincula_domain::bank::brand_of;

use crate::{
    actions::{ActionContext, ActionError, BrowserSession},
    brasilia,
    wire::{AccountRow, Accounts, FromPage},
};

/// The authorised accounts. Never changes the session, so that a poll cannot undo what another
/// request has changed: an XSRF token in the response is not kept.
pub async fn list_accounts(
    context: &ActionContext,
    session: &mut BrowserSession,
    input: FromPage,
) -> Result<Accounts, ActionError> {
    let session = session.of_page(&input.session)?;
    let (upstream, caller) = context.upstream(&session);
    let called = upstream.list_accounts(&caller).await;
    let accounts = called.map_err(ActionError::List)?.data;
    Ok(Accounts {
        accounts: accounts.into_iter().map(with_brand).collect(),
        time: brasilia::time(context.now()),
    })
}

/// An account as pages get it, with the brand of its bank.
fn with_brand(account: vincula_upstream::Account) -> AccountRow {
    AccountRow {
        brand: brand_of(&account.bank).unwrap_or_default().to_owned(),
        bank: account.bank,
        agency: account.agency,
        number: account.number,
        name: account.name,
    }
}
