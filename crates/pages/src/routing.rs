//! Which page stands at which route. No markup of a step.

use std::sync::Arc;

use leptos::prelude::*;
use leptos_router::{
    SsrMode, StaticSegment,
    components::{FlatRoutes, Route, Router},
    path,
};
use vincula_domain::{problem::Problem, wire::Context};

use crate::{
    page_request::{PageRequest, View},
    site::Site,
    steps::{
        accessibility::AccessibilityPage,
        accounts::AccountsPage,
        bank_form::BankFormPage,
        cancel::{CancelConfirmPage, CancelSuccessPage},
        connect::ConnectPage,
        consent::ConsentPage,
        entry::EntryPage,
        problem::{NotFoundPage, ProblemPage},
        success::SuccessPage,
    },
};

/// The table of routes. Which of them may be seen is decided before (the session's guard).
#[component]
pub fn App() -> impl IntoView {
    view! {
        <Router>
            <FlatRoutes fallback=NotFound>
                <Route path=StaticSegment("") view=Entry ssr=SsrMode::Async/>
                <Route path=path!("/error/:type") view=ProblemOfPath ssr=SsrMode::Async/>
                <Route path=path!("/integration/widget") view=Widget ssr=SsrMode::Async/>
                <Route path=path!("/integration/accounts") view=Accounts ssr=SsrMode::Async/>
                <Route path=path!("/integration/select-bank") view=BankForm ssr=SsrMode::Async/>
                <Route path=path!("/integration/new") view=NotFound ssr=SsrMode::Async/>
                <Route path=path!("/integration/update") view=Widget ssr=SsrMode::Async/>
                <Route path=path!("/integration/success") view=Success ssr=SsrMode::Async/>
                <Route path=path!("/cancel/confirm") view=CancelConfirm ssr=SsrMode::Async/>
                <Route path=path!("/acessibilidade") view=AccessibilityPage ssr=SsrMode::Async/>
                <Route path=path!("/cancel/success") view=CancelSuccessPage ssr=SsrMode::Async/>
            </FlatRoutes>
        </Router>
    }
}

#[component]
fn Entry() -> impl IntoView {
    view! { <EntryPage nonce=page().nonce.clone()/> }
}

#[component]
fn Widget() -> impl IntoView {
    let page = page();
    let chunk = site().manifest.chunk(page.view.name());
    with_context(move |context| {
        if page.view == View::Connect {
            return view! { <ConnectPage chunk/> }.into_any();
        }
        view! { <ConsentPage context document=page.client_document.clone() chunk/> }.into_any()
    })
}

#[component]
fn Accounts() -> impl IntoView {
    let listed = page().listed.clone();
    with_context(|context| view! { <AccountsPage context listed/> }.into_any())
}

#[component]
fn CancelConfirm() -> impl IntoView {
    let listed = page().listed.clone();
    with_context(|context| view! { <CancelConfirmPage context listed/> }.into_any())
}

#[component]
fn Success() -> impl IntoView {
    with_context(|context| view! { <SuccessPage context/> }.into_any())
}

#[component]
fn BankForm() -> impl IntoView {
    with_context(move |context| {
        let chunk = site().manifest.chunk(View::BankForm.name());
        context.bank_form.map(|context| view! { <BankFormPage context chunk/> }).into_any()
    })
}

#[component]
fn ProblemOfPath() -> impl IntoView {
    let page = page();
    let (support_code, nonce) = (page.support_code.clone(), page.nonce.clone());
    view! { <ProblemPage problem=Problem::of_slug(&page.slug) support_code nonce/> }
}

#[component]
fn NotFound() -> impl IntoView {
    let page = page();
    view! { <NotFoundPage support_code=page.support_code.clone() nonce=page.nonce.clone()/> }
}

fn page() -> Arc<PageRequest> {
    expect_context()
}

fn site() -> Arc<Site> {
    expect_context()
}

/// Draws with the context of the session, which the guard has seen to; the islands of the page find it, too.
fn with_context(draw: impl FnOnce(Context) -> AnyView) -> AnyView {
    page()
        .context
        .clone()
        .map(|context| {
            provide_context(context.clone());
            draw(context)
        })
        .into_any()
}
