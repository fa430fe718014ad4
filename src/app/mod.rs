//! The table of routes, and which page stands at each. No markup of a step.

mod ahead;
mod document;
mod drawing;

pub use document::shell;
pub use drawing::HeadScript;

use drawing::{Drawing, View};
use http::request::Parts;
use leptos::prelude::*;
use leptos_router::{
    SsrMode, StaticSegment,
    components::{Route, Router, Routes},
    path,
};

use crate::{
    error::Problem,
    islands::manifest::Manifest,
    session::acting::served,
    steps::{
        accessibility::AccessibilityPage,
        accounts::AccountsPage,
        bank_form::BankFormPage,
        cancel::{CancelConfirmPage, CancelSuccessPage},
        connect::ConnectPage,
        consent::ConsentPage,
        entry::EntryPage,
        problem::{NotFoundPage, ProblemPage},
        reading::Listed,
        success::SuccessPage,
    },
    wire::{Account, Context},
};

/// The table of routes. Which of them may be seen is decided before (`session/guard.rs`).
#[component]
pub fn App() -> impl IntoView {
    view! {
        <Router>
            <Routes fallback=NotFound>
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
            </Routes>
        </Router>
    }
}

#[component]
fn Entry() -> impl IntoView {
    let drawing: Drawing = served();
    view! { <EntryPage nonce=drawing.nonce/> }
}

#[component]
fn Widget() -> impl IntoView {
    let (drawing, manifest): (Drawing, Manifest) = (served(), served());
    let chunk = manifest.chunk(drawing.view.name());
    with_context(move |context| {
        if drawing.view == View::Connect {
            return view! { <ConnectPage chunk/> }.into_any();
        }
        let document = drawing.session.map(|session| session.client.cpfcnpj.masked()).unwrap_or_default();
        view! { <ConsentPage context document chunk/> }.into_any()
    })
}

#[component]
fn Accounts() -> impl IntoView {
    let listed = listed();
    with_context(|context| view! { <AccountsPage context listed/> }.into_any())
}

#[component]
fn CancelConfirm() -> impl IntoView {
    let listed = listed();
    with_context(|context| view! { <CancelConfirmPage context listed/> }.into_any())
}

#[component]
fn Success() -> impl IntoView {
    with_context(|context| view! { <SuccessPage context/> }.into_any())
}

#[component]
fn BankForm() -> impl IntoView {
    let manifest: Manifest = served();
    with_context(move |context| {
        let chunk = manifest.chunk("bank-form");
        context.bank_form.map(|context| view! { <BankFormPage context chunk/> }).into_any()
    })
}

#[component]
fn ProblemOfPath() -> impl IntoView {
    let drawing: Drawing = served();
    view! { <ProblemPage problem=Problem::of_slug(&drawing.slug) request_id=drawing.request_id nonce=drawing.nonce/> }
}

#[component]
fn NotFound() -> impl IntoView {
    let drawing: Drawing = served();
    view! { <NotFoundPage request_id=drawing.request_id nonce=drawing.nonce/> }
}

/// The accounts, where the server has listed them for a browser without JavaScript.
fn listed() -> Option<Vec<Account>> {
    let parts: Parts = served();
    parts.extensions.get::<Listed>().map(|listed| listed.0.clone())
}

/// Draws with the context of the session, which the guard has seen to; the islands of the page find it, too.
fn with_context(draw: impl FnOnce(Context) -> AnyView) -> AnyView {
    let context = served::<Drawing>().context();
    context
        .map(|context| {
            provide_context(context.clone());
            draw(context)
        })
        .into_any()
}
