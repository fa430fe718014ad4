//! `/integration/accounts`: what is linked, live (spec §2, "Accounts screen").

use leptos::{prelude::*, server_fn::codec::Json};

use crate::{
    islands::{
        LiveAccounts,
        accounts::{AccountsTable, Rows},
    },
    routes,
    wire::{Account, Accounts, Context, Failure, FromPage},
    words,
};

/// The authorised accounts: `POST /api/list_accounts`, upstream `GET /list-accounts`. Never changes the session, so
/// that a poll cannot undo what another request of the same page has done.
///
/// # Errors
/// What the catalogue says (spec §8).
#[server(prefix = "/api", endpoint = "list_accounts", input = Json)]
pub async fn list_accounts(input: FromPage) -> Result<Accounts, Failure> {
    let mut acting = crate::session::Acting::begin(&input.session)?;
    let accounts = acting.ask(async move |upstream, caller| upstream.list_accounts(&caller).await).await?;
    Ok(Accounts { accounts })
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
                    <LiveAccounts session=context.session/>
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
        <AccountsTable rows=Signal::stored(Rows::Listed(accounts))/>
        {some.then(|| view! {
            <p class="step__way-out">
                {words::CANCEL_QUESTION} " " <a class="link-quiet" href=routes::CANCEL_CONFIRM>{words::CLICK_HERE}</a>
            </p>
        })}
    }
}
