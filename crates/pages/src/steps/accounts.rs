//! `/integration/accounts`: the linked accounts, live.

use leptos::prelude::*;
use vincula_domain::{
    destination::{Destination, PageFlag},
    routes::{self, Page},
    wire::{AccountList, PageContext},
    words,
};
use vincula_islands::{
    LiveAccounts,
    accounts::{IntegrateLink, RenewalLink, WaysOut},
    table::{AccountsTable, KnownAccounts, ListState},
};

use crate::{
    page_request::{context, request},
    parts::ContactLine,
};

#[component]
pub fn AccountsPage() -> impl IntoView {
    let request = request();
    let context = context();
    let cancelled_at = context.cancelled_at.clone();
    let left_connect = request.left_connect.clone();
    let title = words::greeting(&context.client_name);
    let firm = context.customer_name.clone();
    view! {
        <section class="step">
            <h1 class="step__title" tabindex="-1">{title}</h1>
            {match cancelled_at {
                Some(when) => view! { <AllCancelled when firm/> }.into_any(),
                None => left_connect.map(|bank| view! { <NotLinked bank/> }).into_any(),
            }}
            {match request.listed.clone() {
                Some(list) => view! { <ListedAccounts context list/> }.into_any(),
                None => view! {
                    <WithoutScript/>
                    <LiveAccounts/>
                }
                .into_any(),
            }}
        </section>
    }
}

/// The text after a cancellation. It must agree with the success screen of the cancellation, which
/// refers to the firm.
#[component]
fn AllCancelled(when: String, firm: String) -> impl IntoView {
    view! {
        <p class="step__lead">{words::cancelled_lead(&when, &firm)}</p>
        <ContactLine/>
        <div class="actions">
            <a class="button button--secondary" href=routes::WIDGET>{words::INTEGRATE}</a>
        </div>
    }
}

/// Says once that Connect was left without a linking, with a link to try the same bank again. The
/// page's module removes it if the tab keeps an item (`page/step.ts`).
#[component]
fn NotLinked(bank: String) -> impl IntoView {
    let again = Destination::Page(Page::SelectBank, Some(PageFlag::Retry)).to_string();
    view! {
        <div class="notice" id="not-linked">
            <p>{words::not_linked(&bank)} " " <a class="link-quiet" href=again>{words::retry(&bank)}</a></p>
        </div>
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
fn ListedAccounts(context: PageContext, list: AccountList) -> impl IntoView {
    let known = KnownAccounts::new(ListState::Listed(list), &context);
    let PageContext {
        customer_name: firm,
        authorized,
        has_receipt,
        cancelled_at,
        renewal_due,
        ..
    } = context;
    let cancelled = cancelled_at.is_some();
    let lead = if renewal_due {
        words::ACCOUNTS_LEAD_RENEWAL
    } else {
        known.lead()
    };
    let known = RwSignal::new(known);
    view! {
        // After a cancellation, the page around the list has its own text.
        {(!cancelled).then(|| view! {
            <p class="step__lead">{lead}</p>
            {renewal_due.then(|| view! { <RenewalLink/> })}
            <div class="step__section"><IntegrateLink renewal_due/></div>
        })}
        <AccountsTable known firm/>
        <p class="actions">
            <a class="button button--secondary" href=format!("?{}", routes::LISTED)>{words::LIST_AGAIN}</a>
        </p>
        <WaysOut known authorized has_receipt cancelled/>
    }
}
