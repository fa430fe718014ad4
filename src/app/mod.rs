//! The table of routes, and which page stands at each. No markup of a step.

mod ahead;
mod document;
mod drawing;

pub use document::shell;
pub use drawing::HeadScript;

use std::sync::Arc;

use drawing::{Drawing, View};
use leptos::prelude::*;
use leptos_router::{
    SsrMode, StaticSegment,
    components::{FlatRoutes, Route, Router},
    path,
};

use crate::{
    error::Problem,
    server::AppState,
    session::acting::{of_request, served},
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
    let drawing = drawing();
    view! { <EntryPage nonce=drawing.nonce.clone()/> }
}

#[component]
fn Widget() -> impl IntoView {
    let drawing = drawing();
    let chunk = served::<AppState>().manifest.chunk(drawing.view.name());
    with_context(move |context| {
        if drawing.view == View::Connect {
            return view! { <ConnectPage chunk/> }.into_any();
        }
        let document = drawing.session.as_ref().map(|session| session.client.cpfcnpj.masked()).unwrap_or_default();
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
    with_context(move |context| {
        let chunk = served::<AppState>().manifest.chunk(View::BankForm.name());
        context.bank_form.map(|context| view! { <BankFormPage context chunk/> }).into_any()
    })
}

#[component]
fn ProblemOfPath() -> impl IntoView {
    let drawing = drawing();
    let (support_code, nonce) = (drawing.support_code.clone(), drawing.nonce.clone());
    view! { <ProblemPage problem=Problem::of_slug(&drawing.slug) support_code nonce/> }
}

#[component]
fn NotFound() -> impl IntoView {
    let drawing = drawing();
    view! { <NotFoundPage support_code=drawing.support_code.clone() nonce=drawing.nonce.clone()/> }
}

/// What is being drawn.
fn drawing() -> Arc<Drawing> {
    served()
}

/// The accounts, where the server has listed them for a browser without JavaScript.
fn listed() -> Option<Vec<Account>> {
    of_request(|parts| parts.extensions.get::<Listed>().map(|listed| listed.0.clone()))
}

/// Draws with the context of the session, which the guard has seen to; the islands of the page find it, too.
fn with_context(draw: impl FnOnce(Context) -> AnyView) -> AnyView {
    let context = drawing().context();
    context
        .map(|context| {
            provide_context(context.clone());
            draw(context)
        })
        .into_any()
}
