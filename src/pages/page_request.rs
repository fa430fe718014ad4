//! The data from which one document is rendered.

use std::sync::Arc;

use html_escape::encode_quoted_attribute;
use leptos::prelude::expect_context;
use strum::{IntoStaticStr, VariantArray};

use crate::{
    pages::brands::Face,
    problem::{Detail, Problem},
    routes::Page,
    wire::PageContext,
    words::{self, ProblemWords},
};

/// What one document shows: the page of the request at the session's stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Screen {
    Entry,
    Consent,
    Connect,
    Accounts,
    BankForm,
    Update,
    Success,
    CancelConfirm,
    CancelSuccess,
    #[strum(serialize = "error")]
    Problem,
    NotFound,
    Accessibility,
}

/// The data from which one document is rendered. Its markup depends on nothing else.
#[derive(Clone, PartialEq, Eq)]
pub struct PageRequest {
    pub page: Option<Page>,
    pub screen: Screen,
    /// On the error screen only.
    pub error: Option<ErrorScreen>,
    /// The link back from a page outside the journey.
    pub back: Option<Page>,
    /// Whether everything was cancelled, and the firm is not authorized again.
    pub is_cancelled: bool,
    /// On the accounts only.
    pub notice: Option<VisitNotice>,
    /// The id of the session, on the screens that act in it.
    pub session: Option<String>,
    /// The firm of the session. The entry names no firm, because its link may be of another one.
    pub firm: Option<String>,
    /// The details of the firm, or of the deployment.
    pub face: Face,
    /// The blob that the islands of this document share.
    pub context: Option<PageContext>,
    /// On the success only, after a consent: when the client agreed to which version of its text.
    pub consented: Option<String>,
    /// The id of the failed request that led here, for support.
    pub support_code: Option<String>,
    pub nonce: String,
    /// The requested host. A forged one affects only the requester's own page, which is not cached.
    pub host: Option<String>,
    /// Whether the page shows the notice that a form post without JavaScript has failed.
    pub has_notice: bool,
}

/// What the accounts screen says of the last visit to the bank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VisitNotice {
    /// Connect was closed without a linking with this bank, whose name may be empty.
    Unfinished(String),
    /// The bank has sent the client back after Connect was closed.
    Returned,
}

vincula_domain::debug_without_values!(PageRequest);

/// What an error screen states and offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ErrorScreen {
    pub problem: Problem,
    /// The page where the session continues, if there is a session.
    pub resumes_at: Option<Page>,
    pub detail: Option<Detail>,
}

impl ErrorScreen {
    pub fn words(self) -> ProblemWords {
        words::problem(self.problem, self.detail, self.resumes_at.is_some())
    }

    /// Whether support can find the cause of the failure in the logs. The other screens say it.
    pub fn has_support_code(self) -> bool {
        let is_unexpected = matches!(
            self.problem,
            Problem::TokenInvalid | Problem::TokenNotExists | Problem::LinkNotExists
        );
        is_unexpected && self.detail != Some(Detail::Cancelled)
    }
}

/// A React island, named as its folder in `islands-react/src`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum React {
    Consent,
    BankForm,
    Connect,
    Update,
}

impl React {
    /// Its name in the manifest, and in `[data-react]` of its host.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

impl Screen {
    /// The screen of a page; `bank_chosen` distinguishes the two of `/integration/widget`.
    pub fn of(page: Option<Page>, bank_chosen: bool) -> Self {
        match page {
            None | Some(Page::New) => Self::NotFound,
            Some(Page::Entry) => Self::Entry,
            Some(Page::Error) => Self::Problem,
            Some(Page::Widget) if bank_chosen => Self::Connect,
            Some(Page::Widget) => Self::Consent,
            Some(Page::Update) => Self::Update,
            Some(Page::Accounts) => Self::Accounts,
            Some(Page::SelectBank) => Self::BankForm,
            Some(Page::Success) => Self::Success,
            Some(Page::CancelConfirm) => Self::CancelConfirm,
            Some(Page::CancelSuccess) => Self::CancelSuccess,
            Some(Page::Accessibility) => Self::Accessibility,
        }
    }

    /// Its name in `body[data-page]`.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// A firm's face without what this screen does not show.
    pub fn face(self, mut face: Face) -> Face {
        // A client in doubt about the request must not rely on contact details in it.
        if matches!(self, Self::Consent | Self::Entry | Self::NotFound) {
            (face.telephone, face.whatsapp) = (None, None);
        }
        face
    }

