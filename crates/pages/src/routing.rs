//! The routes: which component renders which page.

use std::sync::Arc;

use leptos::{prelude::*, tachys::prelude::IntoMaybeErased};
use leptos_router::{
    ChooseView, NestedRoute, PartialPathMatch, PathSegment, PossibleRouteMatch, SsrMode,
    components::{FlatRoutes, Router},
    location::RequestUrl,
};
use vincula_domain::{destination::Destination, routes::Page};

use crate::{
    page_request::{PageRequest, Screen, request},
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

/// Renders the component of the page. The session's middleware has already checked that the session
/// may view it.
#[component]
pub fn App() -> impl IntoView {
    // Without a request, the framework lists the routes.
    if let Some(request) = use_context::<Arc<PageRequest>>() {
        provide_context(RequestUrl::new(&address(&request)));
    }
    view! {
        <Router>
            <FlatRoutes fallback=NotFoundPage>
                <PageRoute page=Page::Entry view=EntryPage/>
                <PageRoute page=Page::Error view=ProblemPage/>
                <PageRoute page=Page::Widget view=ConsentOrConnect/>
                <PageRoute page=Page::Accounts view=AccountsPage/>
                <PageRoute page=Page::SelectBank view=BankFormPage/>
                <PageRoute page=Page::New view=NotFoundPage/>
                <PageRoute page=Page::Update view=ConnectPage/>
                <PageRoute page=Page::Success view=SuccessPage/>
                <PageRoute page=Page::Receipt view=ReceiptPage/>
                <PageRoute page=Page::CancelConfirm view=CancelConfirmPage/>
                <PageRoute page=Page::CancelSuccess view=CancelSuccessPage/>
                <PageRoute page=Page::Accessibility view=AccessibilityPage/>
            </FlatRoutes>
        </Router>
    }
}

/// The route of a page. Documents are not streamed, because streaming puts late content into
/// scripts, and scripts do not run in place of the entry or without JavaScript.
#[component(transparent)]
fn PageRoute<V>(page: Page, view: V) -> <NestedRoute<At, (), (), V> as IntoMaybeErased>::Output
where
    V: ChooseView + Clone + 'static,
{
    NestedRoute::new(At(page), view)
        .ssr_mode(SsrMode::Async)
        .into_maybe_erased()
}

/// The path of a page's route. It matches where [`Page::at`] finds the page.
#[derive(Debug, Clone, Copy)]
struct At(Page);

impl PossibleRouteMatch for At {
    fn optional(&self) -> bool {
        false
    }

    fn test<'a>(&self, path: &'a str) -> Option<PartialPathMatch<'a>> {
        (Page::at(path) == Some(self.0)).then(|| PartialPathMatch::new("", Vec::new(), path))
    }

    fn generate_path(&self, path: &mut Vec<PathSegment>) {
        path.push(PathSegment::Static(self.0.path().into()));
        if self.0 == Page::Error {
            path.push(PathSegment::Param("type".into()));
        }
    }
}

/// The address by which the router finds the page of the request. It is not the request's own
/// address, because the router resolves dots and backslashes, and would find another page than the
/// guard at `/x/../cancel/confirm` or `/error/..`.
fn address(request: &PageRequest) -> String {
    match request.page {
        Some(Page::Error) => Destination::from(request.error().problem).to_string(),
        Some(page) => page.path().to_owned(),
        None => NOWHERE.to_owned(),
    }
}

/// A path without a page.
const NOWHERE: &str = "/nowhere";

/// The two screens of one page: the session's stage decides which (see [`Screen::of`]).
#[component]
fn ConsentOrConnect() -> impl IntoView {
    match request().screen {
        Screen::Connect => view! { <ConnectPage/> }.into_any(),
        _ => view! { <ConsentPage/> }.into_any(),
    }
}
