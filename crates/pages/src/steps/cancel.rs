//! `/cancel/confirm` and `/cancel/success`: cancels every integration of the client.

use leptos::prelude::*;
use vincula_domain::{routes, wire::Context, words};
use vincula_islands::{
    CancelPanel,
    table::{AccountsTable, KnownAccounts, ListState},
};

use crate::{
    page_request::{PageRequest, request},
    parts::{BackLink, ContactLine},
    steps::accounts::WithoutScript,
};

#[component]
pub fn CancelConfirmPage() -> impl IntoView {
    let PageRequest { context, listed, .. } = request();
    let context = context?;
    let accounts = match listed {
        Some(_) => format!("{}?{}", routes::ACCOUNTS, routes::LISTED),
        None => routes::ACCOUNTS.to_owned(),
    };
    let known = listed.map(|list| KnownAccounts::new(ListState::Listed(list), &context));
    Some(view! {
        <section class="step">
            <BackLink to=accounts.clone()/>
            {match known {
                Some(known) if !context.authorized && known.is_empty() => view! { <NothingToCancel accounts/> }.into_any(),
                Some(known) => view! { <ListedCancel context known accounts/> }.into_any(),
                None => view! {
                    <CancelPanel/>
                    <WithoutScript/>
                }.into_any(),
            }}
        </section>
    })
}

/// The accounts, and the button as a form that works without JavaScript.
#[component]
fn ListedCancel(context: Context, known: KnownAccounts, accounts: String) -> impl IntoView {
    let is_bare = known.is_empty();
    let title = if is_bare { words::WITHDRAW_TITLE } else { words::CANCEL_TITLE };
    view! {
        <h1 class="step__title" tabindex="-1">{title}</h1>
        {match is_bare {
            true => view! { <p class="step__lead">{words::WITHDRAW_LEAD}</p> }.into_any(),
            false => view! { <AccountsTable known=RwSignal::new(known) to_cancel=true/> }.into_any(),
        }}
        <p class="notice notice--warning">{words::cancel_note(&context.customer_name)}</p>
        <form method="post" action=routes::CANCEL_CONFIRM>
            <input type="hidden" name="session" value=context.session/>
            <div class="actions">
                <button class="button button--danger" type="submit">{words::CANCEL_ALL}</button>
                <a class="link-quiet" href=accounts>{words::CANCEL_BACK}</a>
            </div>
        </form>
    }
}

#[component]
fn NothingToCancel(accounts: String) -> impl IntoView {
    view! {
        <h1 class="step__title" tabindex="-1">{words::CANCEL_NOTHING}</h1>
        <p>{words::CANCEL_NOTHING_YET}</p>
        <div class="actions">
            <a class="button button--secondary" href=accounts>{words::CANCEL_TO_ACCOUNTS}</a>
        </div>
    }
}

#[component]
pub fn CancelSuccessPage() -> impl IntoView {
    let PageRequest { firm, cancelled_at, .. } = request();
    let (firm, cancelled_at) = (firm?, cancelled_at.unwrap_or_default());
    Some(view! {
        <section class="step step--success">
            <div class="step__head">
                <img class="success-mark" src="/illustrations/success-mark.svg" alt="" width="64" height="64"/>
                <h1 class="step__title" tabindex="-1" autofocus=true>{words::CANCELLED_TITLE}</h1>
                <p class="step__lead">{words::cancelled_lead(&cancelled_at, &firm)}</p>
            </div>
            <ContactLine/>
            <p>{words::cancel_meaning(&firm)} " " {words::CANCELLED_AT_BANK}</p>
            <p>{words::CANCELLED_CLOSE}</p>
        </section>
    })
}