    /// The React island in it.
    pub fn react(self) -> Option<React> {
        match self {
            Self::Consent => Some(React::Consent),
            Self::BankForm => Some(React::BankForm),
            Self::Connect => Some(React::Connect),
            Self::Update => Some(React::Update),
            _ => None,
        }
    }

    /// Whether it has an island, of Leptos alone or of React.
    pub fn has_islands(self) -> bool {
        self.react().is_some()
            || matches!(self, Self::Accounts | Self::CancelConfirm | Self::Success)
    }

    /// Whether it has an island without which it is of no use.
    pub fn needs_script(self) -> bool {
        self.has_islands() && !matches!(self, Self::Consent | Self::CancelConfirm)
    }

    /// Whether Pluggy Connect opens on it.
    pub fn hosts_connect(self) -> bool {
        matches!(self, Self::Connect | Self::Update)
    }

    /// Whether it has no header and no side image, on the primary colour.
    pub fn hides_header(self) -> bool {
        self == Self::Consent || self.hosts_connect()
    }

    /// The side image's file name.
    pub fn side_image(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::CancelConfirm | Self::CancelSuccess | Self::Problem | Self::NotFound => "cancel",
            Self::BankForm => "select-bank",
            Self::Entry
            | Self::Consent
            | Self::Connect
            | Self::Update
            | Self::Accounts
            | Self::Accessibility => "default",
        }
    }

    fn title(self, request: &PageRequest) -> &'static str {
        match self {
            Self::Entry => words::title::ENTRY,
            Self::Consent => words::title::CONSENT,
            Self::Connect => words::title::CONNECT,
            Self::Update => words::title::UPDATE,
            Self::Accounts => words::title::ACCOUNTS,
            Self::BankForm => words::title::SELECT_BANK,
            Self::Success => words::title::SUCCESS,
            Self::CancelConfirm => words::title::CANCEL,
            Self::CancelSuccess => words::title::CANCELLED,
            Self::Problem => request.error().words().title,
            Self::NotFound => words::NOT_FOUND_TITLE,
            Self::Accessibility => words::title::ACCESSIBILITY,
        }
    }
}

/// The request whose document is being rendered.
pub fn request() -> Arc<PageRequest> {
    expect_context()
}

/// Why a page has the data of a session.
const IN_SESSION: &str = "the guard admits this page only in a session";

/// The session data of the page. Panics without a session, so that the client gets a support code
/// and not an empty page.
pub fn context() -> PageContext {
    request().context.clone().expect(IN_SESSION)
}

/// The firm of the session. Panics without a session.
pub fn firm() -> String {
    request().firm.clone().expect(IN_SESSION)
}

impl PageRequest {
    /// The context as JSON that is safe inside a script element.
    pub fn blob_of(context: &PageContext) -> String {
        let json = serde_json::to_string(context).expect("texts and flags always have a JSON form");
        json.replace('<', "\\u003c")
            .replace('\u{2028}', "\\u2028")
            .replace('\u{2029}', "\\u2029")
    }

    /// What the error screen states and offers. Panics on other screens.
    pub fn error(&self) -> ErrorScreen {
        self.error.expect("the error screen has its problem")
    }

    /// "Autorizar acesso — Contábil Horizonte", as HTML.
    pub fn title(&self) -> String {
        let firm = self.firm.as_deref().unwrap_or(words::PRODUCT);
        words::title::of(self.screen.title(self), &encode_quoted_attribute(firm))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::WidgetType;

    #[test]
    fn context_cannot_close_script_element() {
        let customer_name = "</script><script>alert(1)</script>\u{2028}<!--".to_owned();
        let context = PageContext {
            session: "s".into(),
            client_name: "Ana".into(),
            customer_name: customer_name.clone(),
            authorized: false,
            cancelled: false,
            widget_type: WidgetType::New,
            renewal_due: false,
            is_success: false,
            item_refused: false,
            linking: None,
            bank: String::new(),
            consent: None,
            bank_form: None,
        };
        let json = PageRequest::blob_of(&context);
        assert!(!json.contains('<') && !json.contains('\u{2028}'), "{json}");
        let back: PageContext = serde_json::from_str(&json).unwrap();
        assert_eq!(back.customer_name, customer_name);
    }
}
