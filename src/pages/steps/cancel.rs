//! `/cancel/confirm` and `/cancel/success`: cancels every integration of the client.

use leptos::prelude::*;
use vincula_domain::{
    destination::{Destination, PageFlag},
    routes::Page,
    wire::{Account, PageContext},
    words,
};

use crate::{
    islands::{
        cancel::{CancelForm, CancelPanel},
        table::{AccountsTable, ListState},
    },
    pages::{
        page_request::{context, firm, request},
        parts::{BackLink, ContactLine},
        steps::accounts::WithoutScript,
    },
};

/// The question and the button do not wait for the accounts, which are below them.
#[component]
pub fn CancelConfirmPage() -> impl IntoView {
    let request = request();
    let context = context();
    let flag = request.listed.as_ref().map(|_| PageFlag::Listed);
    let back = Destination::Page(Page::Accounts, flag);
    let accounts = back.to_string();
    let note = words::cancel_note(&context.customer_name);
    view! {
        <section class="step">
            <BackLink to=back/>
            <h1 class="step__title" tabindex="-1">{words::CANCEL_TITLE}</h1>
            <p class="notice notice--warning">{note}</p>
            {match request.listed.clone() {
                Some(list) => view! { <ListedCancel context list accounts/> }.into_any(),
                None => view! {
                    <CancelPanel/>
                    <WithoutScript/>
                }.into_any(),
            }}
        </section>
    }
}

/// The panel in place of [`CancelPanel`] for a browser without JavaScript that has requested the
/// list.
#[component]
fn ListedCancel(context: PageContext, list: Vec<Account>, accounts: String) -> impl IntoView {
    view! {
        <CancelForm session=context.session accounts/>
        {if list.is_empty() {
            view! { <p class="list-status">{words::CANCEL_EMPTY}</p> }.into_any()
        } else {
            view! { <AccountsTable list=RwSignal::new(ListState::Listed(list))/> }.into_any()
        }}
    }
}

#[component]
pub fn CancelSuccessPage() -> impl IntoView {
    let firm = firm();
    view! {
        <section class="step step--success">
            <div class="step__head">
                <img class="success-mark" src="/illustrations/success-mark.svg" alt="" width="64" height="64"/>
                <h1 class="step__title" tabindex="-1" autofocus=true>{words::CANCELLED_TITLE}</h1>
                <p class="step__lead">{words::cancelled_lead(&firm)}</p>
            </div>
            <ContactLine/>
            <p>{words::cancel_meaning(&firm)} " " {words::CANCELLED_AT_BANK}</p>
            // The page's module hides it while the browser keeps an item.
            <p id="may-close">{words::CANCELLED_CLOSE}</p>
        </section>
    }
}
