//! Which view stands at which route. No markup of a step.

use std::sync::Arc;

use leptos::prelude::*;
use leptos_router::{
    SsrMode,
    components::{FlatRoutes, Route, Router},
    path,
};
use vincula_domain::wire::Context;

use crate::{
    built::Site,
    page_request::{PageRequest, View},
    steps::{
        accessibility::AccessibilityPage,
        accounts::AccountsPage,
        bank_form::BankFormPage,
        cancel::{CancelConfirmPage, CancelSuccessPage, CancelledAccountsPage},
        connect::ConnectPage,
        consent::ConsentPage,
        entry::EntryPage,
        problem::{NotFoundPage, ProblemPage},
        receipt::ReceiptPage,
        success::SuccessPage,
    },
};

/// The table of routes. The session's middleware has decided before which of them the person may see.
#[component]
pub fn App() -> impl IntoView {
    view! {
        <Router>
            <FlatRoutes fallback=NotFound>
                <Route path=path!("/") view=EntryPage ssr=SsrMode::Async/>
                <Route path=path!("/error/:type") view=ProblemOfPath ssr=SsrMode::Async/>
                <Route path=path!("/integration/widget") view=Widget ssr=SsrMode::Async/>
                <Route path=path!("/integration/accounts") view=Accounts ssr=SsrMode::Async/>
                <Route path=path!("/integration/select-bank") view=BankForm ssr=SsrMode::Async/>
                <Route path=path!("/integration/new") view=NotFound ssr=SsrMode::Async/>
                <Route path=path!("/integration/update") view=Widget ssr=SsrMode::Async/>
                <Route path=path!("/integration/success") view=Success ssr=SsrMode::Async/>
                <Route path=path!("/integration/receipt") view=Receipt ssr=SsrMode::Async/>
                <Route path=path!("/cancel/confirm") view=CancelConfirm ssr=SsrMode::Async/>
                <Route path=path!("/cancel/success") view=CancelSuccess ssr=SsrMode::Async/>
                <Route path=path!("/acessibilidade") view=Accessibility ssr=SsrMode::Async/>
            </FlatRoutes>
        </Router>
    }
}

#[component]
fn Widget() -> impl IntoView {
    let page = page();
    let bundle = site().manifest.built().island(page.view.name());
    with_context(move |context| {
        if page.view == View::Connect {
            return view! { <ConnectPage context bundle/> }.into_any();
        }
        let (face, document, is_company) = (page.face.clone(), page.client_document.clone(), page.client_is_company);
        view! { <ConsentPage context face document is_company bundle/> }.into_any()
    })
}

#[component]
fn Accounts() -> impl IntoView {
    let page = page();
    let PageRequest { listed, cancelled_at, left_connect, face, .. } = (*page).clone();
    with_context(move |context| {
        if let Some(cancelled_at) = cancelled_at {
            return view! { <CancelledAccountsPage context listed face cancelled_at/> }.into_any();
        }
        view! { <AccountsPage context listed left_connect/> }.into_any()
    })
}

#[component]
fn CancelConfirm() -> impl IntoView {
    let listed = page().listed.clone();
    with_context(|context| view! { <CancelConfirmPage context listed/> }.into_any())
}

#[component]
fn CancelSuccess() -> impl IntoView {
    let page = page();
    let PageRequest { firm, face, cancelled_at, .. } = (*page).clone();
    firm.map(|firm| view! { <CancelSuccessPage firm face cancelled_at=cancelled_at.unwrap_or_default()/> })
}

#[component]
fn Success() -> impl IntoView {
    with_context(|context| view! { <SuccessPage context face=page().face.clone()/> }.into_any())
}

#[component]
fn Receipt() -> impl IntoView {
    let page = page();
    let PageRequest { receipt, firm, face, client_document, support_code, .. } = PageRequest::clone(&page);
    receipt.map(|receipt| {
        let firm = firm.unwrap_or_default();
        view! { <ReceiptPage receipt firm face document=client_document support_code/> }
    })
}

#[component]
fn BankForm() -> impl IntoView {
    with_context(move |context| {
        let bundle = site().manifest.built().island(View::BankForm.name());
        let firm = context.customer_name;
        context.bank_form.map(|context| view! { <BankFormPage context firm bundle/> }).into_any()
    })
}

#[component]
fn ProblemOfPath() -> impl IntoView {
    let page = page();
    let PageRequest { problem, recourse, firm, face, support_code, cancelled_at, .. } = (*page).clone();
    view! { <ProblemPage problem firm recourse face support_code cancelled_at/> }
}

#[component]
fn Accessibility() -> impl IntoView {
    let page = page();
    view! { <AccessibilityPage back=page.back.clone() firm=page.firm.clone()/> }
}

#[component]
fn NotFound() -> impl IntoView {
    let page = page();
    view! { <NotFoundPage back=page.back.clone() support_code=page.support_code.clone()/> }
}

fn page() -> Arc<PageRequest> {
    expect_context()
}

fn site() -> Arc<Site> {
    expect_context()
}

/// Renders with the context of the session, and provides it to the islands. The guard admits nobody without a session.
fn with_context(render: impl FnOnce(Context) -> AnyView) -> AnyView {
    page()
        .context
        .clone()
        .map(|context| {
            provide_context(context.clone());
            render(context)
        })
        .into_any()
}
