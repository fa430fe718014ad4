//! The Huffman codes of a template (RFC 1951, section 3.2).

use std::{cmp::Reverse, collections::BinaryHeap};

use super::{Bits, Symbol};

/// Bytes, the end of the block, and lengths.
const LITERALS: usize = 286;
const END: usize = 256;
const DISTANCES: usize = 30;

/// The longest codes, in bits: of symbols, and of the lengths of their codes.
const LONGEST: u32 = 15;
const LONGEST_OF_LENGTHS: u32 = 7;

/// The order in which a block lists the lengths of the codes of lengths.
const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/// The codes of one block.
pub struct Codes {
    literals: Vec<Code>,
    distances: Vec<Code>,
}

/// Bits and their number.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Code {
    bits: u32,
    count: u32,
}

/// An encoded length.
#[derive(Debug, Clone, Copy)]
pub struct LengthCode(Code);

impl Codes {
    /// Codes for the symbols, and for every byte and every distance, since texts may have any.
    pub fn of(symbols: &[Symbol]) -> Self {
        let (mut literals, mut distances) = (vec![0; LITERALS], vec![1; DISTANCES]);
        literals[..=END].fill(1);
        for symbol in symbols {
            match *symbol {
                Symbol::Byte(byte) => literals[usize::from(byte)] += 1,
                Symbol::Text(_) => {}
                Symbol::Repetition { length, distance, .. } => {
                    literals[of_length(length).0] += 1;
                    distances[of_distance(distance).0] += 1;
                }
            }
        }
        Self { literals: codes(literals, LONGEST), distances: codes(distances, LONGEST) }
    }

    /// The head of the block: it is the last one, and brings these codes.
    pub fn head(&self) -> Bits {
        let mut bits = Bits::default();
        let lengths = || self.literals.iter().chain(&self.distances).map(|code| code.count as usize);
        let mut frequencies = vec![0; ORDER.len()];
        lengths().for_each(|length| frequencies[length] += 1);
        let of_lengths = codes(frequencies, LONGEST_OF_LENGTHS);
        // Last block, with its own codes; then how many codes there are.
        bits.put(0b101, 3);
        bits.put(29, 5);
        bits.put(29, 5);
        bits.put(15, 4);
        ORDER.iter().for_each(|&length| bits.put(of_lengths[length].count, 3));
        lengths().for_each(|length| put(&mut bits, of_lengths[length]));
        bits
    }

    pub fn put_byte(&self, bits: &mut Bits, byte: u8) {
        put(bits, self.literals[usize::from(byte)]);
    }

    /// The code of a length that one of the symbols has.
    pub fn length(&self, length: usize) -> LengthCode {
        let (symbol, extra) = of_length(length);
        let Code { bits, count } = self.literals[symbol];
        LengthCode(Code { bits: bits | extra.bits << count, count: count + extra.count })
    }

    pub fn put_repetition(&self, bits: &mut Bits, LengthCode(length): LengthCode, distance: usize) {
        let (symbol, extra) = of_distance(distance);
        put(bits, length);
        put(bits, self.distances[symbol]);
        put(bits, extra);
    }

    pub fn put_end(&self, bits: &mut Bits) {
        put(bits, self.literals[END]);
    }
}

fn put(bits: &mut Bits, Code { bits: code, count }: Code) {
    bits.put(code, count);
}

/// The symbol of a length from 3 to 258, and its extra bits.
fn of_length(length: usize) -> (usize, Code) {
    match length {
        258 => (285, Code::default()),
        _ => {
            let (class, extra) = classed(length - 3, 2);
            (257 + class, extra)
        }
    }
}

/// The symbol of a distance from 1 to 32,768, and its extra bits.
fn of_distance(distance: usize) -> (usize, Code) {
    classed(distance - 1, 1)
}

/// Numbers are classed by their highest bits: a leading one and so many behind it. The others are extra.
fn classed(number: usize, behind: u32) -> (usize, Code) {
    let extra = (number | 1).ilog2().saturating_sub(behind);
    let class = (extra << behind) as usize + (number >> extra);
    let bits = u32::try_from(number & ((1 << extra) - 1)).unwrap_or_default();
    (class, Code { bits, count: extra })
}

/// Canonical codes for symbols of these frequencies. A symbol of frequency zero gets none.
fn codes(frequencies: Vec<u32>, longest: u32) -> Vec<Code> {
    let lengths = lengths(frequencies, longest);
    let mut codes = vec![Code::default(); lengths.len()];
    let mut next = 0;
    for count in 1..=longest {
        for (code, _) in codes.iter_mut().zip(&lengths).filter(|(_, length)| **length == count) {
            // The first bit of a code is its highest.
            *code = Code { bits: u32::reverse_bits(next) >> (u32::BITS - count), count };
            next += 1;
        }
        next <<= 1;
    }
    codes
}

/// The lengths of Huffman's codes. If one is too long, the frequencies are evened out.
fn lengths(mut frequencies: Vec<u32>, longest: u32) -> Vec<u32> {
    loop {
        let lengths = unlimited(&frequencies);
        if lengths.iter().all(|length| *length <= longest) {
            return lengths;
        }
        frequencies.iter_mut().for_each(|frequency| *frequency = frequency.div_ceil(2));
    }
}

fn unlimited(frequencies: &[u32]) -> Vec<u32> {
    let used = frequencies.iter().enumerate().filter(|(_, frequency)| **frequency > 0);
    let mut heap: BinaryHeap<_> = used.map(|(node, frequency)| Reverse((*frequency, node))).collect();
    // A node's parent has a higher number.
    let mut parents = vec![0; frequencies.len()];
    while let (Some(Reverse((a, left))), Some(Reverse((b, right)))) = (heap.pop(), heap.pop()) {
        let parent = parents.len();
        parents.push(0);
        (parents[left], parents[right]) = (parent, parent);
        heap.push(Reverse((a + b, parent)));
    }
    let mut depths = vec![0; parents.len()];
    for node in (0..parents.len()).rev().filter(|node| parents[*node] > 0) {
        depths[node] = depths[parents[node]] + 1;
    }
    depths.truncate(frequencies.len());
    depths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_classed_as_the_format_demands() {
        for (length, symbol, bits, count) in [
            (3, 257, 0, 0),
            (10, 264, 0, 0),
            (11, 265, 0, 1),
            (12, 265, 1, 1),
            (131, 281, 0, 5),
            (257, 284, 30, 5),
            (258, 285, 0, 0),
        ] {
            assert_eq!(of_length(length), (symbol, Code { bits, count }), "{length}");
        }
        for (distance, symbol, bits, count) in [
            (1, 0, 0, 0),
            (4, 3, 0, 0),
            (5, 4, 0, 1),
            (7, 5, 0, 1),
            (8, 5, 1, 1),
            (24_577, 29, 0, 13),
            (32_768, 29, 8_191, 13),
        ] {
            assert_eq!(of_distance(distance), (symbol, Code { bits, count }), "{distance}");
        }
    }

    #[test]
    fn no_code_is_too_long() {
        let fibonacci = std::iter::successors(Some((1, 1)), |(a, b)| Some((*b, a + b))).map(|(a, _)| a).take(30);
        let lengths = lengths(fibonacci.collect(), 15);
        assert!(lengths.iter().all(|length| (1..=15).contains(length)));
        let room: u32 = lengths.iter().map(|length| 1 << (15 - length)).sum();
        assert!(room <= 1 << 15, "the codes are distinct");
    }
}
