//! The list of accounts.

use std::hash::{DefaultHasher, Hash, Hasher};

use vincula_domain::bank::brand_of;

use crate::{
    actions::{ActionContext, ActionError, BrowserSession},
    wire::{Account, Accounts, ListAccountsInput},
};

/// The authorised accounts. Never changes the session, so that a poll cannot undo what another
/// request has changed: an XSRF token in the response is not kept.
pub async fn list_accounts(
    context: &ActionContext,
    session: &mut BrowserSession,
    input: ListAccountsInput,
) -> Result<Accounts, ActionError> {
    let session = session.of_page(&input.session)?;
    let (upstream, caller) = context.upstream(&session);
    let called = upstream.list_accounts(&caller).await;
    let accounts: Vec<_> = called
        .map_err(ActionError::List)?
        .data
        .into_iter()
        .map(with_brand)
        .collect();
    let digest = digest_of(&accounts);
    let is_known = input.known.as_ref() == Some(&digest);
    Ok(Accounts {
        digest,
        accounts: (!is_known).then_some(accounts),
    })
}

/// An account as pages get it, with the brand of its bank.
fn with_brand(account: vincula_upstream::Account) -> Account {
    Account {
        brand: brand_of(&account.bank).unwrap_or_default().to_owned(),
        bank: account.bank,
        agency: account.agency,
        number: account.number,
        name: account.name,
    }
}

/// 64-bit digest of a list. It is the same in every process of one build, so that replicas agree;
/// another build may compute another one, which costs one full response.
fn digest_of(list: &[Account]) -> String {
    let mut hasher = DefaultHasher::new();
    list.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_changes_with_every_field_and_with_the_order() {
        let account = |texts: [&str; 4]| {
            let [bank, agency, number, name] = texts;
            Account {
                brand: String::new(),
                bank: bank.into(),
                agency: agency.into(),
                number: number.into(),
                name: name.into(),
            }
        };
        let (a, b) = (account(["B", "1", "2", "N"]), account(["B", "12", "", "N"]));
        let lists = [
            vec![],
            vec![a.clone()],
            vec![b.clone()],
            vec![a.clone(), b.clone()],
            vec![b, a],
        ];
        let digests: std::collections::HashSet<_> =
            lists.iter().map(|list| digest_of(list)).collect();
        assert_eq!(digests.len(), lists.len());
        assert!(digests.iter().all(|digest| digest.len() == 16));
    }
}
