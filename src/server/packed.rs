//! Compresses a template once, so that a page costs little more than copying: a gzip member (RFC 1952) with one deflate
//! block (RFC 1951) whose Huffman codes fit the markup.
//!
//! Repetitions are looked for in the markup only. What a text looks like decides its own length and nothing else, so
//! that the size of a page tells nothing about a secret beside it. A repetition whose two places have texts between them
//! gets its distance when these are filled in.

mod bits;
mod codes;
mod repetitions;

use bits::Bits;
use codes::{Codes, LengthCode};
use repetitions::{Symbol, symbols};
use vincula_pages::Texts;

use super::piece::Piece;

/// As far back as a distance of deflate reaches, in bytes. No page of ours is longer.
const WINDOW: usize = 32 * 1024;

/// A compressed template.
pub struct Packed {
    parts: Vec<Part>,
    codes: Codes,
}

/// A part of the block.
enum Part {
    /// Encoded markup.
    Markup(Bits),
    /// The text of this slot: its bytes are encoded one by one.
    Text(usize),
    /// A repetition with texts between its two places: those that begin at the first number, up to the second one.
    Repetition { length: LengthCode, distance: usize, texts: (usize, usize) },
}

impl Packed {
    pub fn of(pieces: &[Piece]) -> Self {
        let symbols = symbols(pieces);
        let codes = Codes::of(&symbols);
        let (mut parts, mut markup) = (Vec::new(), codes.head());
        for symbol in &symbols {
            let part = match *symbol {
                Symbol::Byte(byte) => {
                    codes.put_byte(&mut markup, byte);
                    continue;
                }
                Symbol::Repetition { length, distance, texts: (from, to) } if from == to => {
                    codes.put_repetition(&mut markup, codes.length(length), distance);
                    continue;
                }
                Symbol::Repetition { length, distance, texts } => {
                    Part::Repetition { length: codes.length(length), distance, texts }
                }
                Symbol::Text(slot) => Part::Text(slot),
            };
            parts.extend([Part::Markup(std::mem::take(&mut markup)), part]);
        }
        codes.put_end(&mut markup);
        parts.push(Part::Markup(markup));
        Self { parts, codes }
    }

    /// The page with these texts; `None` if it is longer than deflate can look back.
    pub fn gzip(&self, pieces: &[Piece], texts: &Texts) -> Option<Vec<u8>> {
        let (mut sum, mut size, mut before) = (crc32fast::Hasher::new(), 0, vec![0]);
        for piece in pieces {
            let text = piece.text(texts);
            sum.update(text.as_bytes());
            size += text.len();
            if let Piece::Text(_) = piece {
                before.push(before.last().copied().unwrap_or_default() + text.len());
            }
        }
        if size > WINDOW {
            return None;
        }
        let mut bits = Bits::beginning_with(&HEAD, size / 2);
        for part in &self.parts {
            match part {
                Part::Markup(markup) => bits.append(markup),
                Part::Text(slot) => texts.get(*slot).bytes().for_each(|byte| self.codes.put_byte(&mut bits, byte)),
                Part::Repetition { length, distance, texts: (from, to) } => {
                    self.codes.put_repetition(&mut bits, *length, distance + before[*to] - before[*from]);
                }
            }
        }
        let mut gzip = bits.into_bytes();
        gzip.extend(sum.finalize().to_le_bytes());
        gzip.extend(u32::try_from(size).unwrap_or_default().to_le_bytes());
        Some(gzip)
    }
}

/// The head of a gzip member: deflate, no name, no time, of an unknown system.
const HEAD: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::GzDecoder;
    use proptest::prelude::*;
    use vincula_pages::Texts;

    use crate::server::template::Template;

    fn unpacked(packed: &[u8]) -> String {
        let mut text = String::new();
        GzDecoder::new(packed).read_to_string(&mut text).unwrap();
        text
    }

    /// Markup that repeats itself, with placeholders.
    fn page() -> impl Strategy<Value = String> {
        let piece = prop_oneof!["[a-c]{0,40}", "(<p class=\"notice\">|</p>|é|\\PC){0,8}", "[\u{e000}-\u{e003}]"];
        prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn every_decoder_reads_what_was_filled_in(page in page(), texts in prop::array::uniform4("\\PC{0,20}|[a-c]{0,300}")) {
            let (template, texts) = (Template::of(&page), Texts::from(texts.to_vec()));
            let filled = template.fill(&texts);
            prop_assert_eq!(unpacked(&template.gzip(&texts).unwrap()), filled);
        }
    }

    #[test]
    fn repetitions_are_found_across_texts() {
        let line = "<li class=\"steps__item\">Autorize o seu contador</li>";
        let template = Template::of(&format!("{line}\u{e000}{line}\u{e001}{line}{line}"));
        let texts = Texts::from(vec!["Ana".to_owned(), "Padaria <b>".repeat(20)]);
        let packed = template.gzip(&texts).unwrap();
        assert_eq!(unpacked(&packed), template.fill(&texts));
        assert!(packed.len() < 420, "{}", packed.len());
    }

    /// An attacker who chooses one text cannot tell from the size whether it resembles another one.
    #[test]
    fn a_text_is_never_part_of_a_repetition() {
        let template = Template::of("<p>\u{e000}</p><p>\u{e001}</p>");
        let size =
            |guess: &str| template.gzip(&Texts::from(vec!["secret-0123".to_owned(), guess.to_owned()])).unwrap().len();
        assert_eq!(size("secret-0123"), size("3210-terces"));
    }

    #[test]
    fn a_page_beyond_the_reach_of_deflate_is_left_to_others() {
        let template = Template::of("<p>\u{e000}</p>");
        assert!(template.gzip(&Texts::from(vec!["a".repeat(32 * 1024)])).is_none());
        assert!(template.gzip(&Texts::from(vec!["a".repeat(32 * 1024 - 7)])).is_some());
    }
}
