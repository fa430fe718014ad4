//! Which step stands at which route.

use leptos::prelude::*;
use leptos_router::{
    SsrMode,
    components::{FlatRoutes, Route, Router},
    path,
};

use crate::{
    page_request::{View, request},
    steps::{
        accessibility::AccessibilityPage,
        accounts::AccountsPage,
        bank_form::BankFormPage,
        cancel::{CancelConfirmPage, CancelSuccessPage},
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
            <FlatRoutes fallback=NotFoundPage>
                <Route path=path!("/") view=EntryPage ssr=SsrMode::Async/>
                <Route path=path!("/error/:type") view=ProblemPage ssr=SsrMode::Async/>
                <Route path=path!("/integration/widget") view=ConsentOrConnect ssr=SsrMode::Async/>
                <Route path=path!("/integration/accounts") view=AccountsPage ssr=SsrMode::Async/>
                <Route path=path!("/integration/select-bank") view=BankFormPage ssr=SsrMode::Async/>
                <Route path=path!("/integration/new") view=NotFoundPage ssr=SsrMode::Async/>
                <Route path=path!("/integration/update") view=ConnectPage ssr=SsrMode::Async/>
                <Route path=path!("/integration/success") view=SuccessPage ssr=SsrMode::Async/>
                <Route path=path!("/integration/receipt") view=ReceiptPage ssr=SsrMode::Async/>
                <Route path=path!("/cancel/confirm") view=CancelConfirmPage ssr=SsrMode::Async/>
                <Route path=path!("/cancel/success") view=CancelSuccessPage ssr=SsrMode::Async/>
                <Route path=path!("/acessibilidade") view=AccessibilityPage ssr=SsrMode::Async/>
            </FlatRoutes>
        </Router>
    }
}

#[component]
fn ConsentOrConnect() -> impl IntoView {
    match request().view {
        View::Connect => view! { <ConnectPage/> }.into_any(),
        _ => view! { <ConsentPage/> }.into_any(),
    }
}
