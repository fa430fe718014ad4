//! Derives from a request the data that its page is rendered from, and the headers that depend on the page.

use std::sync::Arc;

use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header, request::Parts};
use leptos::{nonce::use_nonce, prelude::*};
use leptos_axum::ResponseOptions;
use vincula_domain::{
    routes::{self, Page},
    wire::Context,
};
use vincula_pages::{HeadScript, InPlace, PageRequest, View};
use vincula_web::{
    ActionState,
    actions::listed::ServerListedAccounts,
    http::{RequestId, policy},
    session::{CurrentSession, Session},
};

use super::AppState;

/// Provides the context of every page and every server function; it reads the request for pages only. While the
/// framework lists the routes, there is no request.
pub fn context(state: AppState) -> impl Fn() + Clone + Send + Sync + 'static {
    move || {
        provide_context::<ActionState>(state.actions.clone());
        let page = with_context(|parts: &Parts| matches!(parts.method, Method::GET | Method::HEAD).then(|| of(parts)))
            .flatten();
        if let Some(page) = page {
            set_headers(&page, &state, &expect_context());
            provide_context(Arc::clone(&state.site));
            provide_context(Arc::new(page));
        }
    }
}

fn set_headers(request: &PageRequest, state: &AppState, options: &ResponseOptions) {
    let hosts_connect = request.view == View::Connect;
    options.insert_header(header::CONTENT_SECURITY_POLICY, state.policy.of_page(&request.nonce, hosts_connect));
    if hosts_connect {
        let (name, value) = (policy::OPENER_POLICY, policy::OPENER_OF_CONNECT);
        options.insert_header(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    if request.view == View::NotFound {
        options.set_status(StatusCode::NOT_FOUND);
    }
    if request.page == Some(Page::Error) {
        options.insert_header(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
}

fn of(parts: &Parts) -> PageRequest {
    let path = parts.uri.path();
    let page = Page::at(path);
    let own_id = parts.extensions.get::<RequestId>().map(|id| id.as_str().to_owned());
    let failed = parts.uri.query().and_then(routes::code_in).filter(|_| page == Some(Page::Error));
    let has_flag = |flag| parts.uri.query().is_some_and(|query| routes::has_flag(query, flag));
    let session = parts.extensions.get::<CurrentSession>().and_then(|visitor| visitor.0.clone());
    let view = View::of(page, session.as_ref().is_some_and(|session| session.stage.bank().is_some()));
    let named = session.as_ref().filter(|_| page.is_some_and(Page::needs_session));
    PageRequest {
        page,
        view,
        slug: path.trim_end_matches('/').rsplit('/').next().unwrap_or_default().to_owned(),
        firm: named.map(|session| session.client.customer_name.clone()),
        client_document: session.as_ref().map(|session| session.client.cpfcnpj.masked()).unwrap_or_default(),
        context: session.as_deref().and_then(|session| context_of(view, session)),
        listed: parts.extensions.get::<ServerListedAccounts>().map(|listed| listed.0.clone()),
        support_code: failed.map(str::to_owned).or(own_id),
        nonce: use_nonce().map(|nonce| nonce.to_string()).unwrap_or_default(),
        unanswered: has_flag(routes::NO_REPLY),
        head_script: parts.extensions.get::<HeadScript>().cloned(),
        in_place: parts.extensions.get::<InPlace>().is_some(),
    }
}

/// The data that the islands of a document share (design D4).
fn context_of(view: View, session: &Session) -> Option<Context> {
    match view {
        View::BankForm => Some(session.bank_form_context()),
        View::Entry | View::Problem | View::NotFound | View::CancelSuccess | View::Accessibility => None,
        _ => Some(session.context()),
    }
}
