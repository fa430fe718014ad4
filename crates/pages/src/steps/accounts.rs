//! `/integration/accounts`: the linked accounts, live (spec §2, "Accounts screen").

use leptos::prelude::*;
use vincula_domain::{
    routes,
    wire::{Account, Context},
    words,
};
use vincula_islands::{
    LiveAccounts,
    table::{AccountsState, AccountsTable},
};

/// `listed`: the accounts, if the server has listed them for a browser without JavaScript.
#[component]
pub fn AccountsPage(context: Context, listed: Option<Vec<Account>>) -> impl IntoView {
    view! {
        <section class="step">
            <h1 class="step__title" tabindex="-1">{words::greeting(&context.client_name)}</h1>
            {match listed {
                Some(accounts) => view! { <ListedAccounts firm=context.customer_name accounts/> }.into_any(),
                None => view! { <WithoutScript/> <LiveAccounts/> }.into_any(),
            }}
        </section>
    }
}

/// What a browser without JavaScript shows instead of the live table.
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

/// The accounts at the time of rendering, and the links to other steps.
#[component]
fn ListedAccounts(firm: String, accounts: Vec<Account>) -> impl IntoView {
    let some = !accounts.is_empty();
    let lead = if some { words::accounts_lead(&firm) } else { words::ACCOUNTS_LEAD_NONE.to_owned() };
    view! {
        <p class="step__lead">{lead}</p>
        <div class="actions">
            <a class="button button--primary" href=routes::WIDGET>{words::INTEGRATE}</a>
            <a class="button button--secondary" href=format!("?{}", routes::LISTED)>{words::LIST_AGAIN}</a>
        </div>
        <p class="notice">{words::ACCOUNTS_NOTE}</p>
        <AccountsTable known=RwSignal::new(AccountsState::Listed(accounts))/>
        {some.then(|| view! {
            <p class="step__way-out">
                {words::CANCEL_QUESTION} " " <a class="link-quiet" href=routes::CANCEL_CONFIRM aria-label=words::CLICK_HERE_TO_CANCEL>
                    {words::CLICK_HERE}
                </a>
            </p>
        })}
    }
}
