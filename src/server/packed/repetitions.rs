//! Finds what the markup of a template repeats. It may take its time: this happens once for each template.

use std::collections::HashMap;

use crate::server::piece::Piece;

/// What deflate encodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Symbol {
    Byte(u8),
    /// The text of this slot.
    Text(usize),
    /// Repeats so many bytes. `distance` leaves out the texts in between: those from the first number up to the second
    /// one, in the order of the page.
    Repetition {
        length: usize,
        distance: usize,
        texts: (usize, usize),
    },
}

/// The shortest and the longest repetition, in bytes.
const SHORTEST: usize = 3;
const LONGEST: usize = 258;

/// A shortest repetition that is further away than this costs more than its bytes, in bytes.
const NEAR: usize = 4 * 1024;

/// So many earlier places are tried.
const MOST_TRIED: usize = 64;

/// The symbols of a page, in order.
pub fn symbols(pieces: &[Piece]) -> Vec<Symbol> {
    let (mut markup, mut symbols) = (Markup::default(), Vec::new());
    for piece in pieces {
        match piece {
            Piece::Markup(html) => markup.add(html.as_bytes(), &mut symbols),
            Piece::Text(slot) => {
                markup.texts += 1;
                symbols.push(Symbol::Text(*slot));
            }
        }
    }
    symbols
}

/// The markup so far, without the texts.
#[derive(Default)]
struct Markup {
    bytes: Vec<u8>,
    pieces: Vec<Placed>,
    texts: usize,
    /// Where the next three bytes have been seen.
    seen: HashMap<[u8; SHORTEST], Vec<usize>>,
}

/// A piece of markup: where it ends, and how many texts are in front of it.
#[derive(Clone, Copy)]
struct Placed {
    end: usize,
    texts: usize,
}

/// An earlier place with the same bytes.
#[derive(Clone, Copy)]
struct Found {
    length: usize,
    place: usize,
    texts: usize,
}

impl Markup {
    fn add(&mut self, piece: &[u8], symbols: &mut Vec<Symbol>) {
        let mut at = self.bytes.len();
        self.bytes.extend_from_slice(piece);
        let end = self.bytes.len();
        self.pieces.push(Placed { end, texts: self.texts });
        while at < end {
            let found = self.longest(at);
            self.see(at);
            // A longer one may begin at the next byte.
            let next = found.and_then(|_| self.longest(at + 1));
            match found.filter(|found| next.is_none_or(|next| next.length <= found.length)) {
                Some(Found { length, place, texts }) => {
                    symbols.push(Symbol::Repetition { length, distance: at - place, texts: (texts, self.texts) });
                    (at + 1..at + length).for_each(|at| self.see(at));
                    at += length;
                }
                None => {
                    symbols.push(Symbol::Byte(self.bytes[at]));
                    at += 1;
                }
            }
        }
    }

    fn see(&mut self, at: usize) {
        if let Some(key) = self.bytes[at..].first_chunk() {
            self.seen.entry(*key).or_default().push(at);
        }
    }

    /// The longest repetition of what begins here; the nearest of several.
    fn longest(&self, at: usize) -> Option<Found> {
        let wanted = &self.bytes[at..];
        let places = self.seen.get(wanted.first_chunk::<SHORTEST>()?)?;
        let mut best = None;
        let mut length = SHORTEST - 1;
        for &place in places.iter().rev().take(MOST_TRIED) {
            let piece = self.pieces[self.pieces.partition_point(|piece| piece.end <= place)];
            // Within one piece a repetition may reach into itself. No text is part of one.
            let most = LONGEST.min(piece.end - place).min(wanted.len());
            if length >= most || self.bytes[place + length] != wanted[length] {
                continue;
            }
            let same = (0..most).take_while(|&byte| self.bytes[place + byte] == wanted[byte]).count();
            if same > length && (same > SHORTEST || at - place < NEAR) {
                length = same;
                best = Some(Found { length, place, texts: piece.texts });
            }
        }
        best
    }
}
