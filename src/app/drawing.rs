//! What the server knows while it draws one document.

use std::sync::Arc;

use http::request::Parts;
use leptos::nonce::use_nonce;

use crate::{
    error::Problem,
    http::RequestId,
    islands::chunk::escape_into,
    routes::{self, Page},
    session::{Session, Stage, Visitor, acting::of_request},
    wire::Context,
    words,
};

/// What one document shows: the page of the request, by stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum View {
    Entry,
    Consent,
    Connect,
    Accounts,
    BankForm,
    Success,
    CancelConfirm,
    CancelSuccess,
    Problem,
    NotFound,
    Accessibility,
}

/// A script that runs before every other one of a document: the gallery plays its states with it. Only the server can
/// put it into a request's extensions.
#[derive(Debug, Clone)]
pub struct HeadScript {
    pub source: &'static str,
    /// What it reads from its own element, as JSON.
    pub data: String,
}

/// What the server knows while it draws one document.
#[derive(Clone)]
pub struct Drawing {
    pub page: Option<Page>,
    pub view: View,
    /// The last segment of the path.
    pub slug: String,
    pub session: Option<Arc<Session>>,
    /// The id of the request that led here, if it failed, else of this one.
    pub support_code: Option<String>,
    pub nonce: String,
    /// The form that led here was posted by the browser itself and had no answer.
    pub unanswered: bool,
    /// A validated link led here; the address still says so.
    pub validated: bool,
    pub head_script: Option<HeadScript>,
}

impl View {
    pub fn of(page: Option<Page>, session: Option<&Session>) -> Self {
        match page {
            None | Some(Page::New) => Self::NotFound,
            Some(Page::Entry) => Self::Entry,
            Some(Page::Error) => Self::Problem,
            Some(Page::Widget) => match session.map(|session| &session.stage) {
                Some(Stage::BankChosen(..)) => Self::Connect,
                _ => Self::Consent,
            },
            Some(Page::Update) => Self::Connect,
            Some(Page::Accounts) => Self::Accounts,
            Some(Page::SelectBank) => Self::BankForm,
            Some(Page::Success) => Self::Success,
            Some(Page::CancelConfirm) => Self::CancelConfirm,
            Some(Page::CancelSuccess) => Self::CancelSuccess,
            Some(Page::Accessibility) => Self::Accessibility,
        }
    }

    /// Its name in `body[data-page]` and, for React's views, in the manifest.
    pub fn name(self) -> &'static str {
        match self {
            Self::Entry => "entry",
            Self::Consent => "consent",
            Self::Connect => "connect",
            Self::Accounts => "accounts",
            Self::BankForm => "bank-form",
            Self::Success => "success",
            Self::CancelConfirm => "cancel-confirm",
            Self::CancelSuccess => "cancel-success",
            Self::Problem => "error",
            Self::NotFound => "not-found",
            Self::Accessibility => "accessibility",
        }
    }

    pub fn is_react(self) -> bool {
        matches!(self, Self::Consent | Self::Connect | Self::BankForm)
    }

    /// Whether anything on it has to come alive.
    pub fn has_islands(self) -> bool {
        !matches!(self, Self::Problem | Self::NotFound | Self::CancelSuccess | Self::Accessibility)
    }

    /// Whether Leptos islands are among it: without them the bridge's own small module is enough.
    pub fn is_leptos(self) -> bool {
        matches!(self, Self::Accounts | Self::CancelConfirm | Self::Success)
    }

    pub fn title(self, drawing: &Drawing) -> &'static str {
        match self {
            Self::Entry => words::title::ENTRY,
            Self::Consent => words::title::CONSENT,
            Self::Connect if drawing.page == Some(Page::Update) => words::title::UPDATE,
            Self::Connect => words::title::CONNECT,
            Self::Accounts => words::title::ACCOUNTS,
            Self::BankForm => words::title::SELECT_BANK,
            Self::Success => words::title::SUCCESS,
            Self::CancelConfirm => words::title::CANCEL,
            Self::CancelSuccess => words::title::CANCELLED,
            Self::Problem => words::problem(Problem::of_slug(&drawing.slug)).title,
            Self::NotFound => words::NOT_FOUND_TITLE,
            Self::Accessibility => words::title::ACCESSIBILITY,
        }
    }
}

impl Drawing {
    pub fn now() -> Self {
        of_request(Self::of)
    }

    fn of(parts: &Parts) -> Self {
        let path = parts.uri.path();
        let page = Page::at(path);
        let own_id = parts.extensions.get::<RequestId>().map(|id| id.as_str().to_owned());
        let failed = parts.uri.query().and_then(routes::code_in).filter(|_| page == Some(Page::Error));
        let has_mark = |mark| parts.uri.query().is_some_and(|query| routes::has_mark(query, mark));
        let session = parts.extensions.get::<Visitor>().and_then(|visitor| visitor.0.clone());
        Self {
            page,
            view: View::of(page, session.as_deref()),
            slug: path.trim_end_matches('/').rsplit('/').next().unwrap_or_default().to_owned(),
            session,
            support_code: failed.map(str::to_owned).or(own_id),
            unanswered: has_mark(routes::NO_REPLY),
            validated: has_mark(routes::VALIDATED),
            head_script: parts.extensions.get::<HeadScript>().cloned(),
            nonce: use_nonce().map(|nonce| nonce.to_string()).unwrap_or_default(),
        }
    }

    /// The blob that the islands of this document share (design D4).
    pub fn context(&self) -> Option<Context> {
        let session = self.session.as_ref()?;
        match self.view {
            View::BankForm => Some(session.bank_form_context()),
            View::Entry | View::Problem | View::NotFound | View::CancelSuccess | View::Accessibility => None,
            _ => Some(session.context()),
        }
    }

    /// "Autorizar acesso · Contábil Horizonte", as HTML.
    pub fn title(&self) -> String {
        let firm = self.session.as_ref().filter(|_| self.page.is_some_and(Page::needs_session));
        let firm = firm.map_or(words::PRODUCT, |session| &session.client.customer_name);
        let mut title = format!("{} · ", self.view.title(self));
        escape_into(&mut title, firm);
        title
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_that_is_seen_has_a_view() {
        for page in Page::ALL.into_iter().filter(|page| *page != Page::New) {
            assert_ne!(View::of(Some(page), None), View::NotFound, "{page:?}");
        }
        assert_eq!(View::of(None, None), View::NotFound);
    }
}
