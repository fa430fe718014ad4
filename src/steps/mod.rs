//! The steps and their routes. A step is a folder with its page, its server functions, its actions, its
//! island and its tests.

pub mod accessibility;
pub mod accounts;
pub mod bank_form;
pub mod cancel;
pub mod connect;
pub mod consent;
pub mod entry;
pub mod problem;
pub mod success;

#[cfg(feature = "ssr")]
use {
    self::{
        accessibility::page::AccessibilityPage,
        accounts::page::AccountsPage,
        bank_form::page::BankFormPage,
        cancel::page::{CancelConfirmPage, CancelSuccessPage},
        connect::page::{ConnectPage, UpdatePage},
        consent::page::ConsentPage,
        entry::page::EntryPage,
        problem::page::{NotFoundPage, ProblemPage},
        success::page::SuccessPage,
    },
    crate::app::{PageRequest, request},
    leptos::prelude::*,
    leptos_router::{
        SsrMode,
        components::{FlatRoutes, Route, Router},
        path,
    },
    std::sync::Arc,
};

/// The routes of the product. The session's middleware has already checked that the session may view
/// the page. Each page renders its whole document.
///
/// Documents are not streamed, because streaming puts late content into scripts, and scripts do not
/// run in place of the entry or without JavaScript.
#[cfg(feature = "ssr")]
#[component]
pub fn App() -> impl IntoView {
    // The router resolves dots, and would find a page at `/x/../cancel/confirm`, where the guard
    // found none. Without a request, the framework lists the routes.
    if use_context::<Arc<PageRequest>>().is_some_and(|request| request.page.is_none()) {
        return view! { <NotFoundPage/> }.into_any();
    }
    view! {
        <Router>
            <FlatRoutes fallback=NotFoundPage>
                <Route ssr=SsrMode::Async path=path!("/") view=EntryPage/>
                <Route ssr=SsrMode::Async path=path!("/error/:type") view=ProblemPage/>
                <Route ssr=SsrMode::Async path=path!("/integration/widget") view=WidgetPage/>
                <Route ssr=SsrMode::Async path=path!("/integration/accounts") view=AccountsPage/>
                <Route ssr=SsrMode::Async path=path!("/integration/select-bank") view=BankFormPage/>
                // The guard redirects it.
                <Route ssr=SsrMode::Async path=path!("/integration/new") view=NotFoundPage/>
                <Route ssr=SsrMode::Async path=path!("/integration/update") view=UpdatePage/>
                <Route ssr=SsrMode::Async path=path!("/integration/success") view=SuccessPage/>
                <Route ssr=SsrMode::Async path=path!("/cancel/confirm") view=CancelConfirmPage/>
                <Route ssr=SsrMode::Async path=path!("/cancel/success") view=CancelSuccessPage/>
                <Route ssr=SsrMode::Async path=path!("/acessibilidade") view=AccessibilityPage/>
            </FlatRoutes>
        </Router>
    }
    .into_any()
}

/// The consent, and after the bank form Pluggy Connect: the session decides.
#[cfg(feature = "ssr")]
#[component]
fn WidgetPage() -> impl IntoView {
    if request().session().visit.bank().is_some() {
        view! { <ConnectPage/> }.into_any()
    } else {
        view! { <ConsentPage/> }.into_any()
    }
}
