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
    accounts::{IntegrateLink, RenewalLink},
    table::{AccountsTable, KnownAccounts, ListState},
};

use crate::{page_request::request, parts::ContactLine};

#[component]
pub fn AccountsPage() -> impl IntoView {
    let request = request();
    let context = request.context.clone()?;
    let cancelled_at = request.cancelled_at.clone();
    let left_connect = request.left_connect.clone();
    let (title, firm) = (
        words::greeting(&context.client_name),
        context.customer_name.clone(),
    );
    let is_cancelled = cancelled_at.is_some();
    Some(view! {
        <section class="step">
            <h1 class="step__title" tabindex="-1">{title}</h1>
            {match cancelled_at {
                Some(when) => view! { <AllCancelled when firm=firm.clone()/> }.into_any(),
                None => left_connect.map(|bank| view! { <NotLinked bank/> }).into_any(),
            }}
            {match request.listed.clone() {
                Some(list) if is_cancelled => {
                    let known = RwSignal::new(KnownAccounts::new(ListState::Listed(list), &context));
                    view! { <AccountsTable known firm/> }.into_any()
                }
                Some(list) => view! { <ListedAccounts context list/> }.into_any(),
                None => view! {
                    <WithoutScript/>
                    <LiveAccounts/>
                }
                .into_any(),
            }}
        </section>
    })
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
    let some = !list.accounts.is_empty();
    let known = KnownAccounts::new(ListState::Listed(list), &context);
    let PageContext {
        customer_name: firm,
        authorized,
        renewal_due,
        ..
    } = context;
    let may_withdraw = known.may_withdraw(authorized);
    let lead = if renewal_due {
        words::ACCOUNTS_LEAD_RENEWAL
    } else {
        known.lead()
    };
    view! {
        <p class="step__lead">{lead}</p>
        {renewal_due.then(|| view! { <RenewalLink/> })}
        <div class="step__section"><IntegrateLink renewal_due/></div>
        <AccountsTable known=RwSignal::new(known) firm/>
        <p class="actions">
            <a class="button button--secondary" href=format!("?{}", routes::LISTED)>{words::LIST_AGAIN}</a>
        </p>
        {some.then(|| view! {
            <p class="step__way-out">
                {words::CANCEL_QUESTION} " " <a class="link-quiet" href=routes::CANCEL_CONFIRM aria-label=words::CLICK_HERE_TO_CANCEL>
                    {words::CLICK_HERE}
                </a>
            </p>
        })}
        {may_withdraw.then(|| view! {
            <p class="step__way-out"><a class="link-quiet" href=routes::CANCEL_CONFIRM>{words::WITHDRAW}</a></p>
        })}
    }
}
