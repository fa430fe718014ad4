//! `/integration/accounts`: the live list of linked accounts.

#[cfg(feature = "ssr")]
use std::hash::{DefaultHasher, Hash, Hasher};

use leptos::{prelude::*, server_fn::codec::Json};
#[cfg(feature = "ssr")]
use vincula_domain::wire::Account;
use vincula_domain::wire::{self, Accounts};

use crate::failure::Failure;
#[cfg(feature = "ssr")]
use crate::steps::{action::SessionAction, from_upstream};

/// The authorised accounts: `POST /api/list_accounts`, upstream `GET /list-accounts`. Never changes
/// the session, so that a poll cannot undo what another request has changed: an XSRF token in the
/// response is not kept. If the page already has the same list, the response is a few bytes.
#[server(prefix = "/api", endpoint = "list_accounts", input = Json)]
pub async fn list_accounts(input: wire::ListAccounts) -> Result<Accounts, Failure> {
    let action = SessionAction::of_page(&input.session)?;
    let (upstream, caller) = action.upstream();
    let accounts = upstream
        .list_accounts(&caller)
        .await
        .map_err(|error| action.responder.list_failure(&error))?
        .data;
    let accounts = from_upstream::accounts(accounts);
    let digest = digest_of(&accounts);
    let is_known = input.known.as_ref() == Some(&digest);
    Ok(Accounts {
        digest,
        accounts: (!is_known).then_some(accounts),
    })
}

/// 64-bit digest of a list. It is the same in every process of one build, so that replicas agree;
/// another build may compute another one, which costs one full response.
#[cfg(feature = "ssr")]
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
            let [bank, agency, number, name] = texts.map(str::to_owned);
            Account {
                brand: String::new(),
                bank,
                agency,
                number,
                name,
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
