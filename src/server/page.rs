//! Derives from a request the data that its page is rendered from, and the headers that depend on the page.

use std::{
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header, request::Parts};
use leptos::{
    nonce::{Nonce, use_nonce},
    prelude::*,
};
use leptos_axum::ResponseOptions;
use vincula_domain::{
    problem::Problem,
    routes::{self, Page},
    wire::Context,
};
use vincula_pages::{HeadScript, InPlace, PageRequest, Recourse, View};
use vincula_web::{
    ActionState,
    actions::listed::ServerListedAccounts,
    http::{RequestId, policy},
    session::{CurrentSession, Session},
};

use super::{AppState, detour};

/// Provides the context of every page and every server function; it reads the request for pages only. While the
/// framework lists the routes, there is no request.
pub fn context(state: AppState) -> impl Fn() + Clone + Send + Sync + 'static {
    move || {
        provide_context::<ActionState>(state.actions.clone());
        let nonce = use_nonce();
        let rendering = with_context(|parts: &Parts| {
            parts.extensions.get::<Rendering>().cloned().or_else(|| {
                let nonce = nonce.filter(|_| matches!(parts.method, Method::GET | Method::HEAD))?;
                Some(Rendering { page: Arc::new(of(parts, &nonce)), nonce })
            })
        });
        if let Some(Rendering { page, nonce }) = rendering.flatten() {
            provide_context(nonce);
            let (status, headers) = self::headers(&page, &state);
            let options: ResponseOptions = expect_context();
            options.set_status(status);
            headers.into_iter().for_each(|(name, value)| {
                if let Some(name) = name {
                    options.insert_header(name, value);
                }
            });
            provide_context(Arc::clone(&state.site));
            provide_context(page);
        }
    }
}

/// The page to render instead of the request's, and its nonce.
#[derive(Clone)]
pub struct Rendering {
    pub page: Arc<PageRequest>,
    pub nonce: Nonce,
}

/// The status of a page, and the headers that depend on it.
pub fn headers(request: &PageRequest, state: &AppState) -> (StatusCode, HeaderMap) {
    let mut headers = HeaderMap::new();
    let hosts_connect = request.view == View::Connect;
    headers.insert(header::CONTENT_SECURITY_POLICY, state.policy.of_page(&request.nonce, hosts_connect));
    if hosts_connect {
        let (name, value) = (policy::OPENER_POLICY, policy::OPENER_OF_CONNECT);
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    if request.page == Some(Page::Error) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    (if request.view == View::NotFound { StatusCode::NOT_FOUND } else { StatusCode::OK }, headers)
}

/// What the server knows of a request for a page.
pub fn of(parts: &Parts, nonce: &Nonce) -> PageRequest {
    let path = parts.uri.path();
    let page = Page::at(path);
    let own_id = parts.extensions.get::<RequestId>().map(|id| id.as_str().to_owned());
    let failed = parts.uri.query().and_then(routes::code_in).filter(|_| page == Some(Page::Error));
    let has_flag = |flag| parts.uri.query().is_some_and(|query| routes::has_flag(query, flag));
    let session = parts.extensions.get::<CurrentSession>().and_then(|visitor| visitor.0.clone());
    let view = View::of(page, session.as_ref().is_some_and(|session| session.stage.bank().is_some()));
    let slug = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let context = session.as_deref().and_then(|session| context_of(view, session));
    let query = parts.uri.query().unwrap_or_default();
    let is_other = page == Some(Page::Error) && has_flag(routes::OTHER_LINK);
    let own = session.as_deref().filter(|_| page != Some(Page::Entry) && !is_other);
    let problem = Problem::of_slug(if page == Some(Page::Error) { slug } else { "" });
    PageRequest {
        page,
        view,
        problem,
        recourse: match view {
            View::Problem => detour::recourse(problem, query, own),
            _ => Recourse::default(),
        },
        back: detour::back(view, &parts.headers, own),
        cancelled: own.is_some_and(|session| session.progress.cancelled),
        // Not where the path does not exist: a proxy in front may keep what looks like a file.
        firm: own.filter(|_| page.is_some()).map(|session| session.client.customer_name.clone()),
        client_document: session.as_ref().map(|session| session.client.cpfcnpj.masked()).unwrap_or_default(),
        blob: context.as_ref().map(PageRequest::blob_of),
        context,
        listed: parts.extensions.get::<ServerListedAccounts>().map(|listed| listed.0.clone()),
        support_code: failed.map(str::to_owned).or(own_id),
        nonce: nonce.to_string(),
        rendered_at: SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis().to_string(),
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
