//! The request whose document is being rendered.

use std::sync::Arc;

use axum::http::{Uri, header, request::Parts};
use leptos::{nonce::use_nonce, prelude::*};

use crate::{
    brands::FirmDetails,
    http::Target,
    routes::{self, Page, has_flag},
    session::{Session, Visitor, guard::resumes_at},
    state::AppState,
    wire::PageContext,
};

/// The request for a page.
#[derive(Debug, Clone)]
pub struct PageRequest {
    /// `None` for every path that is not a page.
    pub page: Option<Page>,
    /// The browser's session. The entry has none, because its link may belong to another firm.
    pub visitor: Option<Arc<Session>>,
    /// The firm of the session, if the document may name it.
    pub firm: Option<String>,
    /// The details of the firm, or of the deployment.
    pub details: FirmDetails,
    pub uri: Uri,
    /// Unix seconds.
    pub now: u64,
    pub nonce: String,
    /// The requested host, for link previews only. It is unchecked: a forged one affects the
    /// requester's own page, which is not cached.
    pub host: Option<String>,
}

/// The request whose document is being rendered.
pub fn request() -> Arc<PageRequest> {
    expect_context()
}

/// Provides the [`AppState`] and the [`PageRequest`] as context. While the framework lists the routes, and for server
/// functions, there is no nonce and no document.
pub fn provide_request(state: AppState) -> impl Fn() + Clone + Send + Sync + 'static {
    move || {
        // Leptos provides it to its own routes, and not to the fallback.
        provide_context(state.clone());
        if let (Some(parts), Some(nonce)) = (use_context::<Parts>(), use_nonce()) {
            provide_context(Arc::new(PageRequest::new(
                &parts,
                nonce.to_string(),
                &state,
            )));
        }
    }
}

impl PageRequest {
    fn new(parts: &Parts, nonce: String, state: &AppState) -> Self {
        const LAYERS: &str = "layers add target and session to each request";
        let target = parts.extensions.get::<Target>().expect(LAYERS);
        let Visitor(visitor) = parts.extensions.get().expect(LAYERS);
        let page = target.page();
        let visitor = match page {
            Some(Page::Entry) => None,
            _ => visitor.clone(),
        };
        // Not for unknown paths: a proxy may cache a response that looks like a file.
        let shown = match page {
            None => None,
            Some(_) => visitor.as_ref(),
        };
        let firm_id = shown.map(|session| session.client.firm_id());
        let host = parts.headers.get(header::HOST);
        Self {
            page,
            firm: shown.map(|session| session.client.customer_name.clone()),
            details: state.brands.details(firm_id.as_deref()).clone(),
            visitor,
            uri: parts.uri.clone(),
            now: state.codec.now(),
            nonce,
            host: host.and_then(|host| host.to_str().ok()).map(str::to_owned),
        }
    }

    /// The session of a page that only a session may view.
    pub fn session(&self) -> &Session {
        let visitor = self.visitor.as_deref();
        visitor.expect("the guard shows the page to a session only")
    }

    /// What the browser knows of the session.
    pub fn context(&self) -> PageContext {
        self.session().page_context(self.now)
    }

    /// The step that is due in the session.
    pub fn back(&self) -> Option<Page> {
        self.visitor.as_deref().map(resumes_at)
    }

    /// The raw query, or empty.
    pub fn query(&self) -> &str {
        self.uri.query().unwrap_or_default()
    }

    /// Whether the page shows the notice that a form post without JavaScript has failed.
    pub fn has_notice(&self) -> bool {
        has_flag(self.query(), routes::NOTICE)
    }
}
