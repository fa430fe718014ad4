//! `/integration/accounts`: the linked accounts, live.

use leptos::prelude::*;
use vincula_domain::{
    routes,
    wire::{Account, PageContext},
    words,
};

use crate::{
    islands::{
        accounts::{IntegrateLink, LinkedLine, LiveAccounts, RenewalLink, WaysOut},
        table::{AccountsTable, ListState},
    },
    pages::{
        page_request::{VisitNotice, context, request},
        parts::{ContactLine, ItemRefused},
    },
};

#[component]
pub fn AccountsPage() -> impl IntoView {
    let request = request();
    let context = context();
    let title = words::greeting(&context.client_name);
    let firm = context.customer_name.clone();
    view! {
        <section class="step">
            <h1 class="step__title" tabindex="-1">{title}</h1>
            <ItemRefused/>
            // The page's module shows it while the browser keeps an item.
            <p class="notice" id="item-kept" hidden>{words::item_kept(&firm)}</p>
            {if context.cancelled {
                view! { <AllCancelled firm/> }.into_any()
            } else {
                request.notice.clone().map(|notice| view! { <OfVisit notice/> }).into_any()
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
fn AllCancelled(firm: String) -> impl IntoView {
    view! {
        <p class="step__lead">{words::cancelled_lead(&firm)}</p>
        <ContactLine/>
        <div class="actions">
            <a class="button button--secondary" href=routes::INTEGRATE>{words::INTEGRATE}</a>
        </div>
    }
}

/// Says that Connect was closed without a linking, with a link to try again, or that the bank has
/// sent the client back. The page's module removes the first if the tab keeps an item
/// (`page/step.ts`).
#[component]
fn OfVisit(notice: VisitNotice) -> impl IntoView {
    match notice {
        VisitNotice::Unfinished(bank) => view! {
            <div class="notice" id="not-linked">
                <p>
                    {words::not_linked(&bank)} " "
                    <a class="link-quiet" href=routes::SELECT_BANK>{words::retry(&bank)}</a>
                </p>
            </div>
        }
        .into_any(),
        VisitNotice::Returned => {
            view! { <div class="notice"><p>{words::RETURNED}</p></div> }.into_any()
        }
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
fn ListedAccounts(context: PageContext, list: Vec<Account>) -> impl IntoView {
    let list = ListState::Listed(list);
    let PageContext {
        authorized,
        cancelled,
        renewal_due,
        linking,
        ..
    } = context;
    let lead = if renewal_due {
        words::ACCOUNTS_LEAD_RENEWAL
    } else {
        list.lead(linking.as_ref())
    };
    let list = RwSignal::new(list);
    view! {
        // After a cancellation, the page around the list has its own text.
        {(!cancelled).then(|| view! {
            <p class="step__lead">{lead}</p>
            {renewal_due.then(|| view! { <RenewalLink/> })}
            <div class="step__section"><IntegrateLink renewal_due/></div>
            <LinkedLine linking/>
        })}
        <AccountsTable list/>
        <p class="actions">
            <a class="button button--secondary" href=format!("?{}", routes::LISTED)>{words::LIST_AGAIN}</a>
        </p>
        <WaysOut list authorized/>
    }
}
