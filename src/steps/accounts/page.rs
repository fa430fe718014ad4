//! The page of the accounts.

use leptos::prelude::*;

use super::island::LiveAccounts;
use crate::{
    app::{Document, Facts, Islands, parts::ConnectAgain, request},
    routes,
    session::Visit,
    site::React,
    words,
};

const FACTS: Facts = Facts {
    layout: Some("list"),
    islands: Islands::Needed,
    next: Some(React::BankForm),
    ..Facts::new("accounts", words::title::ACCOUNTS)
};

#[component]
pub fn AccountsPage() -> impl IntoView {
    let request = request();
    let context = request.context();
    let is_cancelled = context.cancelled;
    let name = context.client_name.clone().into_inner();
    let name = (!name.is_empty()).then(|| view! { ", " <span translate="no">{name}</span> });
    let notice = (!is_cancelled)
        .then(|| visit_notice(&request.session().visit))
        .flatten();
    let has_notice = notice.is_some();
    let facts = Facts {
        names_contact: !is_cancelled,
        ..FACTS
    };
    view! {
        <Document facts context=Some(context)>
            <section class="step">
                <h1 class="step__title" tabindex="-1">
                    {words::HELLO} {name} "!"
                </h1>
                {is_cancelled.then(|| view! { <AllCancelled/> })}
                {notice.map(|notice| view! { <OfVisit notice/> })}
                <LiveAccounts has_notice/>
            </section>
        </Document>
    }
}

/// What the accounts screen says of the last visit to the bank.
#[derive(Debug, Clone, PartialEq, Eq)]
enum VisitNotice {
    /// Connect was closed without a linking with this bank, whose name may be empty.
    Unfinished(String),
    /// Connect was opened, and neither closed nor finished: a bank's app may have kept its tab.
    LeftOpen,
    /// The bank has sent the client back, and only the client knows whether an account was linked.
    Returned,
}

fn visit_notice(visit: &Visit) -> Option<VisitNotice> {
    match visit {
        Visit::Closed(bank) => Some(VisitNotice::Unfinished(bank.name.clone())),
        Visit::ConnectOpen(Some(_)) => Some(VisitNotice::LeftOpen),
        Visit::Returned => Some(VisitNotice::Returned),
        Visit::None | Visit::BankChosen(_) | Visit::ConnectOpen(None) => None,
    }
}

/// The text after a cancellation. It must agree with the success screen of the cancellation, which
/// refers to the firm.
#[component]
fn AllCancelled() -> impl IntoView {
    view! {
        <p class="step__lead">{words::CANCELLED_LEAD}</p>
        <ConnectAgain/>
    }
}

/// Says that Connect was closed without a linking, with a link to try again, or that an account that
/// was approved at the bank will appear. The page's module removes the first if the tab keeps an item
/// (`page/items.ts`).
#[component]
fn OfVisit(notice: VisitNotice) -> impl IntoView {
    match notice {
        VisitNotice::Unfinished(bank) => view! {
            <div class="notice notice--warning linking linking--due" id="not-linked">
                <p><strong>{words::not_linked(&bank)}</strong></p>
                <p class="actions">
                    <a class="button button--primary" href=routes::SELECT_BANK>{words::retry(&bank)}</a>
                </p>
            </div>
        }
        .into_any(),
        VisitNotice::LeftOpen => {
            view! { <div class="notice linking"><p>{words::LEFT_OPEN}</p></div> }.into_any()
        }
        VisitNotice::Returned => {
            view! { <div class="notice linking"><p>{words::RETURNED}</p></div> }.into_any()
        }
    }
}
