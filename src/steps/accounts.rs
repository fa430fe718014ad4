//! `/integration/accounts`: what is linked, live (spec §2, "Accounts screen").

use leptos::{prelude::*, server_fn::codec::Json};

use crate::{
    islands::{
        LiveAccounts,
        table::{AccountsTable, Known},
    },
    routes,
    wire::{self, Account, Accounts, Context, Failure},
    words,
};

/// The authorised accounts: `POST /api/list_accounts`, upstream `GET /list-accounts`. Sets no cookie, so that a poll
/// cannot undo what another request has done; only where the session is about to end does it renew it. A page that knows
/// the list already is told so in a few bytes: most polls find nothing new.
///
/// # Errors
/// What the catalogue says (spec §8).
#[server(prefix = "/api", endpoint = "list_accounts", input = Json)]
pub async fn list_accounts(input: wire::ListAccounts) -> Result<Accounts, Failure> {
    let mut acting = crate::session::Acting::begin(&input.session)?;
    let (upstream, caller) = acting.line();
    let accounts = upstream.list_accounts(&caller).await.map_err(|error| acting.reply.told(&error))?.data;
    acting.keep_if_old()?;
    let digest = digest::of(&accounts);
    Ok(if input.known == Some(digest.clone()) { Accounts::Unchanged } else { Accounts::Listed { digest, accounts } })
}

/// `listed`: the accounts, where the server has listed them for a browser without JavaScript.
#[component]
pub fn AccountsPage(context: Context, listed: Option<Vec<Account>>) -> impl IntoView {
    view! {
        <section class="step">
            <h1 class="step__title" tabindex="-1">{words::greeting(&context.client_name)}</h1>
            <p class="step__lead">{words::ACCOUNTS_LEAD}</p>
            {match listed {
                Some(accounts) => view! { <ListedAccounts accounts/> }.into_any(),
                None => view! {
                    <WithoutScript/>
                    // The table is last: rows that arrive push nothing away from under a finger.
                    <div class="actions">
                        <a class="button button--primary" href=routes::WIDGET>{words::INTEGRATE}</a>
                    </div>
                    <p class="notice">{words::ACCOUNTS_NOTE}</p>
                    <LiveAccounts/>
                }.into_any(),
            }}
        </section>
    }
}

/// What a browser without JavaScript offers in place of the live table.
#[component]
pub fn WithoutScript() -> impl IntoView {
    view! {
        <noscript>
            <p class="actions">
                <a class="button button--secondary" href=format!("?{}", routes::LISTED)>{words::LIST_ACCOUNTS}</a>
            </p>
        </noscript>
    }
}

/// The accounts as they were when the page was made, and the ways on.
#[component]
fn ListedAccounts(accounts: Vec<Account>) -> impl IntoView {
    let some = !accounts.is_empty();
    view! {
        <div class="actions">
            <a class="button button--primary" href=routes::WIDGET>{words::INTEGRATE}</a>
            <a class="button button--secondary" href=format!("?{}", routes::LISTED)>{words::LIST_AGAIN}</a>
        </div>
        <p class="notice">{words::ACCOUNTS_NOTE}</p>
        <AccountsTable known=RwSignal::new(Known::Listed(accounts))/>
        {some.then(|| view! {
            <p class="step__way-out">
                {words::CANCEL_QUESTION} " " <a class="link-quiet" href=routes::CANCEL_CONFIRM>{words::CLICK_HERE}</a>
            </p>
        })}
    }
}

#[cfg(feature = "ssr")]
mod digest {
    use std::hash::{DefaultHasher, Hash, Hasher};

    use crate::wire::Account;

    /// 64 bits that stand for a list. The same in every process of one build, so that replicas agree; another build may
    /// count differently, which costs one full answer.
    pub fn of(accounts: &[Account]) -> String {
        let mut hasher = DefaultHasher::new();
        accounts.hash(&mut hasher);
        format!("{:016x}", hasher.finish())
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn the_digest_changes_with_every_field_and_with_the_order() {
            let account = |texts: [&str; 4]| {
                let [bank, agency, number, name] = texts.map(str::to_owned);
                Account { bank, agency, number, name }
            };
            let (a, b) = (account(["B", "1", "2", "N"]), account(["B", "12", "", "N"]));
            let lists = [vec![], vec![a.clone()], vec![b.clone()], vec![a.clone(), b.clone()], vec![b, a]];
            let digests: std::collections::HashSet<_> = lists.iter().map(|list| of(list)).collect();
            assert_eq!(digests.len(), lists.len());
            assert!(digests.iter().all(|digest| digest.len() == 16));
        }
    }
}
