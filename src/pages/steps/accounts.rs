//! `/integration/accounts`: the linked accounts, live.

use leptos::prelude::*;

use crate::{
    islands::accounts::LiveAccounts,
    pages::parts::ContactLine,
    routes,
    screen::{AccountsScreen, VisitNotice},
    words,
};

#[component]
pub fn AccountsPage() -> impl IntoView {
    let AccountsScreen { context, notice } = expect_context();
    let name = context.client_name.into_inner();
    let name = (!name.is_empty()).then(|| view! { ", " <span translate="no">{name}</span> });
    view! {
        <section class="step">
            <h1 class="step__title" tabindex="-1">
                {words::HELLO} {name} "!"
            </h1>
            {if context.cancelled {
                view! { <AllCancelled/> }.into_any()
            } else {
                notice.map(|notice| view! { <OfVisit notice/> }).into_any()
            }}
            <LiveAccounts/>
        </section>
    }
}

/// The text after a cancellation. It must agree with the success screen of the cancellation, which
/// refers to the firm.
#[component]
fn AllCancelled() -> impl IntoView {
    view! {
        <p class="step__lead">{words::CANCELLED_LEAD}</p>
        <ContactLine/>
    }
}

/// Says that Connect was closed without a linking, with a link to try again, or that the bank has
/// sent the client back. The page's module removes the first if the tab keeps an item
/// (`page/items.ts`).
#[component]
fn OfVisit(notice: VisitNotice) -> impl IntoView {
    match notice {
        VisitNotice::Unfinished(bank) => view! {
            <div class="notice" id="not-linked">
                <p>{words::not_linked(&bank)}</p>
                <p class="actions">
                    <a class="button button--secondary" href=routes::SELECT_BANK>{words::retry(&bank)}</a>
                </p>
            </div>
        }
        .into_any(),
        VisitNotice::Returned => {
            view! { <div class="notice"><p>{words::RETURNED}</p></div> }.into_any()
        }
    }
}
