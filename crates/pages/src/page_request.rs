//! What the server knows of the request when it renders one document.

use vincula_domain::{
    problem::Problem,
    routes::Page,
    wire::{Account, Context},
    words,
};

use crate::bundle::escape_into;

/// What one document shows: the page of the request, by stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
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
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct HeadScript {
    pub source: &'static str,
    /// What it reads from its own element, as JSON.
    pub data: String,
}

/// Says that the entry will show the document in its own place. Only the server puts it into a request's extensions.
#[derive(Debug, Clone, Copy)]
pub struct InPlace;

/// What the server knows of the request when it renders one document. Its markup depends on nothing else.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PageRequest {
    pub page: Option<Page>,
    pub view: View,
    /// The error screen's problem; meaningless on other pages.
    pub problem: Problem,
    /// The firm of the session, on pages that need one.
    pub firm: Option<String>,
    /// The client's document, masked.
    pub client_document: String,
    /// The blob that the islands of this document share (design D4).
    pub context: Option<Context>,
    /// The blob as JSON that may stand inside a script element.
    pub blob: Option<String>,
    /// The accounts, where the server has listed them for a browser without JavaScript.
    pub listed: Option<Vec<Account>>,
    /// The id of the request that led here, if it failed, else of this one.
    pub support_code: Option<String>,
    pub nonce: String,
    /// When the server renders the document: milliseconds since 1970.
    pub rendered_at: String,
    /// The form that led here was posted by the browser itself and had no answer.
    pub unanswered: bool,
    pub head_script: Option<HeadScript>,
    /// The entry shows this document in its own place.
    pub in_place: bool,
}

impl View {
    /// The view of a page; `bank_chosen` tells the two of `/integration/widget` apart.
    pub fn of(page: Option<Page>, bank_chosen: bool) -> Self {
        match page {
            None | Some(Page::New) => Self::NotFound,
            Some(Page::Entry) => Self::Entry,
            Some(Page::Error) => Self::Problem,
            Some(Page::Widget) if bank_chosen => Self::Connect,
            Some(Page::Widget) => Self::Consent,
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

    /// Whether anything on it is to be hydrated.
    pub fn has_islands(self) -> bool {
        self.is_react() || self.is_leptos()
    }

    /// Whether it has Leptos islands. For the others the bridge's own small module is enough.
    pub fn is_leptos(self) -> bool {
        matches!(self, Self::Accounts | Self::CancelConfirm | Self::Success)
    }

    fn title(self, request: &PageRequest) -> &'static str {
        match self {
            Self::Entry => words::title::ENTRY,
            Self::Consent => words::title::CONSENT,
            Self::Connect if request.page == Some(Page::Update) => words::title::UPDATE,
            Self::Connect => words::title::CONNECT,
            Self::Accounts => words::title::ACCOUNTS,
            Self::BankForm => words::title::SELECT_BANK,
            Self::Success => words::title::SUCCESS,
            Self::CancelConfirm => words::title::CANCEL,
            Self::CancelSuccess => words::title::CANCELLED,
            Self::Problem => words::problem(request.problem).title,
            Self::NotFound => words::NOT_FOUND_TITLE,
            Self::Accessibility => words::title::ACCESSIBILITY,
        }
    }
}

impl PageRequest {
    /// The context as JSON that may stand inside a script element.
    pub fn blob_of(context: &Context) -> String {
        let json = serde_json::to_string(context).expect("texts and flags always have a JSON form");
        if !json.contains(['<', '\u{2028}', '\u{2029}']) {
            return json;
        }
        json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
    }

    /// "Autorizar acesso · Contábil Horizonte", as HTML.
    pub fn title(&self) -> String {
        let mut title = format!("{} · ", self.view.title(self));
        escape_into(&mut title, self.firm.as_deref().unwrap_or(words::PRODUCT));
        title
    }
}

#[cfg(test)]
mod tests {
    use vincula_domain::wire::WidgetType;

    use super::*;

    #[test]
    fn the_context_cannot_leave_its_script_element() {
        let customer_name = "</script><script>alert(1)</script>\u{2028}<!--".to_owned();
        let context = Context {
            session: "s".into(),
            client_name: "Ana".into(),
            customer_name: customer_name.clone(),
            widget_type: WidgetType::New,
            is_success: false,
            bank_form: None,
        };
        let json = PageRequest::blob_of(&context);
        assert!(!json.contains('<') && !json.contains('\u{2028}'), "{json}");
        let back: Context = serde_json::from_str(&json).unwrap();
        assert_eq!(back.customer_name, customer_name);
    }

    #[test]
    fn every_page_that_is_seen_has_a_view() {
        for page in Page::ALL.into_iter().filter(|page| *page != Page::New) {
            assert_ne!(View::of(Some(page), false), View::NotFound, "{page:?}");
        }
        assert_eq!(View::of(None, false), View::NotFound);
    }
}
