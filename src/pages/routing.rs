//! The routes, and which component renders which screen.

use std::sync::Arc;

use leptos::prelude::*;
use leptos_router::{
    SsrMode,
    components::{FlatRoutes, Route, Router},
    path,
};

use crate::{
    pages::{
        page_request::{PageRequest, request},
        steps::{
            accessibility::AccessibilityPage,
            accounts::AccountsPage,
            bank_form::BankFormPage,
            cancel::{CancelConfirmPage, CancelSuccessPage},
            connect::{ConnectPage, UpdatePage},
            consent::ConsentPage,
            entry::EntryPage,
            problem::{NotFoundPage, ProblemPage},
            success::SuccessPage,
        },
    },
    screen::Screen,
};

/// The routes of the product. The session's middleware has already checked that the session may view
/// the page.
///
/// Documents are not streamed, because streaming puts late content into scripts, and scripts do not
/// run in place of the entry or without JavaScript.
#[component]
pub fn App() -> impl IntoView {
    // The router resolves dots, and would find a page at `/x/../cancel/confirm`, where the guard
    // found none. Without a request, the framework lists the routes.
    if use_context::<Arc<PageRequest>>().is_some_and(|request| request.page.is_none()) {
        return view! { <CurrentScreen/> }.into_any();
    }
    view! {
        <Router>
            <FlatRoutes fallback=CurrentScreen>
                <Route ssr=SsrMode::Async path=path!("/") view=CurrentScreen/>
                <Route ssr=SsrMode::Async path=path!("/error/:type") view=CurrentScreen/>
                <Route ssr=SsrMode::Async path=path!("/integration/widget") view=CurrentScreen/>
                <Route ssr=SsrMode::Async path=path!("/integration/accounts") view=CurrentScreen/>
                <Route ssr=SsrMode::Async path=path!("/integration/select-bank") view=CurrentScreen/>
                <Route ssr=SsrMode::Async path=path!("/integration/new") view=CurrentScreen/>
                <Route ssr=SsrMode::Async path=path!("/integration/update") view=CurrentScreen/>
                <Route ssr=SsrMode::Async path=path!("/integration/success") view=CurrentScreen/>
                <Route ssr=SsrMode::Async path=path!("/cancel/confirm") view=CurrentScreen/>
                <Route ssr=SsrMode::Async path=path!("/cancel/success") view=CurrentScreen/>
                <Route ssr=SsrMode::Async path=path!("/acessibilidade") view=CurrentScreen/>
            </FlatRoutes>
        </Router>
    }
    .into_any()
}

/// The screen of the request. One path may have several: the session decides which.
#[component]
fn CurrentScreen() -> impl IntoView {
    match request().screen.clone() {
        Screen::Entry => view! { <EntryPage/> }.into_any(),
        Screen::Consent(screen) => view! { <ConsentPage screen/> }.into_any(),
        Screen::Connect(context) => view! { <ConnectPage context/> }.into_any(),
        Screen::Accounts(screen) => view! { <AccountsPage screen/> }.into_any(),
        Screen::BankForm(context) => view! { <BankFormPage context/> }.into_any(),
        Screen::Update(context) => view! { <UpdatePage context/> }.into_any(),
        Screen::Success(screen) => view! { <SuccessPage screen/> }.into_any(),
        Screen::CancelConfirm(_) => view! { <CancelConfirmPage/> }.into_any(),
        Screen::CancelSuccess { .. } => view! { <CancelSuccessPage/> }.into_any(),
        Screen::Problem(screen) => view! { <ProblemPage screen/> }.into_any(),
        Screen::NotFound { back } => view! { <NotFoundPage back/> }.into_any(),
        Screen::Accessibility { back } => view! { <AccessibilityPage back/> }.into_any(),
    }
}
