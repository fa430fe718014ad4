//! A part of a page that was rendered once: markup, or the place of a text.

use vincula_pages::Texts;

/// A part of the page.
pub enum Piece {
    Markup(String),
    /// The text of this slot.
    Text(usize),
}

impl Piece {
    pub fn text<'a>(&'a self, texts: &'a Texts) -> &'a str {
        match self {
            Self::Markup(html) => html,
            Self::Text(slot) => texts.get(*slot),
        }
    }
}
