//! What one document shows. A step makes its [`Screen`] from the session, and `pages/` renders it.

use strum::{IntoStaticStr, VariantArray};
use vincula_domain::Private;

use crate::{
    problem::{Detail, Problem},
    routes::Page,
    wire::PageContext,
    words::{self, ProblemWords},
};

/// What one document shows, with the data that only this document needs. A [`PageContext`] is what
/// the browser knows of the session.
#[derive(Debug, Clone, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Screen {
    Entry,
    Consent(ConsentScreen),
    Connect(PageContext),
    Accounts(AccountsScreen),
    BankForm(PageContext),
    Update(PageContext),
    Success(SuccessScreen),
    CancelConfirm(PageContext),
    CancelSuccess(PageContext),
    #[strum(serialize = "error")]
    Problem(ProblemScreen),
    NotFound,
    Accessibility,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsentScreen {
    pub context: PageContext,
    /// The client's document after its kind, for example "CPF ***.982.247-**", or empty.
    pub client_document: Private<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountsScreen {
    pub context: PageContext,
    pub notice: Option<VisitNotice>,
}

/// What the accounts screen says of the last visit to the bank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VisitNotice {
    /// Connect was closed without a linking with this bank, whose name may be empty.
    Unfinished(String),
    /// The bank has sent the client back after Connect was closed.
    Returned,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuccessScreen {
    pub context: PageContext,
    /// When the client agreed to which version of the consent; empty without a consent.
    pub consented: String,
}

/// What an error screen states and offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProblemScreen {
    pub problem: Problem,
    pub detail: Option<Detail>,
    /// The page where the session continues, if there is a session.
    pub resumes_at: Option<Page>,
    /// The id of the failed request, if support can find its cause in the logs.
    pub support_code: Option<String>,
}

impl ProblemScreen {
    pub fn words(&self) -> ProblemWords {
        words::problem(self.problem, self.detail, self.resumes_at.is_some())
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
    /// Its name in `body[data-page]`.
    pub fn name(&self) -> &'static str {
        self.into()
    }

    /// Its layout where that differs from other screens', in `body[data-layout]`.
    pub fn layout(&self) -> Option<&'static str> {
        match self {
            Self::Consent(_) => Some("columns"),
            Self::Accounts(_) | Self::CancelConfirm(_) => Some("list"),
            Self::BankForm(_) => Some("form"),
            _ => None,
        }
    }

    /// What the page's module and its islands know of the session, if it is about one.
    pub fn context(&self) -> Option<&PageContext> {
        match self {
            Self::Consent(ConsentScreen { context, .. })
            | Self::Accounts(AccountsScreen { context, .. })
            | Self::Success(SuccessScreen { context, .. })
            | Self::Connect(context)
            | Self::BankForm(context)
            | Self::Update(context)
            | Self::CancelConfirm(context)
            | Self::CancelSuccess(context) => Some(context),
            Self::Entry | Self::Problem(_) | Self::NotFound | Self::Accessibility => None,
        }
    }

    /// Whether it has an island, of Leptos alone or of React.
    pub fn has_islands(&self) -> bool {
        self.context().is_some() && !matches!(self, Self::CancelSuccess(_))
    }

    /// The React island in it.
    pub fn react(&self) -> Option<React> {
        match self {
            Self::Consent(_) => Some(React::Consent),
            Self::BankForm(_) => Some(React::BankForm),
            Self::Connect(_) => Some(React::Connect),
            Self::Update(_) => Some(React::Update),
            _ => None,
        }
    }

    /// Whether it has an island without which it is of no use.
    pub fn needs_script(&self) -> bool {
        self.has_islands() && !matches!(self, Self::Consent(_) | Self::CancelConfirm(_))
    }

    /// Whether Pluggy Connect opens on it.
    pub fn hosts_connect(&self) -> bool {
        matches!(self, Self::Connect(_) | Self::Update(_))
    }

    /// Whether it has no header and no side image, on the primary colour.
    pub fn hides_header(&self) -> bool {
        matches!(self, Self::Consent(_)) || self.hosts_connect()
    }

    /// Whether it may show the firm's telephone numbers. A client in doubt about the request must
    /// not rely on contact details in it.
    pub fn shows_telephone(&self) -> bool {
        !matches!(self, Self::Consent(_) | Self::Entry | Self::NotFound)
    }

    /// The side image's file name.
    pub fn side_image(&self) -> &'static str {
        match self {
            Self::Success(_) => "success",
            Self::CancelConfirm(_) | Self::CancelSuccess(_) | Self::Problem(_) | Self::NotFound => {
                "cancel"
            }
            Self::BankForm(_) => "select-bank",
            Self::Entry
            | Self::Consent(_)
            | Self::Connect(_)
            | Self::Update(_)
            | Self::Accounts(_)
            | Self::Accessibility => "default",
        }
    }

    /// Its title, without the firm.
    pub fn title(&self) -> &'static str {
        match self {
            Self::Entry => words::title::ENTRY,
            Self::Consent(_) => words::title::CONSENT,
            Self::Connect(_) => words::title::CONNECT,
            Self::Update(_) => words::title::UPDATE,
            Self::Accounts(_) => words::title::ACCOUNTS,
            Self::BankForm(_) => words::title::SELECT_BANK,
            Self::Success(_) => words::title::SUCCESS,
            Self::CancelConfirm(_) => words::title::CANCEL,
            Self::CancelSuccess(_) => words::title::CANCELLED,
            Self::Problem(problem) => problem.words().title,
            Self::NotFound => words::NOT_FOUND_TITLE,
            Self::Accessibility => words::title::ACCESSIBILITY,
        }
    }
}
