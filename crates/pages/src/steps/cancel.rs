//! `/cancel/confirm` and `/cancel/success`: cancels every integration of the client (spec §2, §4).

use leptos::prelude::*;
use vincula_domain::{
    routes,
    wire::{Account, Context},
    words,
};
use vincula_islands::{
    CancelPanel,
    table::{AccountsState, AccountsTable},
};

use crate::steps::accounts::WithoutScript;

/// `listed`: the accounts, if the server has listed them for a browser without JavaScript.
#[component]
pub fn CancelConfirmPage(context: Context, listed: Option<Vec<Account>>) -> impl IntoView {
    view! {
        <section class="step">
            <h1 class="step__title" tabindex="-1">{words::CANCEL_TITLE}</h1>
            {match listed {
                Some(accounts) => view! { <ListedCancel session=context.session accounts/> }.into_any(),
                None => view! {
                    <WithoutScript/>
                    <CancelPanel/>
                }.into_any(),
            }}
        </section>
    }
}

/// The accounts, and the button as a form that works without JavaScript.
#[component]
fn ListedCancel(session: String, accounts: Vec<Account>) -> impl IntoView {
    view! {
        <AccountsTable known=RwSignal::new(AccountsState::Listed(accounts))/>
        <p class="notice notice--warning">{words::CANCEL_NOTE}</p>
        <form method="post" action=routes::CANCEL_CONFIRM>
            <input type="hidden" name="session" value=session/>
            <div class="actions">
                <button class="button button--danger" type="submit">{words::CANCEL_ALL}</button>
                <a class="link-quiet" href=format!("{}?{}", routes::ACCOUNTS, routes::LISTED)>{words::CANCEL_BACK}</a>
            </div>
        </form>
    }
}

#[component]
pub fn CancelSuccessPage() -> impl IntoView {
    view! {
        <section class="step step--success">
            <img class="success-mark" src="/illustrations/success-mark.svg" alt="" width="96" height="96"/>
            <h1 class="step__title" tabindex="-1" autofocus=true>{words::CANCELLED_TITLE}</h1>
            <p class="step__lead">{words::CANCELLED_LEAD}</p>
            <p>{words::CANCELLED_MEANING}</p>
        </section>
    }
}
