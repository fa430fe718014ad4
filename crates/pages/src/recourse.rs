//! What an error screen can say of the accounts, and where it can lead.

/// What an error screen knows of the session of its browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Recourse {
    pub shared: Shared,
    /// The page where the session goes on, if there is one.
    pub resumes_at: Option<&'static str>,
    /// The server or the widget API is out of order: the link is not to blame.
    pub outage: bool,
}

/// What can truly be said of the client's accounts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Shared {
    /// Nothing: after a cancellation.
    #[default]
    Unsaid,
    /// Nothing has been shared: no call of this visit can have done it.
    Nothing,
    /// There may be accounts, and the error has changed none of them.
    AsBefore,
}
