//! What the document around a step depends on.

use crate::site::React;

/// What the document around a step depends on. Each step states its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Facts {
    /// Its name in `body[data-page]`.
    pub name: &'static str,
    /// Its title, without the firm.
    pub title: &'static str,
    /// Its layout where that differs from other steps', in `body[data-layout]`.
    pub layout: Option<&'static str>,
    /// The side image's file name.
    pub side_image: &'static str,
    pub chrome: Chrome,
    /// Whether the footer shows the firm's telephone numbers.
    pub names_contact: bool,
    /// Whether the line above the step says which items the widget API does not have. Otherwise the
    /// step says it.
    pub names_items: bool,
    pub islands: Islands,
    /// The React island in it.
    pub react: Option<React>,
    /// The React island that most clients need next. The page's module fetches it once every island
    /// works.
    pub next: Option<React>,
    pub connect: OpensConnect,
    /// Whether it is the entry, which has scripts of its own in place of the page's module.
    pub is_entry: bool,
}

/// What is around the step besides the footer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Chrome {
    /// A header and a side image.
    Full,
    /// Nothing, on the primary colour.
    Bare,
}

/// Whether it has islands, of Leptos or of React.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Islands {
    None,
    /// It works without them.
    Optional,
    /// It is of no use without them.
    Needed,
}

/// Whether Pluggy Connect opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpensConnect {
    /// Not here and not next.
    No,
    /// On the next page.
    Next,
    Here,
}

impl Facts {
    /// A step with this name and this title that needs nothing else.
    pub const fn new(name: &'static str, title: &'static str) -> Self {
        Self {
            name,
            title,
            layout: None,
            side_image: "default",
            chrome: Chrome::Full,
            names_contact: true,
            names_items: true,
            islands: Islands::None,
            react: None,
            next: None,
            connect: OpensConnect::No,
            is_entry: false,
        }
    }
}
