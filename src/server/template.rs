//! A page that was rendered once, with slots for the texts of a visit.

use std::sync::OnceLock;

use vincula_pages::Texts;

use super::{packed::Packed, piece::Piece};

/// The page of one outline.
pub struct Template {
    pieces: Vec<Piece>,
    /// Made when the first browser asks for it.
    packed: OnceLock<Packed>,
}

impl Template {
    /// Splits a page that was rendered from an outline.
    pub fn of(mut html: &str) -> Self {
        let mut pieces = Vec::new();
        while let Some((at, slot, width)) =
            html.char_indices().find_map(|(at, c)| Some((at, Texts::slot_of(c)?, c.len_utf8())))
        {
            pieces.extend([Piece::Markup(html[..at].to_owned()), Piece::Text(slot)]);
            html = &html[at + width..];
        }
        pieces.push(Piece::Markup(html.to_owned()));
        Self { pieces, packed: OnceLock::new() }
    }

    /// The page with these texts.
    pub fn fill(&self, texts: &Texts) -> String {
        let parts = || self.pieces.iter().map(|piece| piece.text(texts));
        let mut page = String::with_capacity(parts().map(str::len).sum());
        page.extend(parts());
        page
    }

    /// The page with these texts, compressed; `None` if it is too long for that.
    pub fn gzip(&self, texts: &Texts) -> Option<Vec<u8>> {
        self.packed.get_or_init(|| Packed::of(&self.pieces)).gzip(&self.pieces, texts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_fill_every_slot_of_theirs() {
        let template = Template::of("\u{e001}<p title=\"\u{e000}\">\u{e000}\u{e001}</p>");
        let texts = Texts::from(vec!["Ana".to_owned(), "\u{e000}".to_owned()]);
        assert_eq!(template.fill(&texts), "\u{e000}<p title=\"Ana\">Ana\u{e000}</p>");
        assert_eq!(Template::of("é\u{f000}").fill(&texts), "é\u{f000}");
    }
}
